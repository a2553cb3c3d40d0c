// The demo's story of the rooms, on the three sandboxes and the offline model: a picture, an alert, a long thread, two people.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playRooms } from '#app/demo/play-rooms.ts';
import { roomsStory } from '#app/demo/rooms-story.ts';
import { acts, story } from '#app/demo/story.ts';
import { createAsAbove } from '#app/demo/transcript.ts';
import type { ShownMessage } from '#sandbox/contract.ts';
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
  for (const picture of printed
    .join('\n')
    .split('\n--- ')
    .filter((scene) => scene.includes('(a picture')))
    assert.equal(picture.match(/cannot look into|cannot look\b/g)?.length, 1, picture);
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

test('scenes that are played together are in chats of their own, and a kill has its act alone', () => {
  const all = acts();
  assert.deepEqual(all.flat(), story);
  for (const act of all) {
    const chats = act.map(({ platform, chat }) => `${platform} ${chat}`);
    assert.equal(new Set(chats).size, chats.length, chats.join(', '));
    assert.ok(act.length === 1 || !act.some(({ killed, comes }) => killed || comes));
  }
  // each act is waited for, and so is each of the rooms' scenes
  assert.ok(all.length <= 9 && roomsStory.length <= 4, `${all.length} acts`);
});

test('a transcript says once that the model is offline, and refers to it from then on', () => {
  const asAbove = createAsAbove();
  const shown = (text: string) => asAbove([{ id: '1', author: 'bot', text } as ShownMessage])[0]?.text;
  const offline = 'I am running offline (no model key is set), so I can only';
  assert.equal(shown(`${offline} quote. This is it.`), `${offline} quote. This is it.`);
  assert.equal(shown(`${offline} recall, and I remember nothing.`), '(as above) and I remember nothing.');
  assert.equal(shown('Thanks.'), 'Thanks.');
});
