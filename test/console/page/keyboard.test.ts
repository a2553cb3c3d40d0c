// The console without a pointer: Tab reaches every control and shows where it is, and dialogs give the focus back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { clientOf, scriptedHouse, signedIn, skip } from './browser.ts';

const paths = [
  ...[
    'now',
    'conversations/SES',
    'memory/entries',
    'memory/import',
    'memory/journal',
    'memory/forget',
    'people',
    'work',
  ],
  ...['agents', 'agents/webhooks', 'settings', 'settings/sign-ins', 'settings/tokens', 'settings/backup'],
];

test('Tab reaches every control of a page, each with a visible focus, and the first leads past the navigation (W8)', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const client = clientOf(house);
  const { id } = await client.sessions.create({ title: 'Over HTTP' });
  await client.sessions.promptSync(id, 'Hello.');
  await client.memory.put('The door code is blue.');
  const { page } = await signedIn(t, house);
  for (const path of paths) {
    await page.goto(`${house.parley.url}/console/${path.replace('SES', id)}`);
    await page.locator('#page h1').waitFor({ state: 'attached' });
    await page.locator('main .loading').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    assert.equal((await focused(page)).name, 'Skip to the page', path);
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'page', path);
    const wanted = (await page
      .locator('#page')
      .locator('button, summary, a[href], select, input, textarea')
      .evaluateAll((elements) =>
        elements
          .filter((element) => element.checkVisibility() && !element.hasAttribute('disabled'))
          .map((_, index) => index),
      )) as number[];
    let reached = 0;
    for (let stop = 0; stop < 300; stop += 1) {
      await page.keyboard.press('Tab');
      const { name, inPage, isControl, isShown } = await focused(page);
      if (!inPage) break;
      assert.ok(isShown, `the focus on “${name}” of ${path} is not visible`);
      if (isControl) reached += 1;
    }
    assert.equal(reached, wanted.length, path);
  }
});

test('a dialog takes the focus, closes with Escape, and gives the focus back (W8)', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  await clientOf(house).memory.put('The door code is blue.');
  const { page, visit } = await signedIn(t, house);
  await visit('memory/entries', 'Memory');
  const button = page.getByRole('button', { name: 'Forget this entry' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  assert.equal(await page.evaluate('document.activeElement.closest("dialog") !== null'), true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal((await focused(page)).name, 'Forget this entry');
  assert.equal((await clientOf(house).memory.list()).count, 1);
});

interface Focused {
  name: string;
  inPage: boolean;
  isControl: boolean;
  isShown: boolean;
}

async function focused(page: Page): Promise<Focused> {
  return (await page.evaluate(`(() => {
    const element = document.activeElement;
    const style = getComputedStyle(element);
    return {
      name: (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 80),
      inPage: element.closest('#page') !== null && element.id !== 'page',
      isControl: element.matches('button, summary, a[href], select, input, textarea'),
      isShown: style.outlineStyle !== 'none' || style.boxShadow !== 'none',
    };
  })()`)) as Focused; // its shape is above
}
