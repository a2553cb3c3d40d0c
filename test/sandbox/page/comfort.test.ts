// What makes the page easy on its reader: it stays at the end, says who answers, has few stops and large targets, and is dark in the dark.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { narrow, open, platforms, readyHouse, skip, wide } from './browser.ts';

/** Resolves once the pane is at its end; the page's policy forbids Playwright's own way to wait for that. */
async function ends(page: Page, platform: string): Promise<void> {
  const panel = `document.querySelector('.${platform} .panel')`;
  const rest = `${panel}.scrollHeight - ${panel}.scrollTop - ${panel}.clientHeight`;
  for (let tries = 0; (await page.evaluate<number>(rest)) >= 2; tries += 1) {
    assert.ok(tries < 100, `${platform} is ${await page.evaluate<number>(rest)} px from its end`);
    await page.waitForTimeout(50);
  }
}

test('a pane that was at its end stays there: when pictures come, the window changes, the composer grows, and on a narrow screen', {
  skip,
}, async (t) => {
  const house = await readyHouse(t);
  const { page, input, messages, choose } = await open(t, house);
  const files = [
    {
      name: 'tall.png',
      mime: 'image/png',
      bytes: readFileSync(join(import.meta.dirname, '../../../docs/sandbox.png')),
    },
  ];
  for (const platform of platforms) {
    for (let n = 1; n <= 12; n += 1)
      await house.sandbox[platform].say({ chat: 'dm', user: 'you', text: `line ${n}` });
    await house.sandbox[platform].say({ chat: 'dm', user: 'you', text: 'a picture', files });
    await messages(platform, 'you').getByRole('img').waitFor();
    await ends(page, platform);
  }
  await page.setViewportSize({ width: 1200, height: 500 });
  for (const platform of platforms) await ends(page, platform);
  await input('slack').fill('many\nlines\n'.repeat(20));
  await ends(page, 'slack');
  await page.setViewportSize(narrow);
  for (const platform of platforms) {
    await choose(platform);
    await ends(page, platform);
  }
});

test('the page says which model answers, and as whom one speaks', { skip }, async (t) => {
  const { page } = await open(t, await readyHouse(t));
  await page.getByText('You are Robin, the owner. Answered by the built-in offline model.').waitFor();
  const scripted = await open(t, await readyHouse(t, 'The tide comes in.'));
  await scripted.page.getByText('Answered by openai-compatible/any.').waitFor();
});

/** What Tab stops at, from the top of the page until it comes round. */
async function stops(page: Page): Promise<string[]> {
  await page.evaluate('document.activeElement?.blur()');
  const found: string[] = [];
  for (let n = 0; n < 60; n += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate<string>(
      `document.activeElement === document.body ? '' : (document.activeElement.ariaLabel ?? document.activeElement.textContent).slice(0, 40)`,
    );
    if (at === '' || (found.length > 0 && at === found[0])) return found;
    found.push(at);
  }
  return found;
}

test('Tab has at most twenty stops, however much was written; arrow keys go along the messages and Enter replies', {
  skip,
}, async (t) => {
  const house = await readyHouse(t, 'See [the plan](https://example.com/):\n\n```ts\nconst a = 1;\n```');
  const { page, pane, input, messages } = await open(t, house);
  for (const platform of platforms) {
    for (const text of ['one', 'two', 'three']) await house.ask({ platform, chat: 'dm', user: 'you' }, text);
    await messages(platform, 'bot').nth(2).waitFor();
  }
  const found = await stops(page);
  assert.ok(found.length <= 20, found.join(' | '));
  const focused = (): Promise<string> =>
    page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');
  await messages('slack').last().focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), 'the plan');
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), 'Code ts');
  await page.keyboard.press('Escape');
  assert.match(await focused(), /See the plan/);
  await messages('discord').last().focus();
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'Home', 'ArrowDown'])
    await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  await pane('discord')
    .locator('.replying')
    .getByText(/^Parley: See the plan/)
    .waitFor();
  assert.equal(await input('discord').evaluate((at) => at === at.ownerDocument.activeElement), true);
});

/** Buttons, links and fields that are smaller than so many pixels, as words. */
const smaller = (
  least: number,
): string => `[...document.querySelectorAll('button, .file, textarea, label')].flatMap((one) => {
  const { width, height } = one.getBoundingClientRect();
  if (width === 0 || (width >= ${least} && height >= ${least})) return [];
  return [(one.ariaLabel ?? one.textContent).slice(0, 30) + ': ' + width + ' x ' + height];
})`;

for (const [name, viewport, least] of [
  ['a narrow screen is 44 px or more', narrow, 44],
  ['a wide one is 24 px or more', wide, 24],
] as const)
  test(`whatever can be pressed changes something, and pressed again changes it back, ${name}`, {
    skip,
  }, async (t) => {
    const house = await readyHouse(t);
    const { page, pane, tab, messages, choose } = await open(t, house, viewport);
    for (const platform of platforms) {
      if (viewport === narrow) await choose(platform);
      await tab(platform, 'Room').click();
      await house.ask({ platform, chat: 'room', user: 'you' }, 'My boat is called Tern.');
      await messages(platform, 'bot').first().waitFor();
      await pane(platform)
        .locator('.picker')
        .setInputFiles([{ name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('b') }]);
      assert.deepEqual(await page.evaluate(smaller(least)), [], platform);
    }
  });

test('in the dark every pane and the page are dark, with readable text', { skip }, async (t) => {
  const house = await readyHouse(t);
  const { page, messages } = await open(t, house);
  for (const platform of platforms) {
    await house.ask({ platform, chat: 'dm', user: 'you' }, 'My boat is called Tern.');
    await messages(platform, 'bot').first().waitFor();
  }
  const dark = `(() => {
    const light = (color) => {
      const [r, g, b] = color.match(/[\\d.]+/g).map((each) => Number(each) / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (one) => {
      for (let at = one; at !== null; at = at.parentElement) {
        const { backgroundColor, backgroundImage } = getComputedStyle(at);
        const first = /rgba?\\([^)]*\\)/.exec(backgroundImage)?.[0];
        if (first !== undefined) return first;
        if (!/, 0\\)$|transparent/.test(backgroundColor)) return backgroundColor;
      }
      return 'rgb(255, 255, 255)';
    };
    return [...document.querySelectorAll('h1, .answers, .bar h2, .tabs button, .body p, time, .composer, .hint')].flatMap((one) => {
      const behind = light(ground(one));
      const words = light(getComputedStyle(one).color);
      const contrast = (Math.max(behind, words) + 0.05) / (Math.min(behind, words) + 0.05);
      const where = (one.closest('.pane')?.ariaLabel ?? 'page') + ' ' + one.tagName + '.' + one.className;
      return [...(behind > 0.2 ? [where + ' is light'] : []), ...(one.textContent.trim() !== '' && contrast < 4.5 ? [where + ' has contrast ' + contrast.toFixed(2)] : [])];
    });
  })()`;
  await page.emulateMedia({ colorScheme: 'light' });
  assert.notDeepEqual(await page.evaluate(dark), []);
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.deepEqual(await page.evaluate(dark), []);
});
