// The functions for vectors that SQL has: sqlite-vec's, or the same in JavaScript on a machine for which it has no build.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { bytesOf, floatsOf, loadVectorFunctions } from '#base/sqlite/vector-functions.ts';
import { withoutSqliteVec } from '../support/machine-without-sqlite-vec.ts';

function opened(t: TestContext): { database: Database.Database; missing: string | undefined } {
  const database = new Database(':memory:');
  t.after(() => database.close());
  return { database, missing: loadVectorFunctions(database) };
}

/** A connection with sqlite-vec, and one with what takes its place. */
function both(t: TestContext): Database.Database[] {
  const { backAgain } = withoutSqliteVec(t);
  const without = opened(t);
  assert.match(without.missing ?? '', /^Unsupported platform for sqlite-vec/);
  backAgain();
  const loaded = opened(t);
  assert.equal(loaded.missing, undefined);
  return [loaded.database, without.database];
}

const float = fc.oneof(fc.constantFrom(0, -0, 1, -1), fc.float({ noNaN: true, min: -8, max: 8 }));
const pairs = fc
  .integer({ min: 1, max: 40 })
  .chain((length) => fc.array(fc.tuple(float, float), { minLength: 8 * length, maxLength: 8 * length }));

/** Sums are added in another order, so the last digits may differ; infinities may not. */
function isNear(one: number, other: number): boolean {
  return Object.is(one, other) || Math.abs(one - other) < 1e-5 * Math.max(1, Math.abs(other));
}

test('JavaScript gives the lengths, distances, directions and sign bits that sqlite-vec gives', (t) => {
  const asked = both(t).map((database) =>
    database.prepare<
      [object],
      { length: number; distance: number | null; direction: Buffer; bits: Buffer; same: number | null }
    >(
      `SELECT vec_length(@a) AS length, vec_distance_cosine(@a, @b) AS distance, vec_normalize(@a) AS direction,
         vec_quantize_binary(@a) AS bits, vec_distance_cosine(@a, @a) AS same`,
    ),
  );
  fc.assert(
    fc.property(pairs, (numbers) => {
      const [a, b] = [0, 1].map((side) => bytesOf(Float32Array.from(numbers, (pair) => pair[side] ?? 0)));
      const [one, other] = asked.map((statement) => statement.get({ a, b }));
      assert.ok(one !== undefined && other !== undefined);
      assert.equal(other.length, one.length);
      assert.deepEqual(other.bits, one.bits);
      for (const key of ['distance', 'same'] as const) {
        assert.equal(other[key] === null, one[key] === null, key);
        assert.ok(isNear(other[key] ?? 0, one[key] ?? 0), key);
      }
      const [direction, expected] = [other, one].map((row) => floatsOf(row.direction));
      for (const [index, value] of (expected ?? []).entries()) {
        const got = direction?.[index] ?? Number.NaN;
        assert.ok(isNear(got, value), `${got} ${value}`);
      }
    }),
  );
});

test('what cannot be compared has no distance, and what is no vector is refused by both', (t) => {
  for (const database of both(t)) {
    const get = (sql: string, ...vectors: readonly Buffer[]): unknown =>
      database
        .prepare<Buffer[]>(`SELECT ${sql}`)
        .pluck()
        .get(...vectors);
    const zero = bytesOf(new Float32Array(8));
    const one = bytesOf(new Float32Array(8).fill(1));
    for (const wrong of [
      zero,
      ...[Number.NaN, Number.POSITIVE_INFINITY].map((n) => bytesOf(Float32Array.of(n, ...Array(7).fill(1)))),
    ])
      assert.equal(get('vec_distance_cosine(?, ?)', wrong, one), null);
    assert.throws(
      () => get('vec_distance_cosine(?, ?)', one, bytesOf(new Float32Array(16).fill(1))),
      /dimension/,
    );
    assert.throws(() => get('vec_quantize_binary(?)', bytesOf(new Float32Array(12).fill(1))), /8/);
    for (const bytes of [Buffer.alloc(0), Buffer.alloc(3)])
      for (const name of ['vec_length', 'vec_normalize', 'vec_quantize_binary'])
        assert.throws(() => get(`${name}(?)`, bytes), name);
  }
});
