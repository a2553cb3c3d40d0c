// The sign bits of vectors in the file: erased with what is forgotten, made again where they are lost, and taken over from earlier versions.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { blockIn, rowsIn } from '#memory/vectors/sign-bits.ts';
import { until } from '../support/found.ts';
import { testEmbedder } from './embedder.ts';
import { exchange, found, freshPath, mine, openMemory } from './open-memory.ts';

/** The file, closed when the test ends. */
function openFile(t: TestContext, path: string): Database.Database {
  const file = new Database(path);
  t.after(() => file.close());
  return file;
}

/** The rows that have sign bits, and how many bytes of all blocks are not zero. */
function signBitsIn(t: TestContext, path: string): { rows: number[]; places: number } {
  const blocks = openFile(t, path)
    .prepare<[], { block: number; bits: Buffer }>('SELECT block, bits FROM memory_vector_bits')
    .all();
  return {
    rows: blocks.flatMap(({ block, bits }) => rowsIn(blockIn(bits), block)),
    places: blocks.reduce((sum, { bits }) => sum + bits.filter((byte) => byte !== 0).length, 0),
  };
}

/** A memory with these texts and their vectors, closed. */
async function filled(t: TestContext, texts: readonly string[]): Promise<string> {
  const path = freshPath(t);
  const memory = openMemory(t, { path, embedder: testEmbedder() });
  for (const text of texts) await memory.archive(exchange(text));
  await until('the vectors of all texts', async () => (await memory.status()).vectors === texts.length);
  await memory.close();
  return path;
}

test('what is forgotten leaves no sign of its vector, also where no model is configured any more', async (t) => {
  const path = await filled(t, ['The harbour was closed', 'The ship was late']);
  assert.deepEqual(signBitsIn(t, path).rows, [1, 2]);
  for (const [word, rows] of [
    ['harbour', [2]],
    ['ship', []],
  ] as const) {
    const memory = openMemory(t, { path });
    const { entries, remains } = await memory.forget({
      scope: mine,
      selection: { words: word },
      mode: 'forget',
    });
    assert.deepEqual([entries, remains], [1, []]);
    await memory.close();
    assert.deepEqual(signBitsIn(t, path).rows, rows);
  }
  assert.equal(signBitsIn(t, path).places, 0);
});

for (const [how, damage] of Object.entries({
  'a table of sign bits that was dropped': 'DROP TABLE memory_vector_bits',
  'a block of sign bits that was cut off': 'UPDATE memory_vector_bits SET bits = substr(bits, 1, 100)',
}))
  test(`${how} is made again at the next start, and all is found as before (M15, T41)`, async (t) => {
    const path = await filled(t, ['The harbour was closed', 'My bike is green']);
    const before = signBitsIn(t, path);
    const file = openFile(t, path);
    file.exec(damage);
    file.close();
    const memory = openMemory(t, { path, embedder: testEmbedder() });
    assert.equal((await memory.archive(exchange('We drank tea'))).status, 'stored');
    assert.equal((await found(memory, 'Where does the ship lie?'))[0], 'The harbour was closed');
    assert.deepEqual((await memory.status()).degraded, []);
    assert.deepEqual((await memory.verify()).problems, []);
    assert.deepEqual(signBitsIn(t, path).rows.slice(0, 2), before.rows);
  });

test('vectors that were left without a chunk are reported, and a reindex removes them', async (t) => {
  const path = freshPath(t);
  const memory = openMemory(t, { path, embedder: testEmbedder() });
  await memory.archive(exchange('The harbour was closed'));
  await until('1 vector', async () => (await memory.status()).vectors === 1);
  openFile(t, path).exec('DELETE FROM global_memory_chunks');
  assert.match((await memory.verify()).problems.join(), /1 vectors have no chunk: "parley memory reindex"/);
  await memory.reindex();
  assert.deepEqual((await memory.verify()).problems, []);
  assert.equal(signBitsIn(t, path).places, 0);
});

test('a question to an open memory is compared with vectors that another process made, and not with those it forgot', async (t) => {
  const path = await filled(t, ['My bike is green']);
  const [one, other] = [0, 1].map(() => openMemory(t, { path, embedder: testEmbedder() }));
  assert.ok(one !== undefined && other !== undefined);
  const nearest = async (): Promise<string | undefined> => (await found(one, 'Where does the ship lie?'))[0];
  assert.equal(await nearest(), undefined);
  await other.archive(exchange('The harbour was closed'));
  await until('2 vectors', async () => (await other.status()).vectors === 2);
  assert.equal(await nearest(), 'The harbour was closed');
  await other.forget({ scope: mine, selection: { words: 'harbour' }, mode: 'forget' });
  assert.equal(await nearest(), undefined);
});
