// Agents in the browser: missions with their budgets, schedules with their next times, webhooks with a test, and tokens of programs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Talk } from '../../app/house.ts';
import { clientOf, scriptedHouse, signedIn, skip } from './browser.ts';

const talk: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };

test('a schedule shows when it comes next, and is removed after one question', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  await house.ask(talk, '/zone Europe/Berlin');
  await house.ask(talk, '/schedule every Monday at 9 Water <b>the</b> plants');
  const client = clientOf(house);
  const [made] = await client.schedules.list();
  const { page, visit, accessible } = await signedIn(t, house);
  await visit('agents/schedules', 'Agents');
  await page.getByText('Water <b>the</b> plants').waitFor();
  const { times } = await client.schedules.times(made?.id ?? '', { count: 5 });
  await page.getByText('Next times').click();
  assert.equal(
    await page.locator('.times li').nth(4).locator('time').getAttribute('datetime'),
    new Date(times[4] ?? 0).toISOString(),
  );
  await accessible();
  await page.getByRole('button', { name: 'Remove this schedule' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Nothing is scheduled').waitFor();
  assert.deepEqual(await client.schedules.list(), []);
});

test('a webhook is made, tested into its chat and deleted', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const client = clientOf(house);
  await house.ask(talk, '/remind in 3 hours tea');
  const chat = (await client.schedules.list())[0]?.chat ?? '';
  const { page, visit, accessible, complaints } = await signedIn(t, house);
  await visit('agents/webhooks', 'Agents');
  await page.getByLabel('Name').fill('alarm');
  await page.getByLabel('Address of the chat').fill('nowhere');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Address of the chat').fill(chat);
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText('shown only now').waitFor();
  const before = house.answers(talk).length;
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test message was sent.').waitFor();
  assert.ok(house.answers(talk).length > before);
  await accessible();
  await page.getByRole('button', { name: 'Delete alarm' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No program sends anything').waitFor();
  assert.deepEqual(await client.hooks.list(), []);
  assert.ok(complaints.splice(0).every((line) => line.includes('400')));
});

test('a mission is a tree of agents with their budgets while it works, and is stopped there', {
  skip,
}, async (t) => {
  const house = await scriptedHouse(
    t,
    Array.from({ length: 100 }, () => 'word').join(' '),
    { betweenPiecesMs: 500 },
    {
      agents: { team: { enabled: true, requireJustification: false } },
    },
  );
  const client = clientOf(house);
  const { page, visit, accessible } = await signedIn(t, house);
  await visit('agents/missions', 'Agents');
  await page.getByText('No agent has started others').waitFor();
  await client.agentTeams.spawn({ templateID: 'researcher', prompt: 'Find the tides of <i>Harlingen</i>.' });
  const title = page.locator('.card > .card-title');
  await title.getByText('Find the tides of <i>Harlingen</i>.').waitFor();
  await page.locator('.tree').getByText('Find the tides of <i>Harlingen</i>.').waitFor();
  await page.getByRole('progressbar', { name: 'tokens used' }).first().waitFor();
  await accessible();
  await page.getByRole('button', { name: 'Stop the mission' }).click();
  await page.getByText('cancelled').first().waitFor();
  const [mission] = await client.missions.list();
  assert.equal(mission?.status, 'cancelled');
  await visit('conversations', 'Conversations');
  await page.locator('.entry').getByText('agent researcher').waitFor();
});

test('a token of a program is shown once, and works until it is revoked', { skip }, async (t) => {
  const house = await scriptedHouse(t, 'Noted.');
  const { page, visit, accessible, complaints } = await signedIn(t, house);
  await visit('settings/tokens', 'Settings');
  await page.getByLabel('Name').fill('Nobody');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('For').selectOption('agent');
  await page.getByLabel('Name').fill('editor');
  await page.getByRole('button', { name: 'Make it' }).click();
  const secret = (await page.getByText('Shown only now').locator('code').textContent()) ?? '';
  const call = async (): Promise<number> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    return (await fetch(`${house.parley.url}/mcp`, { method: 'POST', headers, body })).status;
  };
  assert.equal(await call(), 200);
  await accessible();
  await page.getByRole('button', { name: 'Revoke the token of editor' }).click();
  await page.getByText('revoked', { exact: true }).waitFor();
  assert.equal(await call(), 401);
  assert.ok(complaints.splice(0).every((line) => line.includes('404')));
});
