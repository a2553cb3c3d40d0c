// Memory in the browser: forgetting counts first and shows its proof.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse } from '../../app/house.ts';
import { clientOf, signedIn, skip } from './browser.ts';

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
