// Heavy work of one moment, some pieces for each turn of the event loop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { yieldToEventLoop } from '#base/yield-to-event-loop.ts';

test('callers are served in order, a few in each turn of the event loop, and what else is due comes in between', async () => {
  const seen: string[] = [];
  const beside = (): void => {
    seen.push('beside');
    if (seen.length < 20) setImmediate(beside);
  };
  const calls = Array.from({ length: 20 }, (_, at) => yieldToEventLoop().then(() => seen.push(String(at))));
  setImmediate(beside);
  await Promise.all(calls);
  const numbers = seen.filter((one) => one !== 'beside');
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => String(at)),
  );
  const groups = seen.join(' ').split(/(?: ?next to ?)+/);
  const sizes = groups.map((group) => group.split(' ').length);
  // fewer where the machine was busy in the meantime
  assert.ok(sizes.length >= 3 && sizes.every((size) => size <= 8), sizes.join(' '));
});

test('a caller that comes later is served as well', async () => {
  await yieldToEventLoop();
  await Promise.all([yieldToEventLoop(), yieldToEventLoop()]);
  await yieldToEventLoop();
});

test('pieces that take long do not share a turn', async () => {
  const seen: string[] = [];
  const work = (): void => {
    const until = performance.now() + 20;
    while (performance.now() < until);
    seen.push('piece');
    setImmediate(() => seen.push('beside'));
  };
  await Promise.all(Array.from({ length: 3 }, () => yieldToEventLoop().then(work)));
  assert.deepEqual(seen, ['piece', 'beside', 'piece', 'beside', 'piece']);
});

test('who comes back at once has the next turn', async () => {
  const seen: string[] = [];
  await yieldToEventLoop();
  setImmediate(() => seen.push('beside'));
  seen.push('first');
  await yieldToEventLoop();
  seen.push('second');
  assert.deepEqual(seen, ['first', 'beside', 'second']);
});
