// Keys of sessions, builds, artifacts and facts over MCP: each is of one project, and no constraint of the database reaches a client.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import Database from 'better-sqlite3';
import { openTelegramHouse } from './house.ts';
import {
  type Answer,
  call,
  overHttp,
  overStdio,
  parley,
  personClient,
  refusal,
  session,
  tokenFor,
} from './mcp-kit.ts';

const agent = { agent_id: 'coder' };
const projects: readonly Answer[] = [{}, { project_id: 'parley' }, { project_id: 'other' }];

test('the same key is free in each project, and the same entry in its own', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const artifact = { project_slug: 'p', entry_type: 'note', entry_id: 'n' };
  const seen: Record<'lineage' | 'build' | 'artifact', unknown[]> = { lineage: [], build: [], artifact: [] };
  for (const project of projects) {
    const { lineage_id } = await call(client, 'close_session', { ...agent, ...project, ...session('one') });
    const again = await call(client, 'close_session', { ...agent, ...project, ...session('one') });
    assert.deepEqual([again.lineage_id, again.repeated], [lineage_id, true]);
    assert.match(
      await refusal(client, 'close_session', { ...agent, ...project, ...session('one', { title: 'Else' }) }),
      new RegExp(`key: "one" closed another session, ${String(lineage_id)}`),
    );
    const put = { ...agent, ...project, key: 'b', status: 'active' };
    const build = await call(client, 'put_build', { ...put, title: 'First' });
    assert.equal((await call(client, 'put_build', { ...put, title: 'Second' })).id, build.id);
    const entry = { ...agent, ...project, ...artifact, title: 'T', body: 'b' };
    const { id } = await call(client, 'put_t4_entry', entry);
    assert.deepEqual(
      [
        (await call(client, 'put_t4_entry', entry)).version,
        (await call(client, 'get_t4_entry', { ...project, ...artifact })).id,
      ],
      [2, id],
    );
    seen.lineage.push(lineage_id);
    seen.build.push(build.id);
    seen.artifact.push(id);
  }
  for (const ids of Object.values(seen)) assert.equal(new Set(ids).size, projects.length);
});

test('the key of a fact is of one project, and supersedes nothing in another one or where there is none', async (t) => {
  const client = await personClient(t);
  const keyed = { key: 'db', kind: 'fact' };
  const contents = ['Db is sqlite', 'Db is postgres', 'Db is mysql'];
  const ids: unknown[] = [];
  for (const [at, project] of projects.entries()) {
    const stored = await call(client, 'memory_create', { ...keyed, ...project, content: contents[at] });
    assert.deepEqual([stored.status, stored.supersedes], ['stored', undefined]);
    ids.push(stored.id);
  }
  const textsOf = async (args: Answer) => {
    const { items } = await call(client, 'memory_lookup', { key: 'db', ...args });
    return (items as Answer[]).map(({ text }) => text);
  };
  assert.deepEqual(await textsOf({ project_id: 'parley' }), ['Db is postgres']);
  assert.deepEqual(await textsOf({ project_id: 'other' }), ['Db is mysql']);
  assert.deepEqual((await textsOf({})).sort(), [...contents].sort());
  // the same words are a fact of each project that they hold in
  const same = await call(client, 'memory_create', { ...keyed, project_id: 'third', content: 'Db is mysql' });
  assert.equal(same.status, 'stored');
  assert.deepEqual(await textsOf({ project_id: 'third' }), ['Db is mysql']);
  for (const [at, project] of projects.entries()) {
    const next = await call(client, 'memory_create', { ...keyed, ...project, content: `Db is ${at}` });
    assert.equal(next.supersedes, ids[at]);
  }
  const inCapitals = { ...keyed, project_id: 'PARLEY', content: 'Db is oracle' };
  assert.notEqual((await call(client, 'memory_create', inCapitals)).supersedes, undefined);
});

