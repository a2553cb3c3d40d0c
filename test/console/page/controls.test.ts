// Every control of every page is used once: something happens that a person sees, nothing fails, and the browser does not complain.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { House } from '../../app/house.ts';
import { found } from '../../support/found.ts';
import { clientOf, scriptedHouse, signedIn, skip } from './browser.ts';

/** They end what the test needs; test/console/page/settings.test.ts presses them. */
const ending = /^(Sign out|End the sign-in of)/;
/** It is outside of the screen until it has the focus; test/console/page/keyboard.test.ts presses it. */
const skipLink = 'Skip to the page';
/** What is no JSON is said below it, and stays in the tab: settings.test.ts writes there. */
const configText = 'Text of the config file';
const talk = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
/** The pages by their areas: one test each, so that each has the time of one. */
const areas = {
  talk: ['now', 'conversations', 'conversations/SES', 'conversations/API', 'runs', 'runs/RUN', 'people'],
  memory: [
    ...['memory', 'memory/entries', 'memory/files', 'memory/import', 'memory/journal', 'memory/dreams'],
    ...['memory/budgets', 'memory/audit', 'memory/forget'],
  ],
  work: [
    ...['work', 'work/decisions', 'work/lessons', 'work/recap'],
    ...['agents', 'agents/missions', 'agents/schedules', 'agents/webhooks'],
  ],
  settings: ['settings', 'settings/sign-ins', 'settings/tokens', 'settings/log', 'settings/backup'],
};
const controls = 'button, summary, a[href], select, input, textarea';

interface Control {
  tag: string;
  name: string;
  place: Locator;
}

const pressed: string[] = [];

for (const [area, paths] of Object.entries(areas))
  test(`every control of each page of ${area} does something that is seen, without an error`, {
    skip,
  }, async (t) => {
    await pressAll(t, paths);
  });

test('no control of the pages was left out', { skip }, () => {
  assert.ok(pressed.length > 150, `${pressed.length} controls:\n${pressed.join('\n')}`);
});

async function pressAll(t: TestContext, paths: readonly string[]): Promise<void> {
  const house = await scriptedHouse(
    t,
    'The boat is **called** `Tern`.',
    {},
    { memory: { dreaming: { enabled: true } } },
  );
  const ids = await fill(house);
  const { page, complaints, requests } = await signedIn(t, house);
  for (const path of paths) {
    const address = `${house.parley.url}/console/${path.replace(/[A-Z]+$/, (name) => ids[name] ?? '')}`;
    await open(page, address);
    // the frame of all pages is the same
    const scope = path === 'now' ? 'body' : '#page';
    const names = [
      ...new Map((await list(page, scope)).map((each) => [`${each.tag} ${each.name}`, each])).values(),
    ];
    for (const { tag, name } of names) {
      if (ending.test(name) || name === skipLink || name === configText) continue;
      const label = `${tag} “${name}” on ${path}`;
      await open(page, address);
      const named = async () =>
        (await list(page, scope)).find((each) => each.tag === tag && each.name === name);
      const control = await named();
      if (control === undefined) continue; // what was pressed before it has taken it away
      const before = { html: await looks(page), url: page.url(), requests: requests.length };
      const download = tag === 'a' && (await control.place.getAttribute('download')) !== null;
      const loaded = download ? page.waitForEvent('download') : undefined;
      // what came in the meantime, such as the names of rooms, may have put others before it
      await use((await named()) ?? control);
      if (loaded !== undefined) await loaded;
      else if (tag !== 'input' && tag !== 'textarea')
        await found(`something that happens: ${label}`, async () =>
          page.url() !== before.url ||
          page.context().pages().length > 1 ||
          (await page.getByRole('dialog').isVisible()) ||
          (await looks(page)) !== before.html ||
          requests.length > before.requests
            ? true
            : undefined,
        );
      pressed.push(label);
      // a page behind another tab is slowed down by the browser
      for (const tab of page.context().pages()) if (tab !== page) await tab.close();
      if (await page.getByRole('dialog').isVisible()) {
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      assert.equal(await page.locator('#page h1').count(), 1, label);
      assert.deepEqual(await page.locator('.failure-note, .failure').allTextContents(), [], label);
      assert.deepEqual(complaints, [], label);
    }
  }
  t.diagnostic(`${pressed.length} controls so far`);
}

/** Something in every list, and the ids that addresses need. */
async function fill(house: House): Promise<Record<string, string>> {
  await house.ask(talk, 'What is the boat called?');
  await house.ask(talk, '/remind in 3 hours tea');
  const client = clientOf(house);
  const [[session], [run], [schedule]] = await Promise.all([
    client.sessions.list(),
    client.runs.list(),
    client.schedules.list(),
  ]);
  const { id } = await client.sessions.create({ title: 'Over HTTP' });
  await client.sessions.promptSync(id, 'Hello.');
  await client.hooks.create({ name: 'alarm', chat: schedule?.chat ?? '', kind: 'text' });
  await client.memory.noteFile('The key hangs behind the clock.');
  await client.memory.put('The door code is blue.');
  return { SES: session?.id ?? '', API: id, RUN: run?.runID ?? '' };
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('#page h1').waitFor({ state: 'attached' });
  await page.locator('main .loading').first().waitFor({ state: 'detached' });
}

/** What can be used now, but links to the page that is open, by the names that a screen reader says. */
async function list(page: Page, scope: string): Promise<Control[]> {
  const place = page.locator(scope).locator(controls);
  const all = await place.evaluateAll((elements) =>
    elements.map((element, index) => {
      const { labels = null } = element as unknown as { labels?: { textContent: string }[] | null }; // of a field
      const name = element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element.textContent;
      const out = ['disabled', 'readonly', 'aria-current'].some((each) => element.hasAttribute(each));
      return { index, tag: element.localName, name, usable: !out && element.checkVisibility() };
    }),
  );
  return all
    .filter(({ usable }) => usable)
    .map(({ index, tag, name }) => ({
      tag,
      name: (name ?? '').replace(/\s+/g, ' ').trim().slice(0, 80),
      place: place.nth(index),
    }));
}

async function use({ tag, place }: Control): Promise<void> {
  if (tag === 'input' || tag === 'textarea') {
    // the field itself: what is written into it may take others away that stood before it
    const field = await place.elementHandle();
    await field?.fill('tern');
    assert.equal(await field?.inputValue(), 'tern');
  } else if (tag === 'select') {
    const now = await place.inputValue();
    const values = await place
      .locator('option')
      .evaluateAll((all) => all.map((option) => (option as unknown as { value: string }).value));
    const other = values.findLast((value) => value !== now);
    if (other !== undefined) await place.selectOption(other);
  } else await place.click();
}

/** What is seen of the page, with what is chosen in it, but times, which move. */
async function looks(page: Page): Promise<string> {
  const chosen = await page
    .locator('select')
    .evaluateAll((all) => all.map((select) => (select as unknown as { value: string }).value));
  const html = await page.locator('body').innerHTML();
  return `${html.replaceAll(/<time[^>]*>[^<]*/g, '')}\n${chosen.join('\n')}`;
}
