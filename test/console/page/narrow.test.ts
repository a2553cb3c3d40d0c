// Every page at 320 px, and at 200 % zoom: nothing is wider than the screen, and no control of the wide page is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { clientOf, pages, scriptedHouse, signedIn, skip, wide } from './browser.ts';

/** A window of 1280 × 800 at 200 % has this many CSS pixels. */
const zoomed = { width: 640, height: 400 };
const smallest = { width: 320, height: 568 };

test('at 320 px and at 200 % zoom no page is wider than the screen, and each control of the wide page can be reached (W8)', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'The boat is **called** `Tern`.');
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'What is the boat called?');
  await clientOf(house).memory.put('The door code is blue.');
  const [[session], [run]] = await Promise.all([
    clientOf(house).sessions.list(),
    clientOf(house).runs.list(),
  ]);
  const { page } = await signedIn(t, house);
  let controls = 0;
  for (const [path] of pages) {
    const real = path.replace('SES', session?.id ?? '').replace('RUN', run?.runID ?? '');
    await page.setViewportSize(wide);
    await page.goto(`${house.parley.url}/console/${real}`);
    await page.locator('#page h1').waitFor({ state: 'attached' });
    await page.locator('main .loading').first().waitFor({ state: 'detached' });
    // on a narrow screen a conversation covers the list that it was chosen from, which has its own page
    const part = path.endsWith('/SES') ? '.split-page' : '#page';
    const names = await reachable(page, part);
    controls += names.length;
    for (const size of [zoomed, smallest]) {
      await page.setViewportSize(size);
      assert.equal(
        await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        0,
        `${path} is wider than ${size.width} px`,
      );
      const now = await reachable(page, part);
      const lost = names.filter((name) => !now.includes(name));
      assert.deepEqual(lost, [], `lost on ${path} at ${size.width} px`);
    }
  }
  assert.ok(controls > 150, `${controls} controls were looked at`);
});

test('at 390, 900 and 1,400 px each list of choices has room for the words of the one that is chosen', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'The boat is called Tern.');
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'What is the boat called?');
  const [[session], [run]] = await Promise.all([
    clientOf(house).sessions.list(),
    clientOf(house).runs.list(),
  ]);
  const { page } = await signedIn(t, house);
  const cut = new Set<string>();
  let choices = 0;
  for (const [path] of pages) {
    const real = path.replace('SES', session?.id ?? '').replace('RUN', run?.runID ?? '');
    await page.goto(`${house.parley.url}/console/${real}`);
    await page.locator('#page h1').waitFor({ state: 'attached' });
    await page.locator('main .loading').first().waitFor({ state: 'detached' });
    for (const width of [390, 900, 1400]) {
      await page.setViewportSize({ width, height: 850 });
      // as text: the tests have no types of a browser. A list that is open without end has a bound of its own.
      const shown: { words: string; lacks: number }[] = await page.evaluate(`(() => {
        const pen = document.createElement('canvas').getContext('2d');
        return [...document.querySelectorAll('#page select')].filter((each) => each.checkVisibility()).map((each) => {
          const style = getComputedStyle(each);
          pen.font = style.font;
          const words = each.selectedOptions[0]?.textContent ?? '';
          const arrow = 16;
          const room = each.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
          const most = each.parentElement.clientWidth >= 20 * 16 - 1;
          return { words, lacks: most ? 0 : Math.round(pen.measureText(words).width - room) };
        });
      })()`);
      choices += shown.length;
      for (const { words, lacks } of shown)
        if (lacks > 0) cut.add(`${path} at ${width}: ${words} (${lacks})`);
    }
  }
  assert.deepEqual([...cut], []);
  assert.ok(choices > 30, `${choices} lists were looked at`);
});

test('on a phone a sign-in has its name and its marks in one line, and when it was seen in one below', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'The boat is called Tern.');
  const { page, visit } = await signedIn(t, house, { viewport: { width: 390, height: 844 } });
  await visit('settings/sign-ins', 'Settings');
  const row = page.locator('.sign-in-row');
  const [name, mark, end, seen] = await Promise.all(
    [
      row.locator('b'),
      row.getByText('this browser'),
      row.getByRole('button'),
      row.getByText(/^seen .* until /),
    ].map(async (part) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }),
  );
  assert.ok(name !== undefined && mark !== undefined && end !== undefined && seen !== undefined);
  assert.ok(
    Math.abs(name.y + name.height / 2 - (mark.y + mark.height / 2)) < 4,
    'the mark is in the line of the name',
  );
  assert.ok(seen.y >= end.y + end.height - 1, 'when it was seen is below');
  assert.ok(seen.height < 24, 'when it was seen is one line');
});

/** The names of the controls of the page that can be brought in sight and are not covered there. */
async function reachable(page: Page, part: string): Promise<string[]> {
  return page
    .locator(part)
    .locator('button, summary, a[href], select, input, textarea')
    .evaluateAll((elements) =>
      elements.flatMap((element) => {
        if (!element.checkVisibility()) return [];
        element.scrollIntoView({ block: 'center', inline: 'center' });
        const { left, top, width, height } = element.getBoundingClientRect();
        const at = element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
        if (at === null || !(element.contains(at) || at.contains(element))) return [];
        const { labels = null } = element as unknown as { labels?: { textContent: string }[] | null }; // of a field
        const name =
          element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element.textContent ?? '';
        return [name.replace(/\s+/g, ' ').trim()];
      }),
    );
}
