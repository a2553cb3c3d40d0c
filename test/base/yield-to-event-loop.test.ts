// Heavy work of one moment, some pieces for each turn of the event loop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { yieldToEventLoop } from '#base/waiting/yield-to-event-loop.ts';

test('callers are served in order, a few in each turn of the event loop, and what else is due comes in between', async () => {
  const seen: string[] = [];
  const other = (): void => {
    seen.push('other');
    if (seen.length < 20) setImmediate(other);
  };
  const calls = Array.from({ length: 20 }, (_, at) => yieldToEventLoop().then(() => seen.push(String(at))));
  setImmediate(other);
  await Promise.all(calls);
  const numbers = seen.filter((one) => one !== 'other');
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => String(at)),
  );
  const groups = seen.join(' ').split(/(?: ?other ?)+/);
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
    setImmediate(() => seen.push('other'));
  };
  await Promise.all(Array.from({ length: 3 }, () => yieldToEventLoop().then(work)));
  assert.deepEqual(seen, ['piece', 'other', 'piece', 'other', 'piece']);
});

test('who comes back at once has the next turn', async () => {
  const seen: string[] = [];
  await yieldToEventLoop();
  setImmediate(() => seen.push('other'));
  seen.push('first');
  await yieldToEventLoop();
  seen.push('second');
  assert.deepEqual(seen, ['first', 'other', 'second']);
});
