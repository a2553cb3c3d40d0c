// Exchanges of one moment in one transaction: each is told its own outcome, and none is kept from being stored by another.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, ParleyError } from '#base/errors.ts';
import { createArchiving } from '#memory/archiving.ts';
import type { Masked } from '#memory/chunks/archive.ts';
import type { Exchange } from '#memory/types/exchange.ts';
import { exchange, found, openMemory } from './open-memory.ts';

const masked = (key: string): Masked => ({ exchange: exchange(key, { key }), masked: [] });

/** An archive that writes down which keys came together; `refuse` says what is wrong with some of them. */
function noted(refuse: (keys: readonly string[]) => unknown = () => undefined) {
  const transactions: string[][] = [];
  const add = createArchiving(async (exchanges) => {
    const keys = exchanges.map((one) => one.exchange.key);
    transactions.push(keys);
    const problem = refuse(keys);
    if (problem !== undefined) throw problem;
    return keys.map((key) => ({ status: 'stored', chunkIDs: [key] }));
  });
  return { transactions, add: (key: string) => add(masked(key)) };
}

test('a single exchange is stored at once, and those that follow it closely go together, in order', async () => {
  const { transactions, add } = noted();
  const results = await Promise.all(['a', 'b', 'c', 'd'].map(add));
  assert.deepEqual(transactions, [['a'], ['b', 'c', 'd']]);
  assert.deepEqual(
    results.map((result) => 'chunkIDs' in result && result.chunkIDs[0]),
    ['a', 'b', 'c', 'd'],
  );
});

test('what comes while a transaction is in progress is stored by the next, at most sixteen at once', async () => {
  const { transactions, add } = noted();
  await Promise.all(Array.from({ length: 40 }, (_, index) => add(String(index))));
  assert.deepEqual(
    transactions.map((keys) => keys.length),
    [1, 16, 16, 7],
  );
});

test('an exchange that follows at once upon the outcome of another is stored as well', async () => {
  const { transactions, add } = noted();
  await add('a')
    .then(() => add('b'))
    .then(() => add('c'));
  assert.deepEqual(transactions, [['a'], ['b'], ['c']]);
});

test('one that cannot be stored is refused on its own, and the others are stored', async () => {
  const { transactions, add } = noted((keys) =>
    keys.includes('bad') ? new Error('no such row') : undefined,
  );
  const outcomes = await Promise.allSettled(['a', 'b', 'bad', 'c'].map(add));
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(transactions, [['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']]);
});

test('a disk that is full and a file that another process holds refuse all of them, and are tried once', async () => {
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  for (const problem of [
    full,
    new ParleyError('memory_busy', 'Another process held the lock of the memory.'),
  ]) {
    const { transactions, add } = noted(() => problem);
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(add));
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'rejected' && codeOf(outcome.reason)),
      [codeOf(problem), codeOf(problem), codeOf(problem)],
    );
    assert.deepEqual(transactions, [['a'], ['b', 'c']]);
  }
});

test('of exchanges that are archived at one moment each is stored once, and each caller learns which chunk holds it (L4, L5)', async (t) => {
  const memory = openMemory(t);
  const archived = await Promise.all([
    memory.archive(exchange('My bike is green', { key: 'run_a' })),
    memory.archive(exchange('My boat is red', { key: 'run_b' })),
    memory.archive(exchange('my bike is  green', { key: 'run_c' })),
    memory.archive(exchange('My boat is red', { key: 'run_b' })),
    memory.archive(exchange(' ', { key: 'run_d' })),
  ]);
  assert.deepEqual(
    archived.map(({ status }) => status),
    ['stored', 'stored', 'duplicate', 'duplicate', 'nothing to store'],
  );
  const ids = archived.map((one) => ('chunkIDs' in one ? one.chunkIDs[0] : undefined));
  assert.deepEqual([ids[2], ids[3]], [ids[0], ids[1]]);
  assert.equal((await memory.status()).chunks, 2);
  assert.deepEqual((await found(memory, 'bike boat')).sort(), ['My bike is green', 'My boat is red']);
});

test('an exchange that the file refuses does not stop others of the same moment from being stored', async (t) => {
  const memory = openMemory(t);
  const nowhere = { audience: 'nowhere' as Exchange['where']['audience'], restricted: true };
  const outcomes = await Promise.allSettled([
    memory.archive(exchange('My bike is green')),
    memory.archive(exchange('My boat is red')),
    memory.archive(exchange('My kite is lost', { where: nowhere })),
    memory.archive(exchange('My sled is blue')),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal((await memory.status()).chunks, 3);
  assert.deepEqual(await found(memory, 'sled'), ['My sled is blue']);
});
