// What waits for a person: decided in two browsers at once, decided in place for an agent, and expired while it is looked at.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { type Clock, systemClock } from '#base/clock.ts';
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
  await ben.page.getByText('This permission request was answered already by Anna.').waitFor();
  await ben.page.unroute('**/permission');
  await ben.page.reload();
  await ben.page.getByText('Nothing waits for you').waitFor();
  const events = await client.runs.events(runID);
  const replies = events.filter(({ type }) => type === 'permission.replied');
  assert.equal(replies.length, 1);
  assert.match(JSON.stringify(replies), /"once"/);
  assert.ok(ben.complaints.splice(0).every((line) => /409|ERR_FAILED/.test(line)));
});

const team = {
  agents: {
    team: {
      enabled: true,
      requireJustification: false,
      spawnEdges: { orchestrator: { behavior: 'request_only', canSpawn: [] } },
    },
  },
} as const;

test('an agent that waits is started or refused on the page Now; what was decided before, or has expired, has its sentence there', {
  skip,
}, async (t) => {
  const house = await openHouse(t, { config: team });
  const client = clientOf(house);
  const wait = async (prompt: string): Promise<string> => {
    await assert.rejects(
      client.agentTeams.spawn({ templateID: 'researcher', prompt, parent_role: 'orchestrator' }),
    );
    const approvals = await client.agentTeams.approvals();
    return approvals.find(({ task }) => task === prompt)?.approvalID ?? '';
  };
  await wait('Find the <b>tides</b>.');
  const { page, visit, accessible, complaints } = await signedIn(t, house);
  const card = (text: string) => page.locator('.card', { hasText: text });
  await card('Find the <b>tides</b>.').getByText('researcher').waitFor();
  await accessible();
  await card('Find the <b>tides</b>.').getByRole('button', { name: 'Do not start it' }).click();
  await page.getByText('Nothing waits for you').waitFor();
  assert.deepEqual(await client.missions.list(), []);

  await wait('Find the moon.');
  await page.reload();
  await card('Find the moon.').getByRole('button', { name: 'Start it', exact: true }).click();
  await card('Find the moon.').waitFor({ state: 'detached' });
  const [mission] = await client.missions.list();
  assert.deepEqual(
    mission?.instances.map(({ task }) => task),
    ['Find the moon.'],
  );

  const second = await wait('Find the wind.');
  const third = await wait('Find the rain.');
  await visit('agents/missions', 'Agents');
  await card('Find the wind.').waitFor();
  await client.agentTeams.deny(second);
  await card('Find the wind.').getByRole('button', { name: 'Start it', exact: true }).click();
  await page.getByRole('status').getByText('This request was denied already; nothing is started.').waitFor();
  await card('Find the wind.').waitFor({ state: 'detached' });
  const engine = new Database(join(house.home, 'engine.sqlite'));
  engine.prepare('UPDATE team_approvals SET expires_at_ms = 1 WHERE id = ?').run(third);
  engine.close();
  await card('Find the rain.').getByRole('button', { name: 'Start it', exact: true }).click();
  await page.getByRole('status').getByText('This request has expired: nobody decided in time').waitFor();
  await card('Find the rain.').waitFor({ state: 'detached' });
  await accessible();
  assert.equal((await client.missions.list()).length, 1, 'nothing else was started');
  assert.ok(complaints.splice(0).every((line) => line.includes('409')));
});

test('an approval that expires while it is looked at goes, with a sentence that says so', {
  skip,
}, async (t) => {
  const over = Promise.withResolvers<void>();
  /** The wait for an approval ends when the test says so. */
  const clock: Clock = {
    ...systemClock,
    sleep: (ms, signal) =>
      ms > 14 * 60_000 && ms <= 15 * 60_000
        ? Promise.race([over.promise, systemClock.sleep(ms, signal)])
        : systemClock.sleep(ms, signal),
  };
  const house = await openHouse(t, { config: { tools: { policy: { memory_search: 'ask' } } }, clock });
  const client = clientOf(house);
  const { id } = await client.sessions.create();
  const { page, accessible } = await signedIn(t, house);
  await client.sessions.promptAsync(id, 'Where is the spare key?');
  const card = page.locator('.card').getByText('memory_search');
  await card.waitFor();
  over.resolve();
  await page.getByRole('status').getByText('A request has expired: nobody answered in time.').waitFor();
  await card.waitFor({ state: 'detached' });
  await page.getByText('Nothing waits for you').waitFor();
  await accessible();
});
