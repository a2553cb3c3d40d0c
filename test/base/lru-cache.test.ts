import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLruCache } from '#base/caches/lru-cache.ts';

const words = () => createLruCache<string, string[]>(10, (value) => value.join('').length);

test('a value is there until others need its room, the one that was used longest ago going first', () => {
  const saved = words();
  saved.set('a', ['1234']);
  saved.set('b', ['1234']);
  assert.deepEqual(saved.get('a'), ['1234']);
  saved.set('c', ['1234']);
  assert.equal(saved.get('b'), undefined);
  assert.deepEqual(saved.get('a'), ['1234']);
  assert.deepEqual(saved.get('c'), ['1234']);
});

test('a value in place of another takes its room alone', () => {
  const saved = words();
  saved.set('a', ['1234567']);
  saved.set('a', ['123']);
  saved.set('b', ['1234567']);
  assert.deepEqual(saved.get('a'), ['123']);
  assert.deepEqual(saved.get('b'), ['1234567']);
});

test('what is larger than all the room is not kept, and takes no room from others', () => {
  const saved = words();
  saved.set('small', ['1234567890']);
  saved.set('large', ['12345678901']);
  assert.equal(saved.get('large'), undefined);
  assert.deepEqual(saved.get('small'), ['1234567890']);
});
