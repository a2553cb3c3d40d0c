// The reserve that previews and indicators leave.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowance } from '#adapters/gateway/pace/allowance.ts';

test('finals may use all of a budget, previews leave a fifth, indicators twice as much', () => {
  for (const [limit, final, preview, sign] of [
    [1, 1, 1, 1],
    [2, 2, 1, 1],
    [3, 3, 2, 1],
    [5, 5, 4, 3],
    [20, 20, 16, 12],
    [50, 50, 40, 30],
  ] as const) {
    assert.deepEqual(
      [allowance(limit, 'final'), allowance(limit, 'preview'), allowance(limit, 'sign')],
      [final, preview, sign],
      `a budget of ${limit}`,
    );
  }
});
