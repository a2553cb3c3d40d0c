// Two weeks of two agents and their person in two projects: over MCP, in a chat, through a kill and a restart, and at last in the console.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { signedIn, skip } from '../console/page/browser.ts';
import { createForwardClock } from '../support/forward-clock.ts';
import type { House, Talk } from './house.ts';
import { type Answer, call, overHttp, overStdio, refusal, session, tokenFor } from './mcp-kit.ts';
import { onWords, openModelHouse } from './model-house.ts';

const dm: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const dayMs = 24 * 60 * 60 * 1000;
const claude = { agent_id: 'claude', project_id: 'parley' };
const codex = { agent_id: 'codex', project_id: 'parley' };
const codexElsewhere = { agent_id: 'codex', project_id: 'garden' };

type Sections = Record<string, Answer[]>;

const wake = async (client: Client, who: Answer): Promise<Sections> =>
  (await call(client, 'get_memory_bundle', who)).sections as Sections;
const titles = (entries: readonly Answer[] = []): unknown[] => entries.map(({ title }) => title);

async function connected(t: TestContext, house: House, secret: string): Promise<Client> {
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  return client;
}

test('a fortnight of two agents in two projects and their person is one story, which the console tells', async (t) => {
  const clock = createForwardClock();
  const config = { channels: { discord: { enabled: false }, slack: { enabled: false } } };
  const { house, model } = await openModelHouse(t, ['telegram'], config, {}, {}, clock);
  const began = clock.now();
  const { secret } = await tokenFor(house, '--person', 'Robin');
  let client = await connected(t, house, secret);

  // the first day: claude finds nothing, works and leaves something open; so does codex in the other project
  assert.deepEqual((await wake(client, claude)).open_threads, []);
  await call(client, 'close_session', { ...claude, ...session('monday') });
  await call(client, 'close_session', { ...codexElsewhere, ...session('beds', { steps: [] }) });

  // the second: codex wakes in the project of claude and inherits what is open, not what is in the other one
  clock.advance(dayMs);
  const inherits = await wake(client, codex);
  assert.deepEqual(titles(inherits.open_threads), ['Thread of monday']);
  assert.deepEqual(titles(inherits.next_steps), ['Step of monday']);
  const lesson = { task_type: 'build', lesson_kind: 'gotcha', lesson: 'The lexer needs the lockfile.' };
  await call(client, 'record_lesson', { ...codex, ...lesson });
  const tuesday = { ...codex, ...session('tuesday', { threads: [], steps: [] }) };
  assert.match(await refusal(client, 'close_session', tuesday), /2 missing/);
  const inherited = [
    { id: inherits.open_threads?.[0]?.id, action: 'carried_on', note: 'codex has it' },
    { id: inherits.next_steps?.[0]?.id, action: 'resolved', note: 'it takes 3 ms' },
  ];
  // its client is killed while the session closes; the same call after it closes it once, whether or not the first arrived
  const killed = await overStdio(house, secret);
  const cut = call(killed, 'close_session', { ...tuesday, inherited }).catch(() => undefined);
  process.kill((killed.transport as unknown as StdioClientTransport).pid ?? 0, 'SIGKILL');
  await cut;
  await killed.close();
  await call(client, 'close_session', { ...tuesday, inherited });
  const sessions = (await call(client, 'list_sessions', { project_id: 'parley' })).items as Answer[];
  assert.deepEqual(titles(sessions), ['Session tuesday', 'Session monday']);

  // a week later the program starts again, and the person settles the thread and decides in the chat
  clock.advance(7 * dayMs);
  await client.close();
  await house.restart();
  await house.ready('telegram');
  client = await connected(t, house, secret);
  const open = await house.ask(dm, '/open parley');
  assert.match(open, /parley · claude[\s\S]*Thread of monday/);
  assert.doesNotMatch(open, /Step of monday|Thread of beds/);
  const [, id = ''] = /(\w{6})\W+Thread of monday/.exec(open) ?? [];
  assert.match(await house.ask(dm, `/done ${id} it is fast enough`), /Done: Thread of monday/);
  onWords(model, 'we decided to ship on Friday', [
    {
      name: 'add_session_element',
      args: { kind: 'decision', title: 'Ship on Friday', body: 'At noon.', project: 'parley' },
    },
  ]);
  await house.ask(dm, 'we decided to ship on Friday');

  // at the end of the fortnight claude sees all of it: the lesson of codex, the settled thread, the decision
  clock.advance(6 * dayMs);
  const last = await wake(client, { ...claude, intent: 'lockfile' });
  assert.deepEqual([last.open_threads, last.next_steps], [[], []]);
  assert.deepEqual(
    last.gotchas?.map(({ lesson: text, agent_id }) => [text, agent_id]),
    [[lesson.lesson, 'codex']],
  );
  assert.ok(titles(last.decisions).includes('Ship on Friday'));
  await call(client, 'close_session', { ...claude, ...session('friday', { threads: [], steps: [] }) });
  assert.deepEqual(titles((await wake(client, codexElsewhere)).open_threads), ['Thread of beds']);

  // the console reads it from the latest to the first, with who did what, and when
  const headers = { authorization: `Bearer ${readFileSync(join(house.home, 'token'), 'utf8').trim()}` };
  const read = async (query: Record<string, string>): Promise<Answer> => {
    const address = new URL('/memory/journal', house.parley.url);
    address.search = new URLSearchParams(query).toString();
    const response = await fetch(address, { headers });
    assert.equal(response.status, 200, await response.clone().text());
    return (await response.json()) as Answer;
  };
  const story: Answer[] = [];
  for (let before: unknown; before !== null; ) {
    const page = await read({
      ...{ audiences: 'all', limit: '5' },
      ...(typeof before === 'string' && { before }),
    });
    story.push(...(page.entries as Answer[]));
    before = page.next;
  }
  const told = story
    .filter(({ kind }) => kind !== 'context')
    .map(({ kind, agent, project_id, title, status, note, created_at_ms }) => {
      const day = Math.floor((Number(created_at_ms) - began) / dayMs);
      return [day, project_id, agent, kind, title, status, note].filter((each) => each !== null).join(' · ');
    });
  assert.equal(new Set(told).size, told.length, 'nothing is there twice');
  const assistant = story.find(({ title }) => title === 'Ship on Friday')?.agent;
  assert.deepEqual(told.sort(), [
    '0 · garden · codex · decision · Use a table',
    '0 · garden · codex · session · Session beds',
    '0 · garden · codex · thread · Thread of beds · open',
    '0 · parley · claude · decision · Use a table',
    '0 · parley · claude · session · Session monday',
    '0 · parley · claude · step · Step of monday · resolved · it takes 3 ms',
    '0 · parley · claude · thread · Thread of monday · resolved · it is fast enough',
    '1 · parley · codex · decision · Use a table',
    '1 · parley · codex · lesson · build, gotcha · active',
    '1 · parley · codex · session · Session tuesday',
    '14 · parley · claude · decision · Use a table',
    '14 · parley · claude · session · Session friday',
    `8 · parley · ${String(assistant)} · decision · Ship on Friday`,
  ]);
  assert.ok(assistant !== 'claude' && assistant !== 'codex', String(assistant));
  const { entries } = await read({ audiences: 'all', kind: 'lesson', agent: 'codex' });
  assert.deepEqual(
    (entries as Answer[]).map(({ text }) => text),
    [lesson.lesson],
  );
  if (skip === false) await readOnPage(t, house);
  else t.diagnostic(`the page was not read: ${skip}`);
  // what is answered there is in the next bundle
  const [thread] = (await read({ audiences: 'all', kind: 'thread', status: 'open' })).entries as Answer[];
  const settle = await fetch(new URL(`/memory/journal/${String(thread?.id)}`, house.parley.url), {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ audience: thread?.audience, action: 'answered', note: 'North.', by: 'Robin' }),
  });
  assert.equal(settle.status, 200, await settle.clone().text());
  const [beds] = (await wake(client, codexElsewhere)).open_threads ?? [];
  assert.deepEqual([beds?.title, beds?.status_note], ['Thread of beds', 'Robin: North.']);
});

/** The board in a browser, as an owner reads it. */
async function readOnPage(t: TestContext, house: House): Promise<void> {
  const { page, visit } = await signedIn(t, house);
  const shown = async (view: string, ...titles: string[]): Promise<void> => {
    await visit(`work/${view}`, 'Work');
    for (const title of titles) await page.locator('article b', { hasText: title }).first().waitFor();
    assert.deepEqual(new Set(await page.locator('article b').allTextContents()), new Set(titles));
  };
  await shown('open', 'Thread of beds');
  await shown('decisions', 'Ship on Friday', 'Use a table');
  await shown('lessons', 'build, gotcha');
  await shown('recap', 'Session friday', 'Session tuesday', 'Session beds');
  await page.getByRole('region', { name: 'garden · codex' }).waitFor();
}
