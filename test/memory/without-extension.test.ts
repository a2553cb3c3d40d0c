// A memory on a machine where sqlite-vec does not load, though it did before: what is forgotten there, and what is embedded.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { testEmbedder } from './embedder.ts';
import { exchange, found, freshPath, mine, openMemory } from './open-memory.ts';
import { until } from './until.ts';

const withoutVectors = {
  loadVectorExtension() {
    throw new Error('no build of vec0 for this platform');
  },
};

const tablesOf = (file: Sqlite, end: string): string[] =>
  file
    .prepare<[string], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ?")
    .pluck()
    .all(`memory_*${end}`);

/** The rows in any index of sign bits, and how many of its bytes are not zero. */
function signsIn(t: TestContext, path: string): { rows: number[]; places: number } {
  const file = new Database(path, { readonly: true });
  t.after(() => file.close());
  const rows = tablesOf(file, '_rowids').flatMap((table) =>
    file.prepare<[], number>(`SELECT rowid FROM ${table}`).pluck().all(),
  );
  const blobs = tablesOf(file, '_vector_chunks00').flatMap((table) =>
    file.prepare<[], Buffer>(`SELECT vectors FROM ${table}`).pluck().all(),
  );
  return { rows, places: blobs.reduce((sum, blob) => sum + blob.filter((byte) => byte !== 0).length, 0) };
}

test('what is forgotten while sqlite-vec does not load leaves no sign of a vector, and what follows is found again', async (t) => {
  const path = freshPath(t);
  const embedder = testEmbedder();
  const first = openMemory(t, { path, embedder });
  await first.archive(exchange('The harbour was closed'));
  await first.archive(exchange('The ship was late'));
  await until(async () => (await first.status()).vectors === 2);
  await first.close();
  assert.ok(signsIn(t, path).places > 0);
  const without = openMemory(t, { path, embedder, ...withoutVectors });
  const { entries, remains } = await without.forget({
    scope: mine,
    selection: { words: 'harbour' },
    mode: 'forget',
  });
  assert.deepEqual([entries, remains], [1, []]);
  assert.deepEqual(signsIn(t, path).rows, [2]);
  await without.forget({ scope: mine, selection: { words: 'ship' }, mode: 'forget' });
  await without.close();
  assert.deepEqual(signsIn(t, path), { rows: [], places: 0 });
  const again = openMemory(t, { path, embedder });
  await again.archive(exchange('My bicycle is green'));
  await until(async () => (await again.status()).vectors === 1);
  assert.deepEqual(await found(again, 'cycle'), ['My bicycle is green']);
  assert.deepEqual((await again.verify()).problems, []);
});

test('what is forgotten while an index of sign bits has lost a table leaves none of its bits', async (t) => {
  const path = freshPath(t);
  const memory = openMemory(t, { path, embedder: testEmbedder() });
  await memory.archive(exchange('The harbour was closed'));
  await until(async () => (await memory.status()).vectors === 1);
  await memory.close();
  const file = new Database(path);
  for (const table of tablesOf(file, '_rowids')) file.exec(`DROP TABLE ${table}`);
  file.close();
  const broken = openMemory(t, { path });
  assert.equal(
    (await broken.forget({ scope: mine, selection: { words: 'harbour' }, mode: 'forget' })).entries,
    1,
  );
  await broken.close();
  assert.equal(signsIn(t, path).places, 0);
  assert.ok(!readFileSync(path).includes('harbour'));
});

test('vectors that an earlier version left without a chunk are reported, and a reindex removes them', async (t) => {
  const path = freshPath(t);
  const memory = openMemory(t, { path, embedder: testEmbedder() });
  await memory.archive(exchange('The harbour was closed'));
  await until(async () => (await memory.status()).vectors === 1);
  const file = new Database(path);
  t.after(() => file.close());
  file.exec('DELETE FROM global_memory_chunks');
  assert.match((await memory.verify()).problems.join(), /1 vectors have no chunk: "parley memory reindex"/);
  await memory.reindex();
  assert.deepEqual((await memory.verify()).problems, []);
});

test('vectors that were made while sqlite-vec did not load are in its index once it loads', async (t) => {
  const path = freshPath(t);
  const embedder = testEmbedder();
  const without = openMemory(t, { path, embedder, ...withoutVectors });
  await without.archive(exchange('The harbour was closed'));
  await until(async () => (await without.status()).vectors === 1);
  await without.close();
  const memory = openMemory(t, { path, embedder });
  assert.deepEqual(signsIn(t, path).rows, [1]);
  assert.deepEqual(await found(memory, 'ship'), ['The harbour was closed']);
});