test('the project of a memory is the same in any case: over MCP, over HTTP and on the command line', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const fact = { key: 'db', kind: 'fact', project_id: 'Bücher' };
  const { id } = await call(client, 'memory_create', { ...fact, content: 'The db is postgres' });
  await call(client, 'memory_create', { content: 'The db of another one', project_id: 'B' });
  await call(client, 'record_lesson', {
    ...agent,
    ...{ project_id: 'Bücher', task_type: 'db', lesson_kind: 'gotcha', lesson: 'The db is slow' },
  });
  const project_id = 'BÜCHER';
  const itemsOf = async (tool: string, args: Answer) =>
    (await call(client, tool, { ...args, project_id })).items as Answer[];
  const [found, ...others] = await itemsOf('memory_lookup', { key: 'db' });
  assert.deepEqual([found?.id, others], [id, []]);
  const searched = await itemsOf('memory_search', { query: 'db' });
  const words = searched.map(({ text }) => text).join('\n');
  for (const held of [/The db is postgres/, /The db is slow/]) assert.match(words, held);
  assert.doesNotMatch(words, /another one/);

  const audience = String(found?.audience);
  const where = ['--audience', audience, '--project', project_id];
  const exported = await parley(house, 'memory', 'export', ...where);
  assert.match(exported.out, /The db is postgres/);
  assert.match(exported.out, /The db is slow/);
  assert.doesNotMatch(exported.out, /another one/);
  const { out } = await parley(house, 'memory', 'forget', ...where);
  assert.match(out, /^2 entries would be forgotten/);
  const answer = await fetch(new URL('/memory/forget', house.parley.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${readFileSync(join(house.home, 'token'), 'utf8').trim()}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ audience, project_id }),
  });
  assert.equal(((await answer.json()) as Answer).entries, 2);
  assert.equal((await call(client, 'memory_forget', { project_id, mode: 'forget' })).entries, 2);
  assert.deepEqual(await itemsOf('memory_lookup', { key: 'db' }), []);
});

/** Tables with unique columns into which no tool over MCP writes: what does instead. */
const writtenOtherwise = {
  'imports, files and the index of their vectors': [
    'memory_sources',
    'memory_shared_passages',
    'memory_files',
    'memory_file_lines',
    'memory_file_forgetting',
    'embedding_models',
    'memory_embeddings',
    'memory_embedding_cache',
    'memory_vector_bits',
  ],
  'dreaming and budgets': [
    'memory_episode_sources',
    'memory_candidates',
    'memory_recalls',
    'memory_promotions',
    'memory_derived_lines',
    'memory_sweeps',
  ],
  'chats and runs': ['memory_responses', 'memory_knowledge', 'memory_closed_rooms'],
  'statements to which a row that is there is as good': ['memory_audiences', 'journal_questions'],
};

