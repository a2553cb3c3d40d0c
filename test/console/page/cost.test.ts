// What the models used, in the browser: by person, room, agent, model and day, and as CSV.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { scriptedHouse, signedIn, skip } from './browser.ts';

test('what was used is shown by person, room, agent, model and day, and saved as CSV', {
  skip,
}, async (t) => {
  const prices = { input: 1_000, output: 1_000 };
  const house = await scriptedHouse(t, 'A long answer.', {}, { model: { name: 'any', prices } });
  await house.ask({ platform: 'discord', chat: 'room', user: 'you' }, 'Where is the spare key?');
  await house.ask({ platform: 'slack', chat: 'dm', user: 'guest' }, 'And the other key?');
  await house.ask({ platform: 'slack', chat: 'dm', user: 'guest' }, 'And the third key?');
  const { page, accessible } = await signedIn(t, house);
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page.getByRole('link', { name: 'Cost', exact: true }).click();
  const rows = page.locator('.sums tbody tr');
  const row = (name: string | RegExp) => rows.filter({ hasText: name });
  await row('Guest').waitFor();
  assert.equal(await rows.count(), 2);
  const cells = await row('Guest').locator('td').allTextContents();
  assert.match(cells[1] ?? '', /^\$\d/);
  assert.equal(cells[2], '2');
  await accessible();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const csv = readFileSync(await (await download).path(), 'utf8').split('\r\n');
  assert.equal(csv[0], 'person,runs,input tokens,of them cached,output tokens,US dollars');
  assert.match(csv[1] ?? '', /^Guest on Slack,2,\d+,0,\d+,\d/);
  assert.equal(csv.length, 4);

  for (const [by, name] of [
    ['room', /#\S+ · .+ · Discord/],
    ['agent', 'Parley'],
    ['model', 'any'],
    ['day', new Date().toISOString().slice(0, 8)],
  ] as const) {
    await page.getByRole('combobox', { name: 'By' }).selectOption(by);
    await page.getByRole('heading', { level: 2, name: new RegExp(`^Used by ${by}`) }).waitFor();
    await row(name).first().waitFor();
  }
  await page.getByRole('figure', { name: /^Cost: \$/ }).waitFor();
});
