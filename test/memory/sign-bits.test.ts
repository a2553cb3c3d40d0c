// Which sign bits differ least: the same rows as counting every bit finds, of all rows and of some, whatever was changed and erased.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { bytesOf, loadVectorFunctions } from '#base/sqlite/vector-functions.ts';
import {
  blockRows,
  emptyBlock,
  nearestRows,
  rowsIn,
  setBits,
  signBitsOf,
  wordsIn,
} from '#memory/vectors/sign-bits.ts';

const database = new Database(':memory:');
loadVectorFunctions(database);
after(() => database.close());

function bitsOf(vector: Float32Array): Int32Array {
  const made = database.prepare<[object], Buffer>(`SELECT ${signBitsOf('@vector', vector.length)}`).pluck();
  return wordsIn(made.get({ vector: bytesOf(vector) }) ?? Buffer.alloc(0), vector.length);
}

type Blocks = Map<number, Int32Array>;

function put(blocks: Blocks, row: number, vector: Float32Array | undefined, dimensions: number): void {
  const number = Math.floor(row / blockRows);
  const block = blocks.get(number) ?? emptyBlock(dimensions);
  blocks.set(number, block);
  setBits(block, row, vector && bitsOf(vector));
}

const differing = (a: Float32Array, b: Float32Array): number =>
  a.reduce((count, value, index) => count + (value > 0 === (b[index] ?? 0) > 0 ? 0 : 1), 0);

const vectors = (dimensions: number) =>
  fc
    .array(fc.constantFrom(-1, -0.5, 0, 0.5, 1), { minLength: dimensions, maxLength: dimensions })
    .map((values) => Float32Array.from(values));

const histories = fc.integer({ min: 1, max: 70 }).chain((dimensions) =>
  fc.record({
    dimensions: fc.constant(dimensions),
    question: vectors(dimensions),
    most: fc.integer({ min: 1, max: 8 }),
    // a row that comes twice is written again; one without a vector is erased
    steps: fc.array(fc.tuple(fc.integer({ min: 1, max: 3 * blockRows }), fc.option(vectors(dimensions))), {
      maxLength: 40,
    }),
  }),
);

test('the nearest are the rows whose sign bits differ least, among all rows and among some of them', () => {
  fc.assert(
    fc.property(histories, ({ dimensions, question, most, steps }) => {
      const blocks: Blocks = new Map();
      const stored = new Map<number, Float32Array>();
      for (const [row, vector] of steps) {
        put(blocks, row, vector ?? undefined, dimensions);
        if (vector === null) stored.delete(row);
        else stored.set(row, vector);
      }
      const best = (rows: readonly number[]): number[] =>
        rows
          .map((row) => differing(stored.get(row) ?? question, question))
          .sort((a, b) => a - b)
          .slice(0, most);
      const all = [...stored.keys()].sort((a, b) => a - b);
      const some = all.filter((row) => row % 2 === 0);
      for (const [rows, within] of [
        [all, undefined],
        [some, [...some, 4 * blockRows]],
      ] as const) {
        const nearest = nearestRows(blocks, bitsOf(question), { most, rows: within });
        assert.equal(new Set(nearest).size, nearest.length);
        assert.ok(nearest.every((row) => rows.includes(row)));
        assert.deepEqual(
          nearest.map((row) => differing(stored.get(row) ?? question, question)),
          best(rows),
        );
      }
      assert.deepEqual(
        [...blocks].flatMap(([number, block]) => rowsIn(block, number)).sort((a, b) => a - b),
        all,
      );
    }),
  );
});

test('a row that is erased leaves no bit in its block', () => {
  const block = emptyBlock(70);
  setBits(block, 300, bitsOf(new Float32Array(70).fill(1)));
  assert.ok(block.some((word) => word !== 0));
  setBits(block, 300, undefined);
  assert.ok(block.every((word) => word === 0));
});
