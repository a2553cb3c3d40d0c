// What waits for a person: decided in two browsers at once, decided in place for an agent, and expired while it is looked at.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import type { Locator } from 'playwright-core';
import { type Clock, systemClock } from '#base/clock.ts';
import { openHouse } from '../../app/house.ts';
import { found, until } from '../../support/found.ts';
import { clientOf, scriptedHouse, signedIn, skip } from './browser.ts';

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
  for (const { page } of [anna, ben]) await page.locator('.card').getByText(card, { exact: true }).waitFor();
  // Ben's page does not learn of Anna's answer before he presses
  await ben.page.route('**/permission', (route) => route.abort());
  await ben.page.route('**/permission/*/reply', async (route) => {
    await anna.page.getByRole('button', { name: 'Allow once' }).click();
    await anna.page.locator('.card').getByText(card, { exact: true }).waitFor({ state: 'detached' });
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

test('the page Now says who is answered, where, on what and what is going on; stopping asks once and says that it stopped', {
  skip,
}, async (t) => {
  const search = { name: 'memory_search', arguments: { query: 'the spare key' } };
  const policy = { tools: { policy: { memory_search: 'ask' } } };
  const house = await scriptedHouse(t, 'Under the mat.', { tool: search }, policy);
  const { page, accessible } = await signedIn(t, house);
  const you = { user: 'you', mention: true } as const;
  await house.sandbox.discord.say({ ...you, chat: 'room', text: 'Where is the spare key?' });
  await house.sandbox.slack.say({ ...you, chat: 'dm', mention: false, text: 'And the *other* key?' });
  const row = (question: string) => page.locator('.live-row', { hasText: question });
  const [inRoom, direct] = [row('Where is the spare key?'), row('And the *other* key?')];
  await inRoom.getByText(/^Robin · #\S+ · .+ · Discord$/).waitFor();
  await direct.getByText('Robin · direct message · Slack').waitFor();
  for (const each of [inRoom, direct])
    await each.getByText('Waiting for approval of memory_search').waitFor();
  const elapsed = async () => Number.parseInt((await inRoom.locator('.badge').textContent()) ?? '', 10);
  const before = await elapsed();
  await found('a second more', async () => ((await elapsed()) > before ? true : undefined));
  const now = await elapsed();
  await page.reload();
  await inRoom.getByText('Waiting for approval of memory_search').waitFor();
  assert.ok((await elapsed()) >= now, 'a page that is opened later counts from the beginning too');

  const card = page.locator('.card', { hasText: 'Where is the spare key?' });
  await card.getByText(/^Robin · #\S+ · .+ · Discord$/).waitFor();
  await card.getByText('Search memory for “the spare key”').waitFor();
  await card.getByText('"the spare key"').waitFor(); // as it will be used, without unfolding
  await card.getByRole('button', { name: 'Always allow memory_search for Parley', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Now 2 wait for you' }).waitFor();
  await accessible();

  const stops = page.getByRole('button', { name: /^Stop the answer to Robin/ });
  const names = await stops.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
  assert.equal(new Set(names).size, 2, `${names}`);
  const dialog = page.getByRole('dialog', { name: 'Stop this answer?' });
  await direct.getByRole('button', { name: /^Stop the answer/ }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await stops.count(), 2, 'the question stops nothing');
  await direct.getByRole('button', { name: /^Stop the answer/ }).click();
  await dialog.getByText('And the *other* key?').waitFor();
  await dialog.getByRole('button', { name: 'Stop it' }).click();
  await page
    .getByRole('status')
    .getByText('Stopped: Robin · direct message · Slack: “And the *other* key?”')
    .waitFor();
  await direct.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Now 1 waits for you' }).waitFor();
  await card.getByRole('button', { name: 'Allow once' }).click();
  await inRoom.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Now', exact: true }).waitFor();

  await page.getByRole('link', { name: 'Runs' }).click();
  const run = page.locator('.run-row', { hasText: 'Where is the spare key?' });
  await run.getByText(/^Robin · #\S+ · .+ · Discord$/).waitFor();
  await page.getByLabel('Room').fill('no such room');
  await page.getByText('No run fits').waitFor();
  await page.getByLabel('Room').fill('');
  await page.getByLabel('Person').fill('rob');
  await page.getByLabel('Status').selectOption('cancelled');
  await page.locator('.run-row', { hasText: 'And the *other* key?' }).waitFor();
  await run.waitFor({ state: 'detached' });
  await page.getByLabel('Status').selectOption('');
  await page.getByLabel('Order').selectOption('duration');
  await accessible();
  await run.click();
  await page.getByText(/^Robin · #\S+ · .+ · Discord$/).waitFor();
  await page.getByText(/, and waited .+ for a person$/).waitFor();
});

test("a run's page says where the time goes while it lasts and where it went, and what the prompt took in the provider's tokens", {
  skip,
}, async (t) => {
  const search = { name: 'memory_search', arguments: { query: 'the spare key' } };
  const policy = { tools: { policy: { memory_search: 'ask' } } };
  const house = await scriptedHouse(t, 'Under the mat.', { tool: search }, policy);
  const client = clientOf(house);
  await house.sandbox.slack.say({ user: 'you', mention: true, chat: 'room', text: 'Where is the key?' });
  const [asked] = await found('the approval', async () => {
    const all = await client.permissions.list();
    return all.length > 0 ? all : undefined;
  });
  const { page, visit, accessible } = await signedIn(t, house);
  await visit(`runs/${asked?.runID}`, 'Run');
  const spent = page.getByRole('region', { name: 'Where the time went' });
  const step = (title: string) => spent.locator('.step', { hasText: title });
  const took = step('Waiting for approval of memory_search').locator('.step-took');
  const before = await took.textContent();
  await until('the wait grows', async () => (await took.textContent()) !== before);
  await spent.getByText(/ so far$/).waitFor();
  await accessible();
  await client.permissions.reply(asked?.requestID ?? '', { reply: 'once' });
  await spent.getByText(/ in all; the first words stood in the chat after /).waitFor();
  await page.getByText('Where is the key?').first().waitFor();
  await page
    .getByText(/^Robin · #\S+ · .+ · Slack$/)
    .first()
    .waitFor();
  for (const title of [
    'Waiting in the queue',
    'Memory and the rest of the prompt',
    'Time to the first token, call 1',
    'Waiting for approval of memory_search',
    'Tool memory_search',
    'Writing, call 2',
    'Delivery',
  ])
    await step(title).first().waitFor();
  const prompt = page.getByRole('region', { name: 'Prompt' });
  const note = await prompt.getByText(/ tokens in the first call, as the provider counted/).textContent();
  await prompt.getByText('Tool definitions', { exact: true }).waitFor();
  const parts = await prompt.locator('dd span').allTextContents();
  const numberIn = (text: string | null | undefined): number =>
    Number(/^[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', ''));
  assert.ok(parts.length > 2 && parts.every((part) => / tokens?$/.test(part)), `${parts}`);
  assert.equal(
    parts.map(numberIn).reduce((sum, each) => sum + each, 0),
    numberIn(note),
  );
  await accessible();
});

test('a page of a run that is open while its answer is delivered shows when it came into its chat, however long that takes', {
  skip,
}, async (t) => {
  const search = { name: 'memory_search', arguments: { query: 'the spare key' } };
  const policy = { tools: { policy: { memory_search: 'ask' } } };
  const house = await scriptedHouse(t, 'Under the mat.', { tool: search }, policy);
  const client = clientOf(house);
  await house.sandbox.telegram.say({ user: 'you', chat: 'dm', text: 'Where is the key?' });
  const asked = await found('the approval', async () => (await client.permissions.list()).at(0));
  const { page, visit } = await signedIn(t, house);
  await visit(`runs/${asked.runID}`, 'Run');
  const spent = page.getByRole('region', { name: 'Where the time went' });
  await spent.getByText(/ so far$/).waitFor();
  house.sandbox.telegram.inject({ kind: 'slow', target: 'send', times: 1, delayMs: 3_000 });
  await client.permissions.reply(asked.requestID, { reply: 'once' });
  await spent.getByText(/ in all; the first words stood in the chat after /).waitFor();
  await spent.locator('.step', { hasText: 'Delivery' }).waitFor();
  await page.getByText('Part 1 delivered').waitFor();
});

test('a viewer sees who is answered in open rooms, and stops nothing', { skip }, async (t) => {
  const search = { name: 'memory_search', arguments: { query: 'the spare key' } };
  const policy = { tools: { policy: { memory_search: 'ask' } } };
  const house = await scriptedHouse(t, 'Under the mat.', { tool: search }, policy);
  const { page, accessible } = await signedIn(t, house, { role: 'viewer' });
  await house.sandbox.slack.say({ user: 'you', mention: true, chat: 'room', text: 'Where is the key?' });
  await house.sandbox.slack.say({ user: 'you', chat: 'dm', text: 'And my diary?' });
  const row = page.locator('.live-row');
  await row.getByText('Waiting for approval of memory_search').waitFor();
  await row.getByText('Where is the key?').waitFor();
  await found('both runs', async () =>
    (await clientOf(house).permissions.list()).length === 2 ? true : undefined,
  );
  assert.equal(await row.count(), 1, 'a direct message is not there');
  assert.equal(await page.locator('.nav-count').count(), 0, 'nothing waits for a viewer');
  assert.ok(await row.getByRole('button', { name: /^Stop the answer/ }).isDisabled());
  await accessible();
});

test('a viewer follows what is written in an open room while it is written, and sees when it ends', {
  skip,
}, async (t) => {
  const story = Array.from({ length: 400 }, (_, at) => `Sentence ${at + 1} of the story.`).join(' ');
  const house = await scriptedHouse(t, story, { betweenPiecesMs: 60 });
  const { page, visit, accessible } = await signedIn(t, house, { role: 'viewer' });
  await page.getByText('Nothing is being answered').waitFor();
  await house.sandbox.discord.say({ user: 'you', mention: true, chat: 'room', text: 'Tell a story.' });
  await house.sandbox.discord.say({ user: 'you', chat: 'dm', text: 'And a secret one.' });
  const client = clientOf(house);
  const runs = await found('both runs', async () => {
    const all = await client.runs.list({ status: 'running' });
    return all.length === 2 ? all : undefined;
  });
  const row = page.locator('.live-row');
  await row.getByText('Tell a story.').waitFor();
  await row.getByText('Writing', { exact: true }).waitFor();
  const grows = async (shown: Locator): Promise<void> => {
    const before = await shown.textContent();
    await until('more is written', async () => (await shown.textContent()) !== before);
  };
  await grows(row.locator('.live-end'));
  await grows(row.locator('.badge').first());
  assert.equal(await row.count(), 1, 'the direct message is not there');
  await accessible();

  const open = runs.find(({ question }) => question === 'Tell a story.');
  await visit(`conversations/${open?.sessionID}`, 'Conversations');
  const live = page.locator('.message.live');
  await live.getByText(/^Sentence 1 of the story\. Sentence 2/).waitFor();
  await grows(live);
  await accessible();
  for (const { sessionID, runID } of runs) await client.sessions.cancelRun(sessionID, runID);
  await live.waitFor({ state: 'detached' });
  await page.locator('.message.assistant').getByText('Sentence 1 of the story.').waitFor();
  await visit('now', 'Now');
  await page.getByText('Nothing is being answered').waitFor();
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
  // it is refused when the press is on its way: before, the page could notice and take the card away
  await page.route(`**/approvals/spawn/${second}/approve`, async (route) => {
    await client.agentTeams.deny(second);
    await route.continue();
  });
  await card('Find the wind.').getByRole('button', { name: 'Start it', exact: true }).click();
  await page.getByRole('status').getByText('This request was denied already; nothing is started.').waitFor();
  await card('Find the wind.').waitFor({ state: 'detached' });
  // it expires in the same way
  await page.route(`**/approvals/spawn/${third}/approve`, async (route) => {
    const engine = new Database(join(house.home, 'engine.sqlite'));
    engine.prepare('UPDATE team_approvals SET expires_at_ms = 1 WHERE id = ?').run(third);
    engine.close();
    await route.continue();
  });
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
  const card = page.locator('.card').getByText('memory_search', { exact: true });
  await card.waitFor();
  over.resolve();
  await page.getByRole('status').getByText('A request has expired: nobody answered in time.').waitFor();
  await card.waitFor({ state: 'detached' });
  await page.getByText('Nothing waits for you').waitFor();
  await accessible();
});
