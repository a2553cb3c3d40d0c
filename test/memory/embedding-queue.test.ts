// An index that is behind: it keeps serving, says so, is never waited for, and never written by a search.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createEmbeddingQueue } from '#memory/maintenance/embedding-queue.ts';
import { openStore } from '#memory/store/store.ts';
import { hashOf } from '#memory/vectors/text-hash.ts';
import { until } from '../support/found.ts';
import { testEmbedder } from './embedder.ts';
import { exchange, found, freshPath, mine, openMemory } from './open-memory.ts';

/** A model whose answers are given when the test says so. */
function heldEmbedder() {
  const embedder = testEmbedder();
  const { embed } = embedder;
  const held: (() => void)[] = [];
  embedder.embed = async (texts, options) => {
    const vectors = await embed(texts, options);
    await new Promise<void>((resolve, reject) => {
      held.push(resolve);
      options.signal.addEventListener('abort', () => reject(options.signal.reason), { once: true });
    });
    return vectors;
  };
  return { embedder, held };
}

test('while vectors are made every search continues and says what is missing, and what came in the meantime stays due (M1, M2, M3, M6)', async (t) => {
  const { embedder, held } = heldEmbedder();
  const memory = openMemory(t, { embedder });
  await memory.archive(exchange('The harbour was closed'));
  await until('the first call of the model', () => held.length === 1);
  await memory.archive(exchange('My bicycle is green'));
  const { hits, degraded } = await memory.search({ text: 'harbour', scope: mine });
  assert.deepEqual([hits.length, degraded], [1, ['index behind by 2']]);
  held[0]?.();
  await until('the second call of the model', () => held.length === 2);
  assert.deepEqual((await memory.status()).degraded, ['index behind by 1']);
  held[1]?.();
  await until('2 vectors', async () => (await memory.status()).vectors === 2);
  assert.deepEqual((await memory.status()).degraded, []);
});

test('a memory is closed once the model has answered what it was asked, so that nothing of it continues behind that', async (t) => {
  const embedder = testEmbedder();
  const { embed } = embedder;
  const answer = Promise.withResolvers<void>();
  let state: 'idle' | 'begun' | 'ended' = 'idle';
  embedder.embed = async (texts, options) => {
    state = 'begun';
    await answer.promise; // it ends what it does, whatever the signal says
    state = 'ended';
    return embed(texts, options);
  };
  const memory = openMemory(t, { embedder });
  await memory.archive(exchange('The harbour was closed'));
  await until('the call of the model', () => state === 'begun');
  const closed = memory.close().then(() => state);
  setTimeout(answer.resolve, 100);
  assert.equal(await closed, 'ended');
});

test('a search that finds nothing writes nothing and has nothing made again (M5)', async (t) => {
  const embedder = testEmbedder();
  const memory = openMemory(t, { embedder });
  await memory.archive(exchange('The harbour was closed'));
  await until('1 vector', async () => (await memory.status()).vectors === 1);
  const file = new Database(memory.path, { readonly: true });
  t.after(() => file.close());
  const version = () => file.pragma('data_version', { simple: true });
  const [before, saved] = [version(), embedder.calls.length];
  for (const text of ['zeppelin', 'bcyle', '', '東京']) await memory.search({ text, scope: mine });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(version(), before);
  // only the questions themselves were asked of the model
  assert.deepEqual(embedder.calls.slice(saved), [['zeppelin'], ['bcyle'], ['東京']]);
});

test('the first search of a program finds what another one wrote before it (M7)', async (t) => {
  const path = freshPath(t);
  const writer = openMemory(t, { path });
  await writer.archive(exchange('The harbour was closed'));
  const reader = openMemory(t, { path });
  assert.deepEqual(await found(reader, 'harbour'), ['The harbour was closed']);
});

test('another model changes nothing about what is found by words, and what is forgotten then is gone for every model (M9)', async (t) => {
  const path = freshPath(t);
  const first = openMemory(t, { path, embedder: testEmbedder('first') });
  await first.archive(exchange('The harbour was closed'));
  await until('1 vector', async () => (await first.status()).vectors === 1);
  await first.close();
  const second = openMemory(t, { path, embedder: heldEmbedder().embedder });
  assert.deepEqual(await found(second, 'harbour'), ['The harbour was closed']);
  await second.forget({ scope: mine, selection: { words: 'harbour' }, mode: 'forget' });
  assert.deepEqual(await found(second, 'harbour'), []);
  assert.deepEqual(await second.verify(['harbour']), { problems: [], traces: [] });
});

test('many entries with vectors are forgotten in one step, and none of them leaves a vector behind (M33)', async (t) => {
  const path = freshPath(t);
  const embedder = testEmbedder();
  embedder.atOnce = 50;
  const memory = openMemory(t, { path, embedder });
  for (let index = 0; index < 150; index += 1) await memory.archive(exchange(`boat number ${index}`));
  await until('150 vectors', async () => (await memory.status()).vectors === 150);
  const { entries, remains } = await memory.forget({
    scope: mine,
    selection: { words: 'boat' },
    mode: 'forget',
  });
  assert.deepEqual([entries, remains], [150, []]);
  assert.equal((await memory.status()).vectors, 0);
  assert.deepEqual((await memory.verify()).problems, []);
});

