// What waits for a person, in two browsers at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse } from '../../app/house.ts';
import { clientOf, signedIn, skip } from './browser.ts';

test('of two operators who answer the same approval one wins, and the other one sees that it was answered (W7)', {
  skip,
}, async (t) => {
  const house = await openHouse(t, { config: { tools: { policy: { memory_search: 'ask' } } } });
  const client = clientOf(house);
  const session = await client.sessions.create();
  const anna = await signedIn(t, house, { name: 'Anna' });
  const ben = await signedIn(t, house, { name: 'Ben' });
  const { runID } = await client.sessions.promptAsync(session.id, 'Where is the spare key?');
  const card = 'memory_search';
  for (const { page } of [anna, ben]) await page.locator('.card').getByText(card).waitFor();
  // Ben's page does not learn of Anna's answer before he presses
  await ben.page.route('**/permission', (route) => route.abort());
  await ben.page.route('**/permission/*/reply', async (route) => {
    await anna.page.getByRole('button', { name: 'Allow once' }).click();
    await anna.page.locator('.card').getByText(card).waitFor({ state: 'detached' });
    await route.continue();
  });
  await ben.page.getByRole('button', { name: 'Reject' }).click();
  await ben.page
    .getByText('Another person has answered this in the meantime. Their answer counts.')
    .waitFor();
  await ben.page.unroute('**/permission');
  await ben.page.reload();
  await ben.page.getByText('Nothing waits for you').waitFor();
  const events = await client.runs.events(runID);
  const replies = events.filter(({ type }) => type === 'permission.replied');
  assert.equal(replies.length, 1);
  assert.match(JSON.stringify(replies), /"once"/);
  assert.ok(ben.complaints.splice(0).every((line) => /409|ERR_FAILED/.test(line)));
});
