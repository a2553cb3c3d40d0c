// A home of thirty named rooms in the browser: told apart everywhere, found by name, and readable at every width.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHouse } from '../../app/house.ts';
import { callWith } from '../../app/terminal.ts';
import { fillHarbour, harbourConfig, startHarbourModel } from '../../support/harbour.ts';
import { clientOf, signedIn, skip } from './browser.ts';

test('thirty rooms on three platforms have their names in every list, and a person jumps to one by its beginning', {
  skip,
}, async (t) => {
  const model = await startHarbourModel();
  const variables = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: model.url };
  const house = await openHouse(t, { config: harbourConfig, variables });
  t.after(() => model.stop()); // after the program, whose answers it would wait for
  await house.ready('discord', 'telegram', 'slack');
  const harbour = await fillHarbour(house.sandbox);
  await harbour.say({
    ...{ platform: 'discord', room: 'engine-room', person: 'Ben' },
    text: 'Slowly: write the whole maintenance plan for the winter.',
  });
  await harbour.say({
    ...{ platform: 'discord', room: 'spare-parts', person: 'Eva' },
    text: 'Look up where the spare impeller is.',
  });
  const { page, visit, accessible } = await signedIn(t, house);
  const live = page.locator('.live-row');
  await live.getByText('Ben · #engine-room · Harbour crew · Discord').waitFor();
  await live.getByText('Waiting for approval of memory_search').waitFor();
  const status = await callWith(join(house.folder, 'parley.config.json'), ['status']);
  assert.match(status.out, /^ +Ben · #engine-room · Harbour crew · Discord, \d+ s$/m);
  assert.match(status.out, /^ +Eva · #spare-parts · Harbour crew · Discord, \d+ s$/m);

  await visit('memory/entries', 'Memory');
  const seenBy = page.getByLabel('As seen by');
  await seenBy
    .locator('option', { hasText: '#engine-room · Harbour crew · Discord' })
    .waitFor({ state: 'attached' });
  const titles = await seenBy.locator('option').allTextContents();
  const rooms = titles.filter((title) => !/^(?:Operator|\w+ on )/.test(title));
  assert.equal(rooms.length, 30, titles.join('\n'));
  assert.equal(new Set(rooms).size, 30);
  assert.deepEqual(
    rooms.filter((title) => /room …|^Room /.test(title)),
    [],
  );

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^A page/ }).fill('#engine');
  const entries = page.getByRole('dialog').getByRole('option');
  await entries.getByText('#engine-room · Harbour office · Slack').waitFor();
  assert.equal(await entries.count(), 2);
  await entries.getByText('#engine-room · Harbour crew · Discord').click();
  const listed = page.locator('.entry');
  await listed.getByText('#engine-room · Harbour crew · Discord').waitFor();
  assert.equal(await listed.count(), 1);
  await visit('conversations?room=fuel', 'Conversations');
  await listed.getByText('#fuel · Harbour office · Slack').waitFor();
  assert.equal(await listed.count(), 1);

  // what was answered stands without the marks of Markdown, in bold where there is room for it
  await visit('runs?room=engine-room', 'Runs');
  await page.locator('.run-row', { hasText: 'The next change is due at 4,200 hours.' }).first().waitFor();
  assert.equal(await page.locator('.run-row', { hasText: '**' }).count(), 0);
  await visit('memory/entries', 'Memory');
  await seenBy.selectOption({
    label: titles.find((title) => title.startsWith('#engine-room · Harbour')) ?? '',
  });
  await page.locator('.memory-text strong', { hasText: '4,200 hours' }).waitFor();

  await visit('people', 'People');
  const ben = page.locator('.other-account', { hasText: 'Ben' }).filter({ hasText: 'Discord' });
  await ben
    .getByText(/^seen in #engine-room · Harbour crew · Discord(, #\S+ · Harbour crew · Discord){1,2}$/)
    .waitFor();
  await accessible();

  const [session] = await clientOf(house).sessions.list({ room: 'spare-parts' });
  for (const width of [390, 900, 1400]) {
    await page.setViewportSize({ width, height: 900 });
    await visit('runs', 'Runs');
    const question = page.locator('.run-row .asked', { hasText: 'spare impeller' });
    assert.ok((await question.evaluate((shown) => shown.clientWidth)) >= 250, `a question at ${width} px`);
    await page.goto(`${house.parley.url}/console/conversations/${session?.id}`);
    const title = page.locator('.conversation-title h2');
    await title.waitFor();
    assert.ok((await title.evaluate((shown) => shown.clientWidth)) >= 200, `a title at ${width} px`);
    const read = page.locator('.split-page');
    assert.ok((await read.evaluate((shown) => shown.clientWidth)) >= 380, `a conversation at ${width} px`);
    await accessible();

    // each account in the same way: its id whole, its rooms in a line of their own
    await visit('people', 'People');
    const others = page.locator('.other-account');
    await others.last().waitFor();
    const rows = await others.evaluateAll((all) =>
      all.map((row) => {
        const id = row.querySelector('.muted.cut');
        const rooms = row.querySelector('.seen-in');
        return {
          isWhole: id !== null && id.scrollWidth <= id.clientWidth,
          left: rooms === null ? 0 : rooms.getBoundingClientRect().left - row.getBoundingClientRect().left,
        };
      }),
    );
    assert.equal(rows.length, 15);
    assert.deepEqual(
      rows.filter(({ isWhole }) => !isWhole),
      [],
      `ids at ${width} px`,
    );
    assert.equal(new Set(rows.map(({ left }) => Math.round(left))).size, 1, `rooms at ${width} px`);
  }
});
