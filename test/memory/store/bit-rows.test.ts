// Rows whose bits are near, beside a count of every bit by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createBitRows } from '#memory/store/bit-rows.ts';
import { createRowSet } from '#memory/store/row-set.ts';

test('the nearest rows are those with the fewest different bits that count, newer ones first, whatever the size of the table', () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const table = fc.integer({ min: 1, max: 40 }).chain((length) =>
    fc.record({
      rows: fc.array(bytes(length), { maxLength: 200 }),
      together: fc.integer({ min: 1, max: 9 }),
      signs: bytes(length),
      told: bytes(length),
      most: fc.integer({ min: 1, max: 20 }),
    }),
  );
  fc.assert(
    fc.property(table, ({ rows, together, signs, told, most }) => {
      const all = createBitRows(8 * signs.length, 0);
      const scope = createRowSet(0);
      for (let index = 0; index < rows.length; index += together) {
        const part = rows.slice(index, index + together);
        // its bits begin at the second byte
        const block = Uint8Array.of(255, ...part.flatMap((row) => [...row]));
        all.add(
          part.map((_, place) => 2 * (index + place)),
          block,
          1,
        );
        // a question between two writes finds those that are there
        if (index === 0) all.nearest({ signs, told, rows: scope, most });
      }
      for (const index of rows.keys()) if (index % 3 !== 0) scope.add(2 * index);
      scope.add(100_000); // one that has no bits
      const different = (row: Uint8Array): number =>
        row.reduce((sum, byte, at) => sum + ones((byte ^ (signs[at] ?? 0)) & (told[at] ?? 0)), 0);
      const expected = [...rows.entries()]
        .filter(([index]) => index % 3 !== 0)
        .sort(([a, one], [b, other]) => different(one) - different(other) || b - a)
        .slice(0, most)
        .map(([index]) => 2 * index);
      assert.deepEqual(all.nearest({ signs, told, rows: scope, most }), expected);
    }),
    { numRuns: 100 },
  );
});

function ones(byte: number): number {
  return byte.toString(2).replaceAll('0', '').length;
}
