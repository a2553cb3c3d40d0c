import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKept } from '#base/kept.ts';

const words = () => createKept<string, string[]>(10, (value) => value.join('').length);

test('a value is there until others need its room, the one that was used longest ago going first', () => {
  const kept = words();
  kept.set('a', ['1234']);
  kept.set('b', ['1234']);
  assert.deepEqual(kept.get('a'), ['1234']);
  kept.set('c', ['1234']);
  assert.equal(kept.get('b'), undefined);
  assert.deepEqual(kept.get('a'), ['1234']);
  assert.deepEqual(kept.get('c'), ['1234']);
});

test('a value in place of another takes its room alone', () => {
  const kept = words();
  kept.set('a', ['1234567']);
  kept.set('a', ['123']);
  kept.set('b', ['1234567']);
  assert.deepEqual(kept.get('a'), ['123']);
  assert.deepEqual(kept.get('b'), ['1234567']);
});

test('what is larger than all the room is not kept, and takes no room from others', () => {
  const kept = words();
  kept.set('small', ['1234567890']);
  kept.set('large', ['12345678901']);
  assert.equal(kept.get('large'), undefined);
  assert.deepEqual(kept.get('small'), ['1234567890']);
});
