// The built-in vectors: deterministic, of length one, alike for misspellings, and never a number that poisons a search.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashedEmbedding, hashedModel, normalised } from '#memory/store/hashed-embedding.ts';

function cosine(a: string, b: string): number {
  const [x, y] = [hashedEmbedding(a), hashedEmbedding(b)];
  assert.ok(x !== undefined && y !== undefined);
  return x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
}

test('M19: a vector that is not finite, or is zero, is refused before it can reach an index', () => {
  assert.equal(normalised(new Float32Array([1, Number.NaN])), undefined);
  assert.equal(normalised(new Float32Array([1, Number.POSITIVE_INFINITY])), undefined);
  assert.equal(normalised(new Float32Array(3)), undefined);
  assert.equal(normalised(new Float32Array([3e38, 3e38]))?.length, 2);
});

test('every text with words has a vector of 384 finite values and length one, and others have none', () => {
  assert.equal(hashedEmbedding(' .,!? '), undefined);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const vector = hashedEmbedding(text);
      if (vector === undefined) return;
      assert.equal(vector.length, hashedModel.dimensions);
      const length = Math.hypot(...vector);
      assert.ok(Math.abs(length - 1) < 1e-4, String(length));
    }),
  );
});

test('equal texts have equal vectors, misspelt ones near vectors, others far ones', () => {
  assert.ok(Math.abs(cosine('My bike is green', 'my BIKE is green!') - 1) < 1e-6);
  assert.ok(cosine('bicycle saddle', 'bycicle sadle') > 0.25);
  assert.ok(cosine('lockercode', 'locker code') > 0.45);
  assert.ok(Math.abs(cosine('bicycle saddle', 'weather tomorrow')) < 0.25);
});
