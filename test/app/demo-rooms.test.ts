// The demo's story of the rooms, on the three sandboxes and the offline model: a picture, an alert, a long thread, two people.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBlindModel } from '#app/demo/blind-model.ts';
import { playRooms } from '#app/demo/play-rooms.ts';
import { roomsStory } from '#app/demo/rooms-story.ts';
import { acts, story } from '#app/demo/story.ts';
import { createAsAbove } from '#app/demo/transcript.ts';
import { guide } from '#engine/providers/offline/guide.ts';
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
  const { misses, exchanges } = await playRooms({ sandbox: house.sandbox, print: () => undefined });
  assert.ok(exchanges >= 2 * roomsStory.length, `${exchanges}: ${misses.join('\n')}`);
  assert.ok(misses.length > 0);
  for (const miss of misses) assert.match(miss, /^slack room, ".*": /);
});

test('scenes that are played together are in chats of their own, and a kill has its act alone', () => {
  const all = acts();
  assert.deepEqual(all.flat(), story);
  for (const act of all) {
    const chats = act.map(({ platform, chat, user }) => `${platform} ${chat === 'dm' ? user : chat}`);
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
  assert.match(shown(guide) ?? '', /\n\(as above\) It explains what Parley is/);
  assert.equal(shown('Thanks.'), 'Thanks.');
});

test('the demo has a scene with a picture to a model that takes none, and the conversation goes on after it', () => {
  const scenes = story.filter(({ platform, user }) => platform === 'discord' && user === 'guest');
  const [picture, next] = scenes;
  assert.equal(picture?.files?.length, 1);
  assert.match(String(picture.expects), /cannot see pictures/);
  assert.ok(next?.expects !== undefined && next.files === undefined);
});

test('the demo’s model refuses a request with a picture in the words of a real server, and answers without it', async () => {
  const model = await startBlindModel();
  const ask = (content: unknown) =>
    fetch(`${model.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ messages: [{ role: 'user', content }] }),
    });
  const refused = await ask([{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }]);
  assert.deepEqual([refused.status, model.refused()], [404, 1]);
  assert.match(await refused.text(), /support image input/);
  const answered = await ask('[a picture that is not shown to you: lift.png] and?');
  assert.match(await answered.text(), /Of lift\.png I know no more than its name/);
  await model.close();
});