test('what each unique index refuses reaches a client without words of the database or its file', async (t) => {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--person', 'Robin');
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  const noted = (tool: string, args: Answer): Promise<Answer> => call(client, tool, { ...agent, ...args });
  const build = (key: string) => ({
    ...{ key, title: key, status: 'active' },
    phases: [{ title: 'P', status: 'active', slices: [{ title: 'S', status: 'active' }] }],
  });
  const artifact = { project_slug: 'p', entry_type: 'note', entry_id: 'n', title: 'T', body: 'b' };
  const stone = { type: 'm', felt_weight: 5, fact: 'It was.' };
  const gotcha = { task_type: 'build', lesson_kind: 'gotcha' };
  const procedure = { content: 'Stir twice.', kind: 'procedure' };
  const turn = { entry_type: 'said', author: 'coder' };
  // each table has a row before another writer is there first
  await noted('close_session', session('one'));
  const scout = { agent_id: 'scout' };
  for (const project_id of ['parley', 'garden'])
    await noted('close_session', { project_id, ...session('one') });
  await call(client, 'get_memory_bundle', { ...scout, project_id: 'parley' });
  await noted('put_build', build('b'));
  await noted('record_lesson', { ...gotcha, lesson: 'Look first.' });
  await noted('record_touchstone', { ...stone, title: 'First' });
  await noted('put_t4_entry', artifact);
  const { id: talk } = await noted('create_conversation', { title: 'C' });
  await noted('add_conversation_entry', { ...turn, conversation_id: talk, body: 'Hm.' });
  const { id: stirred } = await call(client, 'memory_create', procedure);
  await call(client, 'memory_report', { id: stirred, outcome: 'success' });
  for (const content of ['A medlar.', 'A quince.'])
    await call(client, 'memory_delete', { id: (await call(client, 'memory_create', { content })).id });
  const { id: loquat } = await call(client, 'memory_create', { content: 'A loquat.' });
  const { id: lychee } = await call(client, 'memory_create', { content: 'A lychee.' });
  const file = new Database(join(house.home, 'memory.sqlite'));
  t.after(() => file.close());
  const element = (kind: string) => ['add_session_element', { kind, title: kind, body: 'Said.' }] as const;
  const calls: Readonly<Record<string, readonly [tool: string, args: Answer]>> = {
    journal_wakes: ['get_memory_bundle', { ...scout, project_id: 'garden' }],
    session_headers: [
      'close_session',
      session('two', { threads: [], steps: [], inherited: inheritedIn(file) }),
    ],
    session_decisions: element('decision'),
    open_threads: element('thread'),
    next_steps: element('step'),
    key_context: element('context'),
    lessons: ['record_lesson', { ...gotcha, lesson: 'Look twice.' }],
    touchstones: ['record_touchstone', { ...stone, title: 'Second' }],
    conversations: ['create_conversation', { title: 'F' }],
    conversation_entries: ['add_conversation_entry', { ...turn, conversation_id: talk, body: 'Yes.' }],
    build_records: ['put_build', build('c')],
    build_phases: ['put_build', build('d')],
    work_slices: ['put_build', build('e')],
    t4_entries: ['put_t4_entry', { ...artifact, entry_id: 'm' }],
    journal_documents: ['create_conversation', { title: 'D' }],
    global_memory_chunks: ['create_conversation', { title: 'E' }],
    memory_records: ['memory_create', { content: 'A kumquat.' }],
    memory_signals: ['memory_report', { id: stirred, outcome: 'failure' }],
    memory_audit: ['memory_create', { content: 'A persimmon.' }],
    memory_tombstones: ['memory_delete', { id: loquat }],
    memory_forgotten: ['memory_delete', { id: lychee }],
  };
  const refused = async (by: Client, table: string, [tool, args]: readonly [tool: string, args: Answer]) => {
    const whole = { ...(!tool.startsWith('memory_') && agent), ...args };
    file.exec(`CREATE UNIQUE INDEX taken ON ${table} ((1)) WHERE ${allButOthers(file, table)}`);
    const words = await refusal(by, tool, whole);
    file.exec('DROP INDEX taken');
    assert.doesNotMatch(words, /constraint|UNIQUE|sqlite|wiped|_headers|_records|_entries|_chunks/i, table);
    assert.match(words, /ref_\w+|there already/, table);
    await call(by, tool, whole);
  };
  for (const [table, made] of Object.entries(calls)) await refused(client, table, made);
  const unique = file
    .prepare<[], string>(
      `SELECT DISTINCT m.name FROM sqlite_schema AS m JOIN pragma_index_list(m.name) AS i ON i."unique" = 1
       WHERE m.type = 'table' AND m.name NOT GLOB '*_idx' AND m.name NOT GLOB '*_config'`,
    )
    .pluck();
  assert.deepEqual(
    unique.all().sort(),
    [...Object.keys(calls), ...Object.values(writtenOtherwise).flat()].sort(),
  );
  // where no Parley runs
  const own = await tokenFor(house, '--agent', 'coder');
  await house.parley.close();
  const alone = await overStdio(house, own.secret);
  t.after(() => alone.close());
  await call(alone, 'put_build', { ...agent, ...build('f') });
  await refused(alone, 'build_records', ['put_build', build('g')]);
});

/** Holds for one of a table's rows, and for each that comes: as if another writer had taken the place in the same moment. */
function allButOthers(file: Database.Database, table: string): string {
  const columns = file.pragma(`table_info(${table})`) as { name: string; pk: number }[];
  const key = columns.flatMap(({ name, pk }) => (pk > 0 ? [name] : []));
  const rows = file.prepare<[], object>(
    `SELECT ${key.map((name) => `quote(${name})`).join(', ')} FROM ${table}`,
  );
  const [one, ...others] = rows.raw().all() as string[][];
  assert.ok(one, `${table} has a row`);
  const isOther = (values: string[]) => key.map((name, at) => `${name} = ${values[at]}`).join(' AND ');
  return others.length === 0 ? '1' : others.map((values) => `NOT (${isOther(values)})`).join(' AND ');
}

function inheritedIn(file: Database.Database): Answer[] {
  const open = file
    .prepare<[], string>(
      'SELECT id FROM open_threads WHERE project_id IS NULL UNION ALL SELECT id FROM next_steps WHERE project_id IS NULL',
    )
    .pluck();
  return open.all().map((id) => ({ id, action: 'resolved' }));
}
