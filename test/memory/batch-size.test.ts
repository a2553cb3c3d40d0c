// How many texts one call of the embedding model gets: fewer after a refusal, more again after enough that were not refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatchSize } from '#memory/maintenance/batch-size.ts';

test('a refused batch is halved down to a single text, and grows again only after 64 texts without a refusal', () => {
  const size = createBatchSize(8);
  assert.equal(size.now(), 8);
  const sizes = [8, 4, 2, 1].map((texts) => {
    size.refused(texts);
    return size.now();
  });
  assert.deepEqual(sizes, [4, 2, 1, 1]);
  for (let text = 1; text < 64; text += 1) size.succeeded(1);
  assert.equal(size.now(), 1);
  size.succeeded(1);
  assert.equal(size.now(), 2);
  for (let text = 2; text < 64; text += 2) size.succeeded(2);
  assert.equal(size.now(), 2, 'the texts before it grew do not count again');
  size.succeeded(2);
  assert.equal(size.now(), 4);
});

test('a refusal in between begins the count of texts again, and no call gets more than the model takes', () => {
  const size = createBatchSize(6);
  size.refused(6);
  size.succeeded(63);
  size.refused(3);
  size.succeeded(63);
  assert.equal(size.now(), 1);
  size.succeeded(1);
  size.succeeded(64);
  size.succeeded(64);
  assert.equal(size.now(), 6);
});

test('after a text that is passed over the next call is a whole batch', () => {
  const size = createBatchSize(8);
  size.refused(2);
  size.passed();
  assert.equal(size.now(), 8);
});
