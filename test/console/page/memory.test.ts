// Memory in the browser: forgetting counts first and shows its proof.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse } from '../../app/house.ts';
import { clientOf, scriptedHouse, signedIn, skip } from './browser.ts';

test('forgetting a person counts first, asks once, and shows that nothing is left (W10)', {
  skip,
}, async (t) => {
  const house = await openHouse(t);
  await house.ready('telegram');
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'My safe has the number 4711.');
  const client = clientOf(house);
  const { audiences } = await client.memory.audiences();
  const audience = audiences.find(({ entries }) => entries > 0)?.audience ?? '';
  const { page, visit } = await signedIn(t, house);
  await visit(`memory/forget?as=${encodeURIComponent(audience)}`, 'Memory');
  await page.getByRole('button', { name: 'Count what would be forgotten' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 entry').waitFor();
  assert.equal((await client.memory.list({ audience })).count, 1);
  await dialog.getByRole('button', { name: 'Forget permanently' }).click();
  await page.getByText('A second look finds nothing that is left.').waitFor();
  assert.equal((await client.memory.list({ audience })).count, 0);
});

test('a note is corrected by a new version, and what was said is not', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const client = clientOf(house);
  const { id } = await client.memory.put({ content: 'The berth is number 4.', kind: 'fact', key: 'berth' });
  const { page, visit, accessible } = await signedIn(t, house);
  await visit('memory/entries?as=person:operator', 'Memory');
  await page.getByRole('button', { name: 'Correct this entry' }).click();
  const dialog = page.getByRole('dialog');
  assert.equal(
    await dialog.getByRole('button', { name: 'Write a new version' }).count(),
    0,
    'nothing changed',
  );
  await dialog.getByLabel('What holds now').fill('The berth is number <b>7</b>.');
  await accessible();
  await dialog.getByRole('button', { name: 'Write a new version' }).click();
  await page.getByText('Corrected. Version 2 holds now').waitFor();
  await page.locator('.memory').getByText('The berth is number <b>7</b>.').waitFor();
  assert.equal(await page.getByText('number 4').count(), 0);
  const { item, versions } = await client.memory.get(id ?? '');
  assert.deepEqual(
    [item.key, versions.map(({ content }) => content)],
    ['berth', ['The berth is number 4.', 'The berth is number <b>7</b>.']],
  );
  await house.ask({ platform: 'slack', chat: 'dm', user: 'you' }, 'The fog is thick.');
  const { audiences } = await client.memory.audiences();
  const said = audiences.find(
    ({ audience }) => audience.startsWith('person:') && audience !== 'person:operator',
  );
  assert.ok(said !== undefined);
  await visit(`memory/entries?as=${said.audience}`, 'Memory');
  await page.locator('.memory').getByText('The fog is thick.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Correct this entry' }).count(), 0);
});
