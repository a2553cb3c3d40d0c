// Vectors of a model: made after the write, kept by the model's identity, and never needed for anything else to work.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { momentOf } from '#base/clock.ts';
import { createEmbeddingQueue } from '#memory/maintenance/embedding-queue.ts';
import { openStore } from '#memory/store/store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import { clockOf } from '../support/clock-of.ts';
import { until } from '../support/found.ts';
import { testEmbedder } from './embedder.ts';
import { note } from './facts.ts';
import { exchange, found, freshPath, mine, openMemory, start } from './open-memory.ts';

for (const [name, entries] of Object.entries({
  'compared with every vector': 3,
  'chosen by sign bits': 600,
})) {
  test(`what is written in other words is found by its vector, ${name}`, async (t) => {
    const memory = openMemory(t, { embedder: testEmbedder('themes', 256) });
    await Promise.all(
      Array.from({ length: entries - 3 }, (_, number) =>
        memory.archive(exchange(`Entry ${number}: a bicycle`)),
      ),
    );
    for (const text of ['My bicycle is green', 'The harbour was closed', 'We drank tea'])
      await memory.archive(exchange(text));
    const vectors = async () => (await memory.status()).vectors;
    await until('the vectors of all entries', async () => (await vectors()) === entries);
    assert.equal((await found(memory, 'Where does the ship lie?'))[0], 'The harbour was closed');
    const { hits } = await memory.search({ text: 'ship', scope: mine });
    assert.ok((hits[0]?.scoreParts.nearness ?? 0) > 0.9);
    const other = { audiences: ['person:per_2' as const], spaces: [], everyone: false };
    assert.deepEqual((await memory.search({ text: 'ship', scope: other })).hits, []);
    assert.deepEqual(
      (await memory.recall({ text: 'ship', scope: mine })).hits.map((hit) => hit.text),
      ['you said: The harbour was closed'],
      'a run is given it too',
    );
    assert.deepEqual((await memory.recall({ text: 'hello', scope: mine })).hits, []);
  });
}

test('a model that fails loses no write, is reported, left alone for longer each time, and asked again (M12)', async (t) => {
  const path = freshPath(t);
  let now = start;
  const slept: number[] = [];
  let wake = (): void => {};
  const clock = {
    now: () => now,
    monotonic: () => momentOf(now),
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        slept.push(ms);
        wake = () => {
          now += ms;
          resolve();
        };
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
  };
  const embedder = testEmbedder();
  embedder.fault = { error: new Error('503 from the model') };
  const memory = openMemory(t, { path, clock, embedder });
  assert.equal((await memory.archive(exchange('My bicycle is green'))).status, 'stored');
  await until('the first pause', async () => slept.length === 1);
  const { hits, degraded } = await memory.search({ text: 'bicycle', scope: mine });
  assert.equal(hits.length, 1);
  assert.deepEqual(degraded, ['index behind by 1 (503 from the model)']);
  wake();
  await until('the second pause', async () => slept.length === 2);
  assert.deepEqual(slept, [2_000, 4_000]);
  await memory.close();
  embedder.fault = undefined;
  const again = openMemory(t, { path, clock, embedder });
  await until('the third pause', async () => slept.length === 3);
  assert.equal(slept[2], 4_000, 'a restart does not hurry');
  wake();
  await until('1 vector', async () => (await again.status()).vectors === 1);
  assert.deepEqual((await again.search({ text: 'bicycle', scope: mine })).degraded, []);
});

test('vectors of another model with the same dimensions are never compared, and each model keeps its own (M13)', async (t) => {
  const path = freshPath(t);
  const first = openMemory(t, { path, embedder: testEmbedder('first') });
  await first.archive(exchange('The harbour was closed'));
  await until('1 vector', async () => (await first.status()).vectors === 1);
  await first.close();
  const second = testEmbedder('second');
  second.fault = { error: new Error('offline') };
  const clock = clockOf(
    () => start,
    () => new Promise<void>(() => {}),
  );
  const store = openStore({
    path,
    clock,
    newId: () => 'mem_x',
    identity: second.identity,
  });
  t.after(() => store.close());
  const readable = readableBy(mine);
  const rows = store.chunks.total(readable);
  assert.equal(rows, 1);
  const asked = store.embeddings?.question([0, 1, 0, 0, 0, 0, 0, 0.1]);
  assert.ok(asked !== undefined);
  assert.deepEqual(store.embeddings?.nearest(asked, { readable, rows }, 5), []);
  assert.equal(store.embeddings?.behind(), 1);
});

test('other dimensions start, search by words, and are made row by row from where they stopped (M11, M14)', async (t) => {
  const path = freshPath(t);
  const texts = Array.from({ length: 10 }, (_, index) => `The harbour number ${index} was closed`);
  const first = openMemory(t, { path, embedder: testEmbedder('themes', 8) });
  for (const text of texts) await first.archive(exchange(text));
  await until('10 vectors', async () => (await first.status()).vectors === 10);
  await first.close();
  const wider = testEmbedder('themes', 12);
  const clock = clockOf(() => start);
  const store = openStore({
    path,
    clock,
    newId: () => 'mem_x',
    identity: wider.identity,
  });
  const parts = store.embeddings;
  assert.ok(parts !== undefined);
  assert.deepEqual([parts.count(), parts.behind()], [0, 10]);
  // stopped after one batch
  const chunks = parts.waiting(4);
  const made = await wider.embed(
    chunks.map(({ text }) => text),
    { purpose: 'document', signal: AbortSignal.abort() },
  );
  parts.save(chunks, new Map(made.map((vector, place) => [place, Float32Array.from(vector)])));
  assert.deepEqual([parts.count(), parts.behind()], [4, 6]);
  const file = new Database(path, { readonly: true });
  t.after(() => file.close());
  const byModel = file
    .prepare<[], number>('SELECT count(*) FROM memory_embeddings GROUP BY model ORDER BY model')
    .pluck();
  assert.deepEqual(byModel.all(), [10, 4], 'the vectors of the other model stay');
  wider.calls.length = 0;
  const queue = createEmbeddingQueue({
    embeddings: parts,
    embedder: wider,
    clock,
    logSettled: async () => {},
    retryWhileLocked: store.retryWhileLocked,
  });
  await until('no text without a vector', async () => parts.behind() === 0);
  await queue.end();
  assert.deepEqual(
    wider.calls.map((call) => call.length),
    [4, 2],
  );
  store.close();
});

