// Vectors in the file as another program reads them: a view for each tier, asked with sqlite-vec as the docs show, and gone with what is forgotten; and for readers without the extension.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { load } from 'sqlite-vec';
import { floatsOf } from '#base/sqlite/vector-functions.ts';
import { openStoreReader } from '#memory/store/store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import { until } from '../support/found.ts';
import { withoutSqliteVec } from '../support/machine-without-sqlite-vec.ts';
import { testEmbedder } from './embedder.ts';
import { note } from './facts.ts';
import { exchange, mine, openMemory } from './open-memory.ts';

const docs = readFileSync(join(import.meta.dirname, '../../docs/memory.md'), 'utf8');

/** A memory that is open, and its file as another program opens it, with sqlite-vec. */
function opened(t: TestContext, { dimensions = 8 } = {}) {
  const memory = openMemory(t, { embedder: testEmbedder('themes', dimensions) });
  const file = new Database(memory.path);
  t.after(() => file.close());
  load(file);
  const embedded = (count: number) =>
    until('the vectors', async () => (await memory.status()).vectors === count);
  return { memory, file, embedded };
}

test('the example of the docs gives the nearest chunks of the same model, nearest first', async (t) => {
  const example = /### Ask for the nearest in SQL[\s\S]+?```sql\n([\s\S]+?)```/.exec(docs)?.[1];
  assert.ok(example !== undefined);
  const { memory, file, embedded } = opened(t);
  for (const text of ['My bike is green', 'The harbour was closed', 'We drank tea', 'The ship was late'])
    await memory.archive(exchange(text));
  await embedded(4);
  await memory.close();
  // vectors of other dimensions next to them
  const other = openMemory(t, { path: memory.path, embedder: testEmbedder('wider', 16) });
  await until('the vectors of the other model', async () => (await other.status()).vectors === 4);
  file.exec('DELETE FROM memory_embeddings WHERE model = 2 AND row = 2');
  const id = file
    .prepare<[], string>("SELECT id FROM global_memory_chunks WHERE content LIKE '%harbour%'")
    .pluck()
    .get();
  const near = file.prepare<[object], { content: string; distance: number }>(example).all({ id });
  assert.deepEqual(near[0]?.content, 'you said: The ship was late');
  assert.equal(near.length, 3);
  const distances = near.map(({ distance }) => distance);
  assert.deepEqual(
    distances,
    [...distances].sort((a, b) => a - b),
  );
  assert.ok((distances[0] ?? 1) < 0.1 && (distances[1] ?? 0) > 0.5, distances.join());
});

test('each tier has its vectors in its view, one for a chunk, as floats of length 1', async (t) => {
  const { memory, file, embedded } = opened(t);
  await memory.archive(exchange('The harbour was closed'));
  await memory.put(note('The boat of the session', { tier: 'session', sessionID: 'ses_1' }));
  await memory.put(note('The sail of the project', { tier: 'project', projectID: 'prj_1' }));
  await embedded(3);
  for (const [tier, text] of [
    ['session', 'The boat of the session'],
    ['project', 'The sail of the project'],
    ['global', 'you said: The harbour was closed'],
  ]) {
    const rows = file
      .prepare<[], { id: string; content: string; audience: string; model: string; embedding: Buffer }>(
        `SELECT vector.*, content FROM ${tier}_memory_vectors AS vector JOIN global_memory_chunks USING (row)`,
      )
      .all();
    assert.deepEqual(
      rows.map(({ content, audience, model }) => ({ content, audience, model })),
      [{ content: text, audience: 'person:per_1', model: 'test/themes/8' }],
    );
    const vector = [...floatsOf(rows[0]?.embedding ?? Buffer.alloc(0))];
    assert.ok(vector.length === 8 && Math.abs(Math.hypot(...vector) - 1) < 1e-6, String(vector));
  }
});

test('what is forgotten leaves no byte of its vector and of its sign bits in any file (M29, M30)', async (t) => {
  const { memory, file, embedded } = opened(t, { dimensions: 256 });
  for (const text of ['My bike is green', 'The harbour was closed', 'We drank tea'])
    await memory.archive(exchange(text));
  await embedded(3);
  const stored = file.prepare<[object], { embedding: Buffer; bits: Buffer }>(
    `SELECT embedding, vec_quantize_binary(embedding) AS bits
     FROM global_memory_vectors JOIN global_memory_chunks USING (row) WHERE content LIKE @like`,
  );
  const [goes, stays] = ['%harbour%', '%bike%'].map((like) => {
    const found = stored.get({ like });
    assert.ok(found !== undefined);
    // copies: a row's buffers may share their memory
    return [found.embedding, found.bits].map((bytes) => Buffer.from(bytes));
  });
  assert.ok(goes !== undefined && stays !== undefined);
  const inFiles = (bytes: Buffer): boolean =>
    ['', '-wal'].some((end) => readFileSync(memory.path + end).includes(bytes));
  /** A vector may cross the end of a page, so that it is looked for by each of its quarters too. */
  const pieces = (bytes: Buffer): Buffer[] =>
    [0, 1, 2, 3].map((quarter) =>
      bytes.subarray((quarter * bytes.length) / 4, ((quarter + 1) * bytes.length) / 4),
    );
  for (const bytes of goes) assert.ok(inFiles(bytes));
  const { entries, remains } = await memory.forget({
    ...{ scope: mine, selection: { words: 'harbour' }, mode: 'forget' },
  });
  assert.deepEqual([entries, remains], [1, []]);
  for (const bytes of goes) for (const piece of pieces(bytes)) assert.ok(!inFiles(piece));
  for (const bytes of stays) assert.ok(inFiles(bytes), 'the vectors of others are still there');
  assert.equal(file.prepare('SELECT count(*) FROM global_memory_vectors').pluck().get(), 2);
});

test('a reader on a machine for which sqlite-vec has no build finds the same neighbours, as near', async (t) => {
  const embedder = testEmbedder('themes', 256);
  const memory = openMemory(t, { embedder });
  const texts = Array.from(
    { length: 600 },
    (_, number) => `Entry ${number}: a ${number % 7 === 0 ? 'boat' : 'cat'}`,
  );
  await Promise.all(texts.map((text) => memory.archive(exchange(text))));
  await until('all vectors', async () => (await memory.status()).vectors === texts.length);
  await memory.close();
  const [vector] = await embedder.embed(['ship'], { purpose: 'query', signal: AbortSignal.abort() });
  const nearest = () => {
    const store = openStoreReader(memory.path, embedder.identity);
    const asked = store.embeddings?.question(vector ?? []);
    assert.ok(asked !== undefined);
    const readable = readableBy(mine);
    const near = store.embeddings?.nearest(asked, { readable, rows: store.chunks.total(readable) }, 20) ?? [];
    const again = store.embeddings?.similarity(
      asked,
      near.map(({ row }) => row),
    );
    store.close();
    for (const { row, similarity } of near) assert.equal(again?.get(row), similarity);
    return near;
  };
  const before = nearest();
  const { backAgain } = withoutSqliteVec(t);
  const without = nearest();
  backAgain();
  assert.equal(before.length, 20);
  assert.ok(
    before.every(({ row }) => row % 7 === 1),
    'boats are near a ship',
  );
  for (const [place, { similarity }] of before.entries())
    assert.ok(Math.abs(similarity - (without[place]?.similarity ?? 2)) < 1e-5);
});
