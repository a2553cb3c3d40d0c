// Names of chats: the title that is the same everywhere, and the chat that a typed name means.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatNamed, namedChatsOf } from '#engine/wire/channels/named-chats.ts';
import { placeTitle } from '#engine/wire/channels/place-title.ts';

const engineRoom = 'discord:channel:B:G1:C1:-';
const pump = 'discord:channel:B:G1:C1:T1';
const other = 'discord:channel:B:G2:C2:-';
const slack = 'slack:channel:W%2FB:W:C3:-';
const all = new Map([
  ['discord:B:G1', 'Harbour crew'],
  [engineRoom, 'engine-room'],
  [pump, 'Pump'],
  ['discord:B:G2', 'Dock crew'],
  [other, 'lobby'],
  [slack, 'lobby'],
  ['telegram:group:B:-5:-5:-', 'Harbour crew'],
]);
const chats = namedChatsOf(all.keys(), all);

test('a title has the room, its space and the platform, as far as they have names', () => {
  assert.deepEqual(
    chats.map(({ title }) => title),
    [
      '#engine-room · Harbour crew · Discord',
      '#engine-room › Pump · Harbour crew · Discord',
      '#lobby · Dock crew · Discord',
      '#lobby · Slack',
      'Harbour crew · Telegram',
    ],
  );
  assert.equal(placeTitle({ chat: 'discord:channel:B:G1:123456789:-' }), 'room …456789 · Discord');
  assert.equal(placeTitle({ chat: 'telegram:dm:B:-:7:-', person: 'Ann' }), 'Ann · direct message · Telegram');
  assert.equal(placeTitle({ chat: 'telegram:dm:B:-:7:-' }), 'direct message · Telegram');
  assert.equal(placeTitle({ chat: 'yard' }), 'yard');
});

test('a name means the one chat that has it, in any case, with or without its platform', () => {
  for (const word of ['#engine-room', 'Engine-Room', 'discord:#engine-room', chats[0]?.title ?? ''])
    assert.equal(chatNamed(word, chats), engineRoom, word);
  assert.equal(chatNamed('pump', chats), pump);
  assert.equal(chatNamed('slack:lobby', chats), slack);
  assert.equal(chatNamed('slack:#engine-room', chats), undefined);
  assert.equal(chatNamed('engine', chats), undefined, 'a part of a name is none');
});

test('a name that several chats have means none of them, and the error names them', () => {
  assert.throws(
    () => chatNamed('#lobby', chats),
    (error: Error & { code?: string; hint?: string }) =>
      error.code === 'ambiguous_chat' &&
      /discord:channel:B:G2:C2:- \(#lobby · Dock crew · Discord\), slack:channel/.test(error.hint ?? ''),
  );
});
