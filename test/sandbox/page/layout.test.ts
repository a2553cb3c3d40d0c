// The page's layout on a laptop and on a phone: everything stays inside its own place, whatever an answer holds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { png } from '../../adapters/uploads/samples.ts';
import { narrow, open, platforms, readyHouse, skip, wide } from './browser.ts';

const hebrew = 'הספרייה הקטנה פתוחה ביום חמישי בשעה עשר, והגרסה נקראת Heron.';
const answer = `## Heron, the release of ${'W'.repeat(80)}

Everything is **ready** but the *printer*: [the plan](https://example.com/${'a/'.repeat(90)}), \`${'code'.repeat(40)}\`.

> ${'quoted'.repeat(40)}

1. One
   - ${'nested'.repeat(30)}

| room | seats | ${'free'.repeat(20)} |
|---|---:|---|
| Small library | 8 | Thursday |

\`\`\`ts
const line = '${'long '.repeat(60)}';
\`\`\`

${hebrew}

- שלום עולם

${'Donaudampfschifffahrt'.repeat(12)}

the end`;

/** What reaches beyond its place, as words; code scrolls inside of its own block. */
const overflowing = `(() => {
  const wrong = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) wrong.push('the page is ' + root.scrollWidth + ' wide');
  for (const panel of document.querySelectorAll('.panel')) {
    const name = panel.ariaLabel;
    if (panel.scrollWidth > panel.clientWidth) wrong.push(name + ' scrolls sideways');
    const { left, right } = panel.getBoundingClientRect();
    for (const one of panel.querySelectorAll('.message, .message *:not(pre *)')) {
      const box = one.getBoundingClientRect();
      if (box.width > 0 && (box.left < left - 0.5 || box.right > right + 0.5))
        wrong.push(name + ': ' + one.tagName + '.' + one.className + ' sticks out');
    }
  }
  for (const part of document.querySelectorAll('.bar, .tabs, .composer, .field, .top, .tries')) {
    const box = part.getBoundingClientRect();
    if (box.right > root.clientWidth + 0.5 || part.scrollWidth > part.clientWidth + 1)
      wrong.push(part.className + ' is too wide');
  }
  return wrong;
})()`;

const clippedPanes = `[...document.querySelectorAll('.pane')].flatMap((pane) => {
  if (pane.offsetParent === null) return [];
  const outer = pane.getBoundingClientRect();
  return ['.bar', '.panel', '.composer', '.field'].filter((part) => {
    const inner = pane.querySelector(part).getBoundingClientRect();
    return inner.top < outer.top - 0.5 || inner.bottom > outer.bottom + 0.5 || inner.height < 20;
  });
})`;

async function fits(page: Page): Promise<void> {
  assert.deepEqual(await page.evaluate(overflowing), []);
  assert.deepEqual(await page.evaluate(clippedPanes), []);
}

for (const [name, viewport] of [
  ['a laptop', wide],
  ['a phone', narrow],
] as const) {
  test(`on ${name} nothing sticks out: long words, code, tables, lists, links, quotes, text from right to left`, {
    skip,
  }, async (t) => {
    const house = await readyHouse(t, answer, {
      artifact: { name: `${'w'.repeat(100)}.csv`, media_type: 'text/csv', content: '1' },
    });
    const { page, pane, say, tab, messages, choose } = await open(t, house, viewport);
    const bring = async (platform: SandboxPlatform): Promise<void> => {
      if (viewport === narrow) await choose(platform);
    };
    await fits(page);
    for (const platform of platforms) {
      await bring(platform);
      await say(platform, `${'Unbroken'.repeat(40)}\n${hebrew}`);
      await messages(platform, 'bot').getByRole('link', { name: /\.csv/ }).waitFor();
      await messages(platform, 'bot').getByText('the end').waitFor();
      const line = messages(platform, 'bot').getByText(hebrew).last();
      assert.equal(
        await line.evaluate((at) => at.ownerDocument.defaultView?.getComputedStyle(at).direction),
        'rtl',
      );
      await fits(page);
    }
    await fits(page);
    for (const platform of platforms) {
      await bring(platform);
      await tab(platform, 'Room').click();
      await say(platform, hebrew);
      await messages(platform, 'bot').getByText('the end').waitFor();
      await messages(platform, 'bot')
        .last()
        .getByRole('button', { name: /^Reply/ })
        .press('Enter');
      await pane(platform).locator('.replying').waitFor();
      await pane(platform).getByRole('textbox').fill('many\nlines\n'.repeat(30));
      await pane(platform)
        .locator('.picker')
        .setInputFiles([
          { name: `${'v'.repeat(200)}.png`, mimeType: 'image/png', buffer: png() },
          { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('b') },
        ]);
      await fits(page);
    }
    await fits(page);
  });
}

test('the page itself does not scroll; below 1,100 px one pane fills it, and the others are a press away', {
  skip,
}, async (t) => {
  const house = await readyHouse(t);
  const { page, pane, choose } = await open(t, house);
  const heights = '[document.documentElement.scrollHeight, document.documentElement.clientHeight]';
  assert.deepEqual(await page.evaluate(heights), [wide.height, wide.height]);
  const tops = async (): Promise<number[]> => {
    const boxes = await Promise.all(platforms.map((platform) => pane(platform).boundingBox()));
    return boxes.map((box) => box?.y ?? Number.NaN);
  };
  assert.equal(new Set(await tops()).size, 1);
  for (const width of [1099, 900, narrow.width]) {
    await page.setViewportSize({ width, height: 844 });
    for (const platform of platforms) {
      await choose(platform);
      for (const each of platforms) assert.equal(await pane(each).isVisible(), each === platform);
      const box = await pane(platform).boundingBox();
      assert.ok(box !== null && box.height > 560 && box.width > width - 30, JSON.stringify(box));
    }
    assert.deepEqual(await page.evaluate(heights), [844, 844]);
  }
  await house.ask({ platform: 'discord', chat: 'room', user: 'guest' }, 'The release is called Heron.');
  const discord = page.locator('.switch').getByRole('button', { name: /^Discord/ });
  await page.locator('.switch .unread').waitFor();
  assert.equal(await discord.ariaSnapshot(), '- button "Discord (unread)"');
});

/** The contrast of the selected platform to its row, as WCAG 2 counts it. */
const contrastOfSelected = `(() => {
  const rgb = (element) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    for (const at of [document.documentElement, document.body, element.parentElement, element]) {
      canvas.fillStyle = getComputedStyle(at).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (element) => {
    const [r, g, b] = rgb(element).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const one = light(document.querySelector('.switch [aria-pressed="true"]'));
  const other = light(document.querySelector('.switch [aria-pressed="false"]'));
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
})()`;

test('a phone keeps the hints, and in the dark the selected platform stands out', { skip }, async (t) => {
  const house = await readyHouse(t);
  const { page, choose } = await open(t, house, narrow);
  for (const hint of ['Tell it in Discord:', 'Ask it in Telegram:', 'One bot, three chats, one memory'])
    await page.getByText(hint).waitFor({ state: 'visible' });
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const platform of platforms) {
    await choose(platform);
    const contrast = await page.evaluate<number>(contrastOfSelected);
    assert.ok(contrast >= 3, `${platform}: ${contrast}`); // WCAG 2.2, 1.4.11
  }
});
