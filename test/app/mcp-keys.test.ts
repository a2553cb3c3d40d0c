// Keys of sessions, builds, artifacts and facts over MCP: each is of one project, and no constraint of the database reaches a client.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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

test('what a unique index refuses reaches a client without words of the database or its file', async (t) => {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--agent', 'coder');
  await house.parley.close();
  const client = await overStdio(house, secret);
  t.after(() => client.close());
  await call(client, 'close_session', session('one'));
  await call(client, 'put_build', { key: 'b', title: 'B', status: 'active' });
  await call(client, 'create_conversation', { title: 'C' });
  await call(client, 'memory_create', { content: 'A medlar.' });
  const artifact = { project_slug: 'p', entry_type: 'note', entry_id: 'n', title: 'T', body: 'b' };
  await call(client, 'put_t4_entry', artifact);
  const file = new Database(join(house.home, 'memory.sqlite'));
  t.after(() => file.close());
  const calls: Readonly<Record<string, readonly [tool: string, args: Answer]>> = {
    session_headers: [
      'close_session',
      session('two', { threads: [], steps: [], inherited: inheritedIn(file) }),
    ],
    build_records: ['put_build', { key: 'c', title: 'C', status: 'active' }],
    t4_entries: ['put_t4_entry', { ...artifact, entry_id: 'm' }],
    journal_documents: ['create_conversation', { title: 'D' }],
    global_memory_chunks: ['create_conversation', { title: 'E' }],
    memory_records: ['memory_create', { content: 'A kumquat.' }],
  };
  for (const [table, [tool, args]] of Object.entries(calls)) {
    // as if another writer had taken the place in the same moment: of the rows from the last one on there is one at most
    const last = file.prepare<[], number>(`SELECT max(row) FROM ${table}`).pluck().get();
    file.exec(`CREATE UNIQUE INDEX taken ON ${table} ((1)) WHERE row >= ${last}`);
    const words = await refusal(client, tool, args);
    file.exec('DROP INDEX taken');
    assert.doesNotMatch(words, /constraint|UNIQUE|sqlite|wiped|_headers|_records|_entries|_chunks/i, table);
    assert.match(words, /ref_\w+|there already/, table);
    await call(client, tool, args);
  }
});

function inheritedIn(file: Database.Database): Answer[] {
  const open = file
    .prepare<[], string>('SELECT id FROM open_threads UNION ALL SELECT id FROM next_steps')
    .pluck();
  return open.all().map((id) => ({ id, action: 'resolved' }));
}
