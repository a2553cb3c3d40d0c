// What was seen of rows is kept between questions, and nothing of it outlives what another connection to the file does to them.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { createIds } from '#base/ids.ts';
import { createFind } from '#memory/search/find.ts';
import { createPools } from '#memory/search/pool.ts';
import { readableBy } from '#memory/store/audience.ts';
import { openStore, type Store } from '#memory/store/store.ts';
import { loadSqliteVec } from '#memory/store/vectors.ts';
import type { Scope } from '#memory/terms/scope.ts';
import { clockOf } from '../../support/clock-of.ts';
import { by, note } from '../facts.ts';
import { exchange, mine, openMemory, start } from '../open-memory.ts';

const rows = [1, 2, 3, 4];
const expiresAt = start + 1_000;

/** Four rows that a pool read, the third of which expires; and what it gives of them now, beside what the file holds. */
async function openSeen(t: TestContext) {
  const time = { now: start };
  const clock = clockOf(() => time.now);
  const another = openMemory(t, { clock });
  await another.archive(exchange('My bike is green', { key: 'run_1' }));
  const kept = await another.put(note('The boat is red'));
  await another.put(note('The tent is rented', { expiresAt }));
  await another.archive(exchange('My kayak is blue', { key: 'run_4' }));
  const own = { path: another.path, clock, newId: createIds(clock), loadVectorExtension: loadSqliteVec };
  const store = openStore(own);
  t.after(() => store.close());
  const pools = createPools(store.chunks);
  const asked = { rows: 0 };
  const readableRows = store.chunks.readableRows;
  store.chunks.readableRows = (some, reader) => {
    asked.rows += some.length;
    return readableRows(some, reader);
  };
  const seen = (scope: Scope = mine) => {
    const readable = readableBy(scope);
    asked.rows = 0;
    const found = [...pools(readable, store.chunks.changes()).read(rows).values()];
    assert.deepEqual(found, store.chunks.byRows(rows, readable));
    return { found, asked: asked.rows };
  };
  assert.equal(seen().found.length, 4);
  return { another, store, seen, time, id: 'id' in kept ? kept.id : '' };
}

test('rows that were seen are not asked for again, but for those that expire', async (t) => {
  const { another, seen } = await openSeen(t);
  assert.equal(seen().asked, 1);
  await another.archive(exchange('My tent is torn', { key: 'run_5' }));
  assert.equal(seen().asked, 1, 'a new row changes nothing of the others');
});

test('what another connection says again is said when it says so', async (t) => {
  const { another, seen } = await openSeen(t);
  await another.archive(exchange('My bike is green', { key: 'run_6', at: start + 60_000 }));
  assert.deepEqual(
    seen().found.map((chunk) => chunk.lastSaidAt - start),
    [60_000, 0, 0, 0],
  );
  assert.equal(seen().asked, 1);
});

test('M27: what another connection demotes, forgets or gives to another is not read again', async (t) => {
  const { another, seen, id } = await openSeen(t);
  await another.demote({ id, scope: mine, by });
  assert.deepEqual(
    seen().found.map(({ row }) => row),
    [1, 3, 4],
  );
  await another.forget({ scope: mine, selection: { words: 'kayak' }, mode: 'forget' });
  assert.deepEqual(
    seen().found.map(({ row }) => row),
    [1, 3],
  );
  const file = new Database(another.path);
  t.after(() => file.close());
  file.exec("UPDATE global_memory_chunks SET audience = 'person:per_2' WHERE row = 1");
  assert.deepEqual(
    seen().found.map(({ row }) => row),
    [3],
  );
});

test('M27: what is demoted while vectors are compared is not found by them', async (t) => {
  const { another, store, id } = await openSeen(t);
  const nearest = async () => {
    await another.demote({ id, scope: mine, by });
    return [{ row: 2, similarity: 1 }];
  };
  const embeddings = { nearest, degraded: () => [] } as unknown as Store['embeddings'];
  const find = createFind({ ...store, embeddings });
  const rowsFor = async (text: string, vector?: Float32Array): Promise<number[]> =>
    (await find({ text, scope: mine, vector })).ranked.map(({ chunk }) => chunk.row);
  assert.deepEqual(await rowsFor('boat'), [2]);
  assert.deepEqual(await rowsFor('kayak', new Float32Array(1)), [4]);
});

test('M27: what expires is not read again, although nothing is written', async (t) => {
  const { seen, time } = await openSeen(t);
  time.now = expiresAt;
  assert.deepEqual(
    seen().found.map(({ row }) => row),
    [1, 2, 4],
  );
});

test("M27: what one scope was seen to read is no other scope's", async (t) => {
  const { seen } = await openSeen(t);
  assert.deepEqual(seen({ audiences: ['person:per_2'], spaces: [], everyone: false }).found, []);
  assert.equal(seen().found.length, 4);
});
