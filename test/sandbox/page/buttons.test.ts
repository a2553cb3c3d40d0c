// Buttons on the page: what a bot asks is answered by pressing one, with a mouse or by keyboard, and is seen to be settled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse } from '../../app/house.ts';
import { open, platforms, skip } from './browser.ts';

const config = { tools: { policy: { memory_search: 'ask' } } };

test('approval is given on the page by a press in each pane, after which its buttons are gone and its words say how it ended (J2)', {
  skip,
}, async (t) => {
  const house = await openHouse(t, { config });
  await house.ready(...platforms);
  const { page, say, messages } = await open(t, house);
  for (const platform of platforms) {
    await say(platform, 'Where is the spare key?');
    const asked = messages(platform, 'bot').filter({ hasText: 'May I use the tool' });
    const choices = asked.getByRole('group', { name: 'Answers to choose from' });
    await choices.getByRole('button', { name: 'yes, this once', exact: true }).waitFor();
    assert.deepEqual(await choices.getByRole('button').allTextContents(), ['yes, this once', 'no']);
  }
  for (const platform of platforms) {
    const asked = messages(platform, 'bot').filter({ hasText: 'May I use the tool' });
    const yes = asked.getByRole('button', { name: 'yes, this once', exact: true });
    if (platform === 'slack') {
      await yes.focus();
      await page.keyboard.press('Enter');
    } else await yes.click();
    await asked.filter({ hasText: 'allowed this once' }).waitFor();
    assert.equal(
      await asked.getByRole('group', { name: 'Answers to choose from' }).count(),
      0,
      `${platform}: the buttons are gone`,
    );
    // what had the focus is gone: the message has it, and neither the page nor another pane
    const focused = 'document.activeElement.matches(".message") && document.activeElement.textContent';
    assert.match(String(await page.evaluate(focused)), /allowed this once/, platform);
    await messages(platform, 'bot').filter({ hasText: 'remember' }).waitFor();
  }
});

test('only the person who presses what is over sees so: in the chat on Discord and Slack, on top of it on Telegram (J2)', {
  skip,
}, async (t) => {
  const house = await openHouse(t, { config });
  await house.ready(...platforms);
  const { page, pane, say, messages } = await open(t, house);
  for (const platform of platforms) {
    await say(platform, 'Where is the spare key?');
    const asked = messages(platform, 'bot').filter({ hasText: 'May I use the tool' });
    const no = asked.getByRole('button', { name: 'no', exact: true });
    await no.waitFor();
    const settled = asked.filter({ hasText: 'not allowed' });
    // the second press is there when the first is taken, also on a busy machine: after that the buttons are removed
    const server = house.sandbox[platform];
    const press = server.pressButton.bind(server);
    const presses: Parameters<typeof press>[] = [];
    t.mock.method(server, 'pressButton', (...each: Parameters<typeof press>) => {
      presses.push(each);
      if (presses.length === 2) for (const one of presses) press(...one);
    });
    // twice, as an impatient thumb does
    await page.evaluate(
      `for (const n of [1, 2]) document.querySelectorAll('.pane.${platform} .buttons button')[1].click()`,
    );
    await settled.waitFor();
    const words = /This is over: |no longer know what this was about/;
    if (platform === 'telegram') await pane(platform).getByRole('alert').getByText(words).waitFor();
    else {
      const whisper = messages(platform, 'bot').filter({ hasText: words });
      await whisper.getByText('Only you can see this.').waitFor();
      assert.equal(await whisper.getByRole('button').count(), 0, 'it cannot be answered');
    }
    assert.equal(house.sandbox[platform].whispers('guest').length, 0);
  }
});

test('an impossible press is refused: the button is gone, or the body is wrong', async (t) => {
  const house = await openHouse(t);
  const post = (body: object) =>
    fetch(`${house.parley.url}/sandbox/telegram/press`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${house.sandbox.key}` },
      body: JSON.stringify(body),
    });
  const { id } = await house.sandbox.telegram.say({ chat: 'dm', user: 'you', text: 'Hello' });
  const none = await post({ id, user: 'you', at: 0 });
  assert.equal(none.status, 400);
  assert.match(await none.text(), /has no button 0/);
  assert.match(await (await post({ id, user: 'you', at: -1 })).text(), /at/);
});
