// Heavy work of one moment, a piece for each turn of the event loop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breathe } from '#base/breathe.ts';

test('each caller has a turn of the event loop, in order, and what else is due comes in between', async () => {
  const seen: string[] = [];
  const beside = (): void => {
    seen.push('beside');
    if (seen.length < 12) setImmediate(beside);
  };
  const calls = ['first', 'second', 'third'].map((name) => breathe().then(() => seen.push(name)));
  setImmediate(beside);
  await Promise.all(calls);
  assert.deepEqual(seen, ['first', 'beside', 'second', 'beside', 'third']);
});

test('a caller that comes later is served as well', async () => {
  await breathe();
  await Promise.all([breathe(), breathe()]);
  await breathe();
});
