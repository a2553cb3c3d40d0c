// Every page in every state that all pages share: axe finds nothing serious in any, and none is wider than the screen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from 'playwright-core';
import { clientOf, narrow, pages, scriptedHouse, signedIn, skip, wide } from './browser.ts';

/** What 200 % zoom makes of the wide window. */
const zoomed = { width: wide.width / 2, height: wide.height / 2 };
const longName = `<b>${'long '.repeat(1_000)}</b>${'x'.repeat(1_000)}`;

interface State {
  name: string;
  role?: 'viewer';
  /** Nobody has written yet. */
  isEmpty?: true;
  /** What pages then have, and how many of them at least. */
  shows: string;
  least: number;
  /** How each request to the API is answered; by the API itself when absent. */
  answer?: (route: Route) => Promise<void>;
}

const states: readonly State[] = [
  { name: 'empty', isEmpty: true, shows: '.empty', least: 12 },
  { name: 'loading', shows: '.loading', least: 15, answer: () => Promise.resolve() },
  {
    name: 'failed',
    shows: '.failure',
    least: 15,
    answer: (route) => route.fulfill({ status: 500, json: { error: 'The disk is full.', code: 'X' } }),
  },
  { name: 'unreachable', shows: '.failure', least: 15, answer: (route) => route.abort() },
  { name: 'a viewer', role: 'viewer', shows: '.side:has-text("viewer")', least: 20 },
  {
    name: 'a long name',
    shows: ':text("<b>long long")',
    least: 4,
    async answer(route) {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('LONGNAME', longName) });
    },
  },
];

for (const { name, role = 'owner', isEmpty, shows, least, answer } of states)
  test(`axe finds nothing serious on any page, ${name}, at 200 % in light and 390 px wide in dark (W8)`, {
    skip,
  }, async (t) => {
    const house = await scriptedHouse(t, 'LONGNAME is **called** `Tern`.');
    const client = clientOf(house);
    if (isEmpty !== true) {
      await house.ask({ platform: 'telegram', chat: 'room', user: 'you' }, 'What is LONGNAME?');
      await client.memory.put('LONGNAME is the boat.');
    }
    const [session] = await client.sessions.list();
    const [run] = await client.runs.list();
    const { page, accessible, complaints } = await signedIn(t, house, { role });
    const isAPI = ({ pathname }: URL): boolean => !/^\/(console|event|sign-in)/.test(pathname);
    if (answer !== undefined) await page.route(isAPI, answer);
    const wrong: string[] = [];
    let shown = 0;
    for (const [path] of pages) {
      const real = path.replace('SES', session?.id ?? 'ses_none').replace('RUN', run?.runID ?? 'run_none');
      await page.goto(`${house.parley.url}/console/${real}`);
      await page.locator('#page h1, #page .failure, #page .empty').first().waitFor({ state: 'attached' });
      const loading = page.locator('#page .loading').first();
      if (name !== 'loading') await loading.waitFor({ state: 'detached' });
      if ((await page.locator(shows).count()) > 0) shown += 1;
      for (const [viewport, colorScheme] of [
        [zoomed, 'light'],
        [narrow, 'dark'],
      ] as const) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        const at = `${path}, ${viewport.width} px, ${colorScheme}`;
        await accessible().catch((error) => wrong.push(`${at}: ${error.message}`));
        const past = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
        if (past > 0) wrong.push(`${at}: ${past} px too wide`);
      }
    }
    await page.keyboard.press('Control+k');
    await page
      .getByRole('combobox', { name: 'A page, a conversation, a #room, a setting or a command' })
      .waitFor();
    await accessible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    assert.deepEqual(wrong, []);
    assert.ok(shown >= least, `${shown} pages are ${name}`);
    assert.ok(complaints.splice(0).every((line) => /40[034]|500|ERR_FAILED/.test(line)));
  });
