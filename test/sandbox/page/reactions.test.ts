// Reactions on the page: given from a message of the bot's, by mouse or by keyboard, seen as one's own, and taken back.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { createClient } from '#engine/client/client.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { found } from '../../support/found.ts';
import { narrow, open, platforms, readyHouse, skip } from './browser.ts';

/** What each platform's people are offered, in order. */
const offered: Readonly<Record<SandboxPlatform, string[]>> = {
  discord: ['Thumbs up', 'Thumbs down', 'Repeat', 'Cross', 'Stop'],
  telegram: ['Thumbs up', 'Thumbs down', 'Thinking', 'Pile of poo', 'Sleeping'],
  slack: ['Thumbs up', 'Thumbs down', 'Repeat', 'Cross', 'Stop'],
};

/** The button that opens the menu of a message. */
const reactTo = (message: Locator): Locator => message.getByRole('button', { name: /^React to Parley: / });

test('a thumb is given to an answer in each pane, is seen as one’s own, and is taken back by a press on it', {
  skip,
}, async (t) => {
  const house = await readyHouse(t, 'The tide comes in.');
  const { page, pane, say, messages } = await open(t, house);
  const token = readFileSync(house.parley.tokenFile ?? '', 'utf8').trim();
  const { runs } = createClient({ baseUrl: house.parley.url, token });
  const ratings = async () =>
    (await runs.list()).flatMap(({ feedback = [] }) => feedback.map(({ rating }) => rating));
  for (const [at, platform] of platforms.entries()) {
    await say(platform, 'When is high water?');
    const answer = messages(platform, 'bot').filter({ hasText: 'The tide comes in.' });
    await answer.waitFor();
    assert.equal(await reactTo(messages(platform, 'you')).count(), 0, 'only what the bot wrote');
    await answer.hover();
    await reactTo(answer).click();
    const menu = pane(platform).getByRole('menu', { name: 'Reactions' });
    const items = menu.getByRole('menuitemcheckbox');
    assert.deepEqual(
      await Promise.all((await items.all()).map((item) => item.getAttribute('aria-label'))),
      offered[platform],
    );
    await items.first().click();
    await menu.waitFor({ state: 'hidden' });
    const chip = answer.getByRole('button', { name: 'React with 👍', pressed: true });
    await chip.waitFor();
    await found('the rating', async () => ((await ratings()).length === at + 1 ? true : undefined));
    if (platform !== 'slack') continue;
    await chip.click();
    await chip.waitFor({ state: 'detached' });
    await found('no rating', async () => ((await ratings()).length === at ? true : undefined));
    assert.match(String(await page.evaluate('document.activeElement.textContent')), /The tide comes in/);
  }
  assert.deepEqual(await ratings(), ['good', 'good']);
});

test('by keyboard an answer is deleted with ❌, after which a message has the focus; Escape and Tab choose nothing', {
  skip,
}, async (t) => {
  const house = await readyHouse(t, 'The tide comes in.');
  const { page, pane, say, messages } = await open(t, house);
  const focused = (): Promise<string> =>
    page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');
  for (const platform of ['discord', 'slack'] as const) {
    await say(platform, 'When is high water?');
    const answer = messages(platform, 'bot').filter({ hasText: 'The tide comes in.' });
    await answer.waitFor();
    await found('the end of the run', () => (house.parley.gateway.lanes().active === 0 ? true : undefined));
    await answer.focus();
    await page.keyboard.press('ArrowRight');
    assert.match(await focused(), /^React to Parley: The tide/);
    const menu = pane(platform).getByRole('menu', { name: 'Reactions' });
    for (const key of ['Escape', 'Tab']) {
      await reactTo(answer).press('Enter');
      assert.equal(await focused(), 'Thumbs up');
      await page.keyboard.press(key);
      await menu.waitFor({ state: 'hidden' });
      if (key === 'Escape') assert.match(await focused(), /^React to Parley: The tide/);
    }
    await reactTo(answer).press('Enter');
    for (const [key, name] of [
      ['End', 'Stop'],
      ['ArrowRight', 'Thumbs up'],
      ['ArrowLeft', 'Stop'],
      ['ArrowUp', 'Cross'],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal(await focused(), name);
    }
    await page.keyboard.press('Enter');
    await answer.waitFor({ state: 'detached' });
    assert.match(await focused(), /When is high water\?/, platform);
  }
});

test('the menu is inside of the window at the end of a list and on a narrow screen, with room for fingers', {
  skip,
}, async (t) => {
  const house = await readyHouse(t);
  const { page, pane, messages, choose } = await open(t, house, narrow);
  for (const platform of platforms) {
    await choose(platform);
    for (const text of ['One.', 'Two.', 'Three.'])
      await house.ask({ platform, chat: 'dm', user: 'you' }, text);
    const answer = messages(platform, 'bot').last();
    await answer.waitFor();
    await reactTo(answer).press('Enter');
    const menu = pane(platform).getByRole('menu', { name: 'Reactions' });
    const { x, y, width, height } = (await menu.boundingBox()) ?? assert.fail('no menu');
    const box = { x, y, right: x + width, bottom: y + height };
    assert.ok(
      x >= 0 && y >= 0 && box.right <= narrow.width && box.bottom <= narrow.height,
      JSON.stringify(box),
    );
    for (const item of await menu.getByRole('menuitemcheckbox').all()) {
      const size = await item.boundingBox();
      assert.ok(size !== null && size.width >= 44 && size.height >= 44, JSON.stringify(size));
    }
    await page.keyboard.press('Escape');
  }
});

test('why a reaction was not taken is said in the pane, and the message stays as it was', {
  skip,
}, async (t) => {
  const house = await readyHouse(t, 'The tide comes in.');
  const { complaints, pane, say, messages } = await open(t, house);
  t.mock.method(house.sandbox.discord, 'react', () => {
    throw new Error('The platform is asleep.');
  });
  await say('discord', 'When is high water?');
  const answer = messages('discord', 'bot').filter({ hasText: 'The tide comes in.' });
  await reactTo(answer).press('Enter');
  await pane('discord').getByRole('menuitemcheckbox', { name: 'Thumbs down' }).click();
  await pane('discord').getByRole('alert').getByText('Not reacted. The platform is asleep.').waitFor();
  assert.equal(await answer.getByRole('button', { name: /^React with/ }).count(), 0);
  assert.deepEqual(
    complaints.splice(0).filter((line) => !line.includes('500 (Internal')),
    [],
  );
});