test('between its transactions the queue waits while the log is being carried into the file', async (t) => {
  const path = freshPath(t);
  const embedder = { ...testEmbedder(), atOnce: 64 };
  const memory = openMemory(t, { path });
  await Promise.all(Array.from({ length: 40 }, (_, index) => memory.archive(exchange(`entry ${index}`))));
  await memory.close();
  const store = openStore({
    path,
    clock: systemClock,
    newId: createIds(systemClock),
    identity: embedder.identity,
  });
  t.after(() => store.close());
  const { embeddings, retryWhileLocked } = store;
  if (embeddings === undefined) return assert.fail('expected the vectors of a model');
  const waits: PromiseWithResolvers<void>[] = [];
  const logSettled = (): Promise<void> => {
    const wait = Promise.withResolvers<void>();
    waits.push(wait);
    return wait.promise;
  };
  const queue = createEmbeddingQueue({
    embeddings,
    embedder,
    clock: systemClock,
    retryWhileLocked,
    logSettled,
  });
  for (const saved of [16, 32, 40]) {
    await until('a pause', () => waits.length > 0);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(embeddings.count(), saved);
    waits.shift()?.resolve();
  }
  await queue.end();
});

test('of a file that is imported again after a change, only what changed goes to the embedding model', async (t) => {
  const embedder = testEmbedder();
  const memory = openMemory(t, { embedder });
  const path = join(dirname(memory.path), 'notes.md');
  const load = async (second: string): Promise<string> => {
    writeFileSync(
      path,
      `# Garage\n\n${'The bike is green. '.repeat(40)}\n\n# Kitchen\n\n${second.repeat(40)}\n`,
    );
    const where = { audience: 'person:per_1', restricted: true } as const;
    await memory.importPath({ path, format: 'directory', where });
    await until('every vector', async () => {
      const { chunks, vectors } = await memory.status();
      return chunks > 1 && vectors === chunks;
    });
    return embedder.calls.splice(0).flat().join(' ');
  };
  const first = await load('We drink tea there. ');
  assert.match(first, /bike/);
  assert.match(first, /tea/);
  const again = await load('We drink coffee there. ');
  assert.match(again, /coffee/);
  assert.doesNotMatch(again, /bike/);
});

test('what is written again while vectors are made gets the vector of what it says then, also where it came before them', async (t) => {
  const { embedder, held } = heldEmbedder();
  const memory = openMemory(t, { embedder });
  const file = new Database(memory.path);
  t.after(() => file.close());
  const hashes = () => file.prepare('SELECT text_hash FROM memory_embeddings ORDER BY row').pluck().all();
  const vectors = (count: number) =>
    until(`${count} vectors`, async () => {
      for (const answer of held.splice(0)) answer();
      return (await memory.status()).vectors === count;
    });
  await memory.archive(exchange('The boat is called placeholderword'));
  await vectors(1);
  await memory.archive(exchange('The cat is called placeholderword'));
  await until('the first call of the model', () => held.length === 1);
  const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  for (const column of ['content', 'user_text'])
    file
      .prepare(`UPDATE global_memory_chunks SET ${column} = replace(${column}, 'placeholderword', ?)`)
      .run(key);
  assert.equal((await memory.scan({ mode: 'fix' })).found.length, 2);
  await vectors(2);
  assert.deepEqual(
    hashes(),
    ['boat', 'cat'].map((name) => hashOf(`The ${name} is called [redacted:github token]`)),
  );
  assert.deepEqual((await memory.status()).degraded, []);
  assert.equal(embedder.calls.flat().join().includes(key), false);
});

test('a file that was imported again while the model was down leaves no vector once it is forgotten, nor one of what it said before', async (t) => {
  const embedder = testEmbedder();
  const memory = openMemory(t, { embedder, clock: systemClock });
  const path = join(dirname(memory.path), 'notes.md');
  const load = async (...lines: string[]) => {
    writeFileSync(path, lines.map((line) => `# About it\n\n${line.repeat(40)}\n`).join('\n'));
    const where = { audience: 'person:per_1', restricted: true } as const;
    await memory.importPath({ path, format: 'directory', where });
  };
  await load('The bike is green. ', 'We drink tea there. ');
  await until('every vector', async () => {
    const { chunks, vectors } = await memory.status();
    return chunks > 1 && vectors === chunks;
  });
  embedder.fault = { error: new Error('the model is down') };
  await load('The cat is old. ', 'The bike is green. ', 'We sail a boat. ');
  const file = new Database(memory.path);
  t.after(() => file.close());
  const cached = file.prepare('SELECT count(*) FROM memory_embedding_cache').pluck();
  assert.notEqual(cached.get(), 0);
  await memory.forget({ scope: mine, selection: { source: path }, mode: 'forget' });
  assert.deepEqual([cached.get(), (await memory.status()).vectors], [0, 0]);
});
