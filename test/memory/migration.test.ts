// A memory that an earlier version wrote: opened, whole, and found as before.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSqlite, type Sqlite } from '#base/sqlite/sqlite.ts';
import { type Chunk, chunkToRow } from '#memory/chunks/chunk-row.ts';
import { migrations } from '#memory/tables/schema.ts';
import { clockOf } from '../support/clock-of.ts';
import { until } from '../support/found.ts';
import { testEmbedder } from './embedder.ts';
import { exchange, freshPath, mine, openMemory, start } from './open-memory.ts';

test('chunks of the first schema keep their place, their words and their project, and no row number is used twice', async (t) => {
  const path = freshPath(t);
  const clock = clockOf(() => start);
  const old = openSqlite({ path, migrations: migrations.slice(0, 2), clock });
  for (const [index, text] of ['My bike is green', 'My boat is red', 'The last one goes'].entries()) {
    insert(old, {
      ...oldChunk(index, text),
      ...(index === 1 ? { projectID: 'prj_boats' } : {}),
    });
  }
  // as a chunk was indexed before projects were words of the scope
  old.exec("UPDATE global_memory_chunks SET scope_terms = substr(scope_terms, 1, 26) WHERE id = 'mem_1'");
  old.exec("DELETE FROM global_memory_chunks WHERE id = 'mem_2'");
  old.close();

  const memory = openMemory(t, { path });
  const ids = async (text: string, projectID?: string) =>
    (await memory.search({ text, scope: mine, projectID })).hits.map((hit) => hit.id);
  assert.deepEqual(await ids('bike'), ['mem_0']);
  assert.deepEqual(await ids('my', 'prj_boats'), ['mem_1']);
  assert.deepEqual(await ids('goes'), []);
  await memory.archive(exchange('A new one'));
  const note = {
    kind: 'note',
    text: 'A note',
    at: start,
    speaker: { person: 'per_1', name: 'Parley' },
  } as const;
  const where = { audience: 'person:per_1', restricted: true } as const;
  const from = { platform: 'api', chat: 'api', sessionID: '', runID: '', messageIDs: [] };
  assert.equal((await memory.put({ ...note, ...from, where })).status, 'stored');
  assert.deepEqual(await memory.verify(), { problems: [], traces: [] });
  await memory.close();
  const now = openSqlite({ path, migrations, clock });
  t.after(() => now.close());
  assert.equal(now.prepare('SELECT max(row) FROM global_memory_chunks').pluck().get(), 5);
});

/** A chunk as the first schema has it. */
function oldChunk(index: number, text: string): Chunk {
  return {
    id: `mem_${index}`,
    source: 'exchange',
    audience: 'person:per_1',
    space: undefined,
    restricted: true,
    sourceKey: `run_${index}`,
    ordinal: 0,
    sourceHash: `source ${index}`,
    contentHash: `content ${index}`,
    at: start,
    lastWrittenAt: start,
    createdAt: start,
    speaker: 'you',
    person: 'per_1',
    platform: 'discord',
    chat: 'discord:dm:1:-:2:-',
    sessionID: 'ses_1',
    projectID: undefined,
    workspaceRoot: undefined,
    runID: `run_${index}`,
    messageIDs: ['1'],
    tokenCount: 4,
    content: `you said: ${text}`,
    userText: text,
    assistantText: '',
    about: '',
    metadata: { pieces: 1 },
  };
}

/** Writes it into a file that has the columns of the first schema at least. */
function insert(old: Sqlite, chunk: Chunk): void {
  const { tier: _, expires_at_ms: __, language: ___, partition: ____, ...row } = chunkToRow(chunk); // which that schema has not
  const names = Object.keys(row);
  old
    .prepare<[object]>(
      `INSERT INTO global_memory_chunks (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
    )
    .run(row);
}

test('vectors that another model wrote over are made again by the model that has lost them, and no others', async (t) => {
  const path = freshPath(t);
  const clock = clockOf(() => start);
  const before = migrations.findIndex(({ name }) => name === 'vectors of each model');
  const old = openSqlite({ path, migrations: migrations.slice(0, before), clock });
  for (const [index, text] of ['My bike is green', 'My boat is red', 'The cat sleeps'].entries())
    insert(old, oldChunk(index, text));
  const vector = Buffer.from(Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0).buffer);
  old.exec(`INSERT INTO embedding_models (id, name, dimensions, created_at_ms) VALUES (7, 'test/first/8', 8, 0), (8, 'test/second/8', 8, 0);
    INSERT INTO memory_embedding_work (model, done_to, failures, next_try_at_ms) VALUES (7, 3, 0, 0), (8, 2, 0, 0)`);
  const write = old.prepare(
    'INSERT INTO memory_embeddings (row, model, text_hash, embedding) VALUES (?, ?, ?, ?)',
  );
  // the second model came as far as the second chunk, and wrote over the vectors of the first one
  for (const [row, model] of [
    [1, 8],
    [2, 8],
    [3, 7],
  ])
    write.run(row, model, `hash ${row}`, vector);
  old.close();
  const embedder = testEmbedder('first');
  const memory = openMemory(t, { path, embedder });
  for (let turn = 0; turn < 2_000 && (await memory.status()).vectors < 3; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(embedder.calls, [['My bike is green', 'My boat is red']]);
  const { vectors, waiting } = await memory.status();
  assert.deepEqual([vectors, waiting], [3, 0]);
});

test('words of a memory of an earlier version are renewed in the background, with progress in its status, and searched at the same time', async (t) => {
  const path = freshPath(t);
  const clock = clockOf(() => start);
  const old = openSqlite({ path, migrations: migrations.slice(0, 2), clock });
  const count = 1_200;
  old.transaction(() => {
    for (let index = 0; index < count; index += 1) {
      const text = index === 7 ? 'Meine Katzen heißen Minka und Mohrle' : `Line ${index} of my log is green`;
      insert(old, oldChunk(index, text));
    }
    // as an earlier version stemmed it
    old.exec(
      "UPDATE global_memory_chunks SET said_terms = 'mein katzen heissen minka und mohrl' WHERE id = 'mem_7'",
    );
  })();
  old.close();

  const pauses: (() => void)[] = [];
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((goOn, end) => {
      pauses.push(goOn);
      signal?.addEventListener('abort', end);
    });
  const memory = openMemory(t, { path, ahead: true, clock: { ...clock, sleep } });
  const german = async () => (await memory.search({ text: 'Wie heißt meine Katze?', scope: mine })).hits;
  assert.deepEqual((await memory.status()).words, { rows: count, of: count });
  assert.equal((await memory.search({ text: 'green log', scope: mine })).hits.length, 8);
  assert.deepEqual(await german(), []);
  const seen = new Set<number>();
  await until('the words of every entry', async () => {
    pauses.shift()?.();
    const { words } = await memory.status();
    seen.add(words.rows);
    assert.equal((await memory.search({ text: 'minka', scope: mine })).hits[0]?.id, 'mem_7');
    return words.rows === 0;
  });
  assert.ok(
    [...seen].some((rows) => rows > 0 && rows < count),
    `seen ${[...seen].join(', ')} left`,
  );
  assert.equal((await german())[0]?.id, 'mem_7');
  assert.deepEqual((await memory.verify()).problems, []);
});
