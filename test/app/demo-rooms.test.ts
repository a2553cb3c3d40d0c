// The demo's story of the rooms, on the three sandboxes and the offline model: a picture, an alert, a long thread, two people.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playRooms } from '#app/demo/play-rooms.ts';
import { roomsStory } from '#app/demo/rooms-story.ts';
import { openHouse } from './house.ts';

test('the story of the rooms comes true on each platform, and its transcript fits 80 columns', async (t) => {
  const house = await openHouse(t);
  await house.ready('discord', 'telegram', 'slack');
  const printed: string[] = [];
  const played = await playRooms({ sandbox: house.sandbox, print: (line) => printed.push(line) });
  assert.deepEqual(played, { exchanges: 3 * roomsStory.length, parts: 3 * roomsStory.length, misses: [] });
  const lines = printed.join('\n').split('\n');
  assert.deepEqual(
    lines.filter((line) => line.length > 80),
    [],
  );
  for (const platform of ['Discord', 'Telegram', 'Slack'])
    assert.equal(
      lines.filter((line) => line.startsWith(`--- ${platform}, room -`)).length,
      roomsStory.length,
    );
});

test('a scene that fails is reported with its place and its reason', async (t) => {
  const house = await openHouse(t, {
    config: { channels: { slack: { rooms: { respondTo: 'everything' } } } },
  });
  await house.ready('discord', 'telegram', 'slack');
  const { misses, exchanges } = await playRooms({
    sandbox: house.sandbox,
    print: () => undefined,
    withinMs: 8_000,
  });
  assert.ok(exchanges >= 2 * roomsStory.length, `${exchanges}`);
  assert.ok(misses.length > 0);
  for (const miss of misses) assert.match(miss, /^slack room, ".*": /);
});