test('a vector that is not finite, is zero or has other dimensions is refused, and nothing is held up by it (M19)', async (t) => {
  const embedder = testEmbedder();
  const memory = openMemory(t, { embedder });
  for (const vector of [
    [Number.NaN, 1, 1, 1, 1, 1, 1, 1],
    [0, 0, 0, 0, 0, 0, 0, 0],
    [1, 2, 3],
  ]) {
    embedder.fault = { vector };
    await memory.archive(exchange(`My boat is ${vector.join(' ')}`));
    await until('all of search', async () => (await memory.status()).degraded.length === 0);
  }
  assert.equal((await memory.status()).vectors, 0);
  embedder.fault = undefined;
  await memory.archive(exchange('The harbour was closed'));
  await until('1 vector', async () => (await memory.status()).vectors === 1);
  embedder.fault = { vector: [Number.NaN] };
  const { hits, degraded } = await memory.search({ text: 'boat', scope: mine });
  assert.equal(hits.length, 3);
  assert.match(degraded.join(), /^no embeddings \(expected a vector of 8 numbers, got 1\)$/);
});

test('the same text is embedded once, and what is forgotten leaves no vector of any model', async (t) => {
  const path = freshPath(t);
  const embedder = testEmbedder();
  const memory = openMemory(t, { path, embedder });
  const where = { audience: 'person:per_2', restricted: true } as const;
  await memory.archive(exchange('The harbour was closed'));
  await until('1 vector', async () => (await memory.status()).vectors === 1);
  await memory.archive(exchange('The harbour was closed', { key: 'run_2', where }));
  await until('2 vectors', async () => (await memory.status()).vectors === 2);
  assert.equal(embedder.calls.length, 1);
  await memory.forget({ scope: mine, selection: { words: 'harbour' }, mode: 'forget' });
  await memory.close();
  const file = new Database(path);
  t.after(() => file.close());
  const count = (table: string) => file.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();
  assert.deepEqual([count('memory_embeddings'), count('memory_embedding_cache')], [1, 0]);
  assert.ok(readFileSync(path).length > 0);
});

test('no secret reaches an embedding model, neither from what is stored nor from a question, and the vector of one that was masked later goes (M44)', async (t) => {
  const embedder = testEmbedder();
  const memory = openMemory(t, { embedder });
  const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  await memory.archive(exchange(`The ship's key is ${key}`));
  await memory.archive(exchange('The boat is old'));
  const count = async () => (await memory.status()).vectors;
  await until('2 vectors', async () => (await count()) === 2);
  await memory.search({ text: `whose is ${key}?`, scope: mine });
  assert.ok(!JSON.stringify(embedder.calls).includes(key));
  // the queue looks once more whether anything waits: it is not to meet what another writes below before the scan does
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const file = new Database(memory.path);
  t.after(() => file.close());
  file.exec(
    `UPDATE global_memory_chunks SET content = 'The boat token is ${key}' WHERE content LIKE '%old%'`,
  );
  const vectorsOf = () =>
    file
      .prepare<[], { row: number; text_hash: string }>(
        'SELECT row, text_hash FROM memory_embeddings ORDER BY row',
      )
      .all();
  const before = vectorsOf();
  assert.equal((await memory.scan({ mode: 'fix' })).found.length, 1);
  await until('2 vectors', async () => vectorsOf().length === 2);
  const after = vectorsOf();
  assert.equal(after[0]?.text_hash, before[0]?.text_hash);
  assert.notEqual(after[1]?.text_hash, before[1]?.text_hash);
  assert.ok(!JSON.stringify(embedder.calls).includes(key));
});

test('tiers and expiry hold for what is only near, and in a thread', async (t) => {
  const memory = openMemory(t, { embedder: testEmbedder(), threadAbove: { rows: 0, bytes: 0 } });
  await memory.put(note('The boat of the session', { tier: 'session', sessionID: 'ses_1' }));
  await memory.put(note('The harbour of all', { sensitivity: 'sensitive' }));
  await memory.put(note('The sail that was', { expiresAt: 1 }));
  await until('3 vectors', async () => (await memory.status()).vectors === 3);
  const seen = async (sessionID: string) => {
    const { hits } = await memory.search({ text: 'ship', scope: { ...mine, sessionID } });
    return hits.map(({ text }) => text).sort();
  };
  assert.deepEqual(await seen('ses_1'), ['The boat of the session', 'The harbour of all']);
  assert.deepEqual(await seen('ses_2'), ['The harbour of all']);
  const { hits } = await memory.recall({ text: 'Which harbour of all is it?', scope: mine });
  assert.deepEqual(hits, [], 'what is sensitive does not come up unasked, from a thread either');
});
