// A newcomer at the page: says something on each platform, sees it being answered, and sees it remembered.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { names, open, platforms, readyHouse, skip } from './browser.ts';

interface Frame {
  typing: boolean;
  draft: boolean;
  edited: boolean;
  /** Characters in all that the bot has written. */
  length: number;
}

/** Runs in the page: notes every look that a pane takes from this moment. */
const filming = `(pane) => {
  const frames = [];
  const look = () => {
    const bodies = [...pane.querySelectorAll('.message.bot .body')];
    frames.push({
      typing: pane.querySelector('.typing:not([hidden])') !== null,
      draft: pane.querySelector('.message.draft') !== null,
      edited: pane.querySelector('.message.bot .edited') !== null,
      length: bodies.map((body) => body.textContent).join('').length,
    });
  };
  new MutationObserver(look).observe(pane, { subtree: true, childList: true, attributes: true });
  return frames;
}`;

async function film(page: Page, platform: SandboxPlatform): Promise<() => Promise<Frame[]>> {
  const pane = `document.querySelector('.pane.${platform}')`;
  const frames = await page.evaluateHandle<Frame[]>(`(${filming})(${pane})`);
  return () => frames.jsonValue();
}

// Each has its own house and page; most of the time they wait for an answer to grow.
describe('a newcomer at the page', { concurrency: 2 }, () => {
  test('three panes, each with its chats as tabs, its direct message open and nothing said', {
    skip,
  }, async (t) => {
    const { page, pane, tab, messages } = await open(t, await readyHouse(t));
    assert.equal(await page.locator('.pane').count(), 3);
    for (const platform of platforms) {
      assert.equal(await pane(platform).getByRole('heading').textContent(), names[platform]);
      assert.equal(await tab(platform, 'Direct message').getAttribute('aria-selected'), 'true');
      assert.equal(await messages(platform).count(), 0);
      for (const [chat, words] of [
        ['Private room', 'What is written here stays here.'],
        ['Room', 'A room that everyone may read.'],
        ['Direct message', 'Only you and Parley are here.'],
      ] as const) {
        await tab(platform, chat).click();
        await pane(platform).getByText(words).waitFor();
      }
    }
  });

  /** Where each platform shows that the bot is at work: Slack does in threads only, and rooms are answered in threads. */
  const stages = [
    { platform: 'discord', tabName: 'Direct message', chat: 'dm', live: 'edited' },
    { platform: 'telegram', tabName: 'Direct message', chat: 'dm', live: 'draft' },
    { platform: 'slack', tabName: 'Room', chat: 'room', live: 'stream' },
  ] as const;

  /** Takes 5 s to say, with the pause after each piece: each platform shows a step of it every second. */
  const slowAnswer = `${'The tide comes in, and the tide goes out again. '.repeat(40)}That is all there is to it.`;

  test("the bot is seen typing, its answer grows before one's eyes, and then stands whole", {
    skip,
  }, async (t) => {
    const house = await readyHouse(t, slowAnswer, { betweenPiecesMs: 100 });
    const { page, say, tab, messages } = await open(t, house);
    for (const { platform, tabName } of stages) await tab(platform, tabName).click();
    const films = await Promise.all(stages.map(({ platform }) => film(page, platform)));
    for (const { platform } of stages) await say(platform, 'How are the tides?');
    for (const [at, { platform, chat, live }] of stages.entries()) {
      await messages(platform, 'bot').getByText('That is all there is to it.').waitFor();
      await page.locator(`.pane.${platform} .typing[hidden]`).waitFor({ state: 'attached' });
      const seen = (await films[at]?.()) ?? [];
      assert.ok(
        seen.some(({ typing }) => typing),
        `${platform}: typing was seen`,
      );
      const lengths = [0, ...seen.map(({ length }) => length)];
      const growing = lengths.filter((length, index) => length > (lengths[index - 1] ?? 0));
      assert.ok(growing.length >= 3, `${platform}: the answer grew in steps: ${growing}`);
      if (live !== 'stream')
        assert.ok(
          seen.some((frame) => frame[live]),
          `${platform}: ${live} was seen`,
        );
      const whole = house.answers({ platform, chat, user: 'you' });
      assert.equal(await messages(platform, 'bot').count(), whole.length);
    }
    assert.equal(await page.locator('.message.draft').count(), 0);
  });

  test('what is written in one pane is recalled in the others: the two suggestions, and one more', {
    skip,
  }, async (t) => {
    const { page, say, input, messages } = await open(t, await readyHouse(t));
    await input('discord').fill('half a thought');
    await page.getByRole('button', { name: 'My boat is called Tern.' }).click();
    await messages('discord', 'you').getByText('My boat is called Tern.').waitFor();
    assert.equal(await input('discord').inputValue(), 'half a thought');
    await messages('discord', 'bot').getByText('I will remember that').waitFor();
    await page.getByRole('button', { name: 'What is my boat called?' }).click();
    const quote = messages('telegram', 'bot').locator('blockquote', { hasText: 'My boat is called Tern.' });
    await quote.waitFor();
    await say('slack', 'What is my boat called?');
    await messages('slack', 'bot').locator('blockquote', { hasText: 'My boat is called Tern.' }).waitFor();
  });

  test('in a room the bot answers when it is mentioned or replied to, and only then', { skip }, async (t) => {
    const { pane, tab, say, messages } = await open(t, await readyHouse(t));
    const inRoom = async (platform: SandboxPlatform): Promise<void> => {
      const box = pane(platform).getByRole('checkbox', { name: /Mention Parley/ });
      await tab(platform, 'Room').click();
      assert.equal(await box.isChecked(), true);
      await box.uncheck();
      await say(platform, 'The kettle is broken.');
      await messages(platform, 'you').getByText('The kettle is broken.').waitFor();
      await box.check();
      await say(platform, 'The harbour is closed.');
      await messages(platform, 'you').locator('.mention').waitFor();
      // The unmentioned line came first: an answer to it would stand before this one.
      await messages(platform, 'bot').getByText('I will remember that').waitFor();
      assert.equal(await messages(platform, 'bot').count(), 1);

      await box.uncheck();
      const answer = messages(platform, 'bot').first();
      await answer.hover();
      await answer.getByRole('button', { name: /^Reply to Parley: Noted/ }).click();
      await pane(platform).locator('.replying').getByText('Parley: Noted').waitFor();
      await say(platform, 'What is closed?');
      await messages(platform, 'bot').getByText('The harbour is closed.').waitFor();
      assert.equal(await pane(platform).locator('.replying').isHidden(), true);
      const quoted = await messages(platform, 'you').last().locator('.quoted').textContent();
      // A reply on Slack is a thread, and a thread belongs to the message that opened it.
      assert.match(quoted ?? '', platform === 'slack' ? /harbour is closed/ : /^Parley: Noted/);
    };
    for (const platform of platforms) await inRoom(platform);
  });

  test('a tab is marked while it has something unread, in words too, and only in its own pane', {
    skip,
  }, async (t) => {
    const house = await readyHouse(t);
    const { pane, tab, messages } = await open(t, house);
    await house.ask({ platform: 'slack', chat: 'room', user: 'guest' }, 'The release is called Heron.');
    const room = pane('slack').getByRole('tab', { name: /^Room/ });
    await pane('slack').locator('.unread').waitFor();
    assert.equal(await room.ariaSnapshot(), '- tab "Room (unread)"');
    await room.click();
    await messages('slack', 'guest').getByText('Heron').waitFor();
    assert.equal(await pane('slack').locator('.unread').count(), 0);
    for (const platform of platforms) assert.equal(await pane(platform).locator('.unread').count(), 0);
    await tab('slack', 'Direct message').click();
    assert.equal(await pane('slack').locator('.unread').count(), 0);
  });

  test('an edit is shown as one, and what was deleted is gone', { skip }, async (t) => {
    const house = await readyHouse(t);
    const { messages } = await open(t, house);
    for (const platform of platforms) {
      const { id } = await house.sandbox[platform].say({ chat: 'dm', user: 'you', text: 'My bike is red.' });
      await messages(platform, 'you').getByText('My bike is red.').waitFor();
      await messages(platform, 'bot').getByText('remember').waitFor();
      await house.sandbox[platform].editMessage(id, 'My bike is green.');
      const edited = messages(platform, 'you').filter({ hasText: 'My bike is green.' });
      await edited.locator('.edited').waitFor();
      await house.sandbox[platform].deleteMessage(id);
      await edited.waitFor({ state: 'detached' });
    }
  });

  test('a pane follows what is written, unless one has scrolled up to read', { skip }, async (t) => {
    const house = await readyHouse(t);
    const { page, messages, say } = await open(t, house);
    const { discord } = house.sandbox;
    const panel = `document.querySelector('.discord .panel')`;
    const atEnd = `${panel}.scrollHeight - ${panel}.scrollTop - ${panel}.clientHeight < 2`;
    for (let n = 1; n <= 40; n += 1) await discord.say({ chat: 'dm', user: 'you', text: `hello ${n}` });
    await messages('discord', 'you').getByText('hello 40').waitFor();
    await messages('discord', 'bot').first().waitFor();
    await page.waitForFunction(atEnd);
    assert.notEqual(await page.evaluate(`${panel}.scrollTop`), 0);
    await page.evaluate(`${panel}.scrollTo(0, 0)`);
    await discord.say({ chat: 'dm', user: 'you', text: 'the newest' });
    await messages('discord', 'you').getByText('the newest').waitFor();
    assert.equal(await page.evaluate(`${panel}.scrollTop`), 0);
    await say('discord', 'my own');
    await messages('discord', 'you').getByText('my own').waitFor();
    await page.waitForFunction(atEnd);
  });
});
