// What a stranger meets who spells things otherwise over MCP: refusals that say one thing once, choices and projects in any case, and what goes with a source.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Talk } from './house.ts';
import { type Answer, call, overHttp, parley, personClient, refusal, session, tokenFor } from './mcp-kit.ts';
import { onWords, openModelHouse } from './model-house.ts';

const agent = { agent_id: 'coder' };
const dm: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const lesson = { ...agent, task_type: 'CI', lesson_kind: 'gotcha', lesson: 'The yarrow cache is stale.' };

test('a refusal says what was expected and what came once, in the names of the client, also inside a list', async (t) => {
  const client = await personClient(t);
  const close = { ...agent, ...session('one') };
  for (const [tool, args, expected] of [
    [
      'close_session',
      { ...close, threads: [{ titel: 'Lexer', body: '' }] },
      /: threads\.0\.title: expected string, received nothing; threads\.0\.titel is not known; did you mean title\. Change/,
    ],
    [
      'close_session',
      { ...close, nextSteps: [] },
      /fit: nextSteps is not known; did you mean steps\. Change/,
    ],
    [
      'record_lesson',
      { ...lesson, tags: 'ci, cache' },
      /fit: tags: expected array, received "ci, cache"; send an array, also of a single one\. Change/,
    ],
    ['get_lessons', { ...agent, limit: '5' }, /fit: limit: expected number, received "5"\. Change/],
    ['get_session', { lineage_id: 'jnl_none' }, /^Expected the id of a session, received "jnl_none"/],
    [
      'link_touchstone',
      { ...agent, touchstone_id: 'jnl_none', session_lineage: 'jnl_none' },
      /^Expected the id of a touchstone/,
    ],
    [
      'memory_forget',
      { mode: 'preview' },
      /^Expected what is meant: at least one of ids, words, .*session_id, run_id.*from_ms.*, received none\.$/,
    ],
    [
      'list_session_elements',
      { ...agent, kind: 'decision', status: 'open' },
      /^status: expected none of a decision, received "open"/,
    ],
  ] as const) {
    const words = await refusal(client, tool, args);
    assert.match(words, expected);
    assert.doesNotMatch(words, /session_headers|touchstones|Invalid input/, tool);
  }
  await assert.rejects(client.callTool({ name: 'get_memory_bundel' }), {
    message:
      'MCP error -32602: Expected the name of a tool, received "get_memory_bundel"; did you mean get_memory_bundle.',
  });
  await assert.rejects(
    client.readResource({ uri: 'parley://memory/mem_none' }),
    ({ message }: Error) => /that you may read/.test(message) && !/written/.test(message),
  );
});

test('a moment in microseconds is refused as one in seconds is', async (t) => {
  const client = await personClient(t);
  const micros = (Date.now() + 86_400_000) * 1_000;
  assert.match(
    await refusal(client, 'memory_create', { content: 'A quince.', expires_at_ms: micros }),
    new RegExp(`milliseconds.*not microseconds; did you mean ${micros / 1_000}`),
  );
});

test('a project is the same in any case, a kind of task too, and a step is open as a thread is', async (t) => {
  const client = await personClient(t);
  const [lower, upper] = [
    { ...agent, project_id: 'parley' },
    { ...agent, project_id: ' Parley' },
  ];
  await call(client, 'close_session', { ...lower, ...session('one') });
  assert.match(await refusal(client, 'close_session', { ...upper, ...session('two') }), /2 missing/);
  await call(client, 'record_lesson', { ...upper, ...lesson, ...upper });
  const projects = (await call(client, 'list_projects')).items as Answer[];
  assert.deepEqual(
    projects.map(({ project_id }) => project_id),
    ['parley'],
  );
  const read = await client.readResource({ uri: 'parley://bundle/PARLEY/coder' });
  assert.match(JSON.stringify(read), /Thread of one/);
  const count = async (tool: string, args: Answer) =>
    ((await call(client, tool, args)).items as Answer[]).length;
  assert.equal(await count('get_lessons', { ...lower, task_type: 'ci' }), 1);
  for (const status of ['open', 'pending'])
    for (const kind of ['thread', 'step'])
      assert.equal(await count('list_session_elements', { ...upper, kind, status }), 1, `${kind} ${status}`);
  assert.equal(
    ((await call(client, 'memory_search', { query: 'yarrow', corpus: 'Sessions' })).items as Answer[]).length,
    1,
  );
  // one that is spelled in both ways already is read as it is written
  assert.match(
    String((await call(client, 'get_memory_bundle', { ...agent, project_id: 'parlie' })).hint),
    /nothing in parlie/,
  );
});

test('what came from a run, a chat or a source is forgotten with it, on every face and of the journal too', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram']);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const entries = async (of: Answer) =>
    (await call(client, 'memory_forget', { ...of, mode: 'preview' })).entries;
  onWords(model, 'we decided on blue tiles', [
    { name: 'add_session_element', args: { kind: 'decision', title: 'Blue tiles', body: 'For the roof.' } },
  ]);
  await house.ask(dm, 'we decided on blue tiles');
  const { items } = await call(client, 'memory_search', { query: 'we decided on blue tiles' });
  const exchange = (items as Answer[]).find(({ kind }) => kind === 'exchange');
  const { out } = await parley(house, 'memory', 'show', String(exchange?.id), '--json');
  const { chat, runID } = JSON.parse(out) as { chat: string; runID: string };
  assert.equal(await entries({ run_id: runID }), 2);
  assert.equal(await entries({ chat }), 2);
  assert.match((await parley(house, 'memory', 'forget', '--run', runID)).out, /^2 entries[\s\S]*Blue tiles/);
  await call(client, 'memory_create', {
    content: 'Uptime is 12.',
    kind: 'fact',
    source: 'Audit report 2026',
  });
  assert.equal(await entries({ source: 'audit report 2026' }), 1);
  assert.equal(await entries({ source: 'audit report' }), 0);
  assert.match(
    await house.ask(dm, '/memory forget source audit report 2026'),
    /deletes 1 memory[\s\S]*Uptime/,
  );
  assert.match(
    (await parley(house, 'memory', 'forget', '--source', 'audit report 2026')).out,
    /^1 entry[\s\S]*Uptime/,
  );
  const done = await call(client, 'memory_forget', { run_id: runID, mode: 'forget' });
  assert.deepEqual([done.forgotten, done.entries, await entries({ chat })], [true, 2, 0]);
  assert.deepEqual((await call(client, 'memory_lookup', { kind: 'decision' })).items, []);
});
