// What was written in rooms that open and close, in threads, and what is deleted there, as the gateway is told of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissionBits } from '#sandbox/discord/world/permission-bits.ts';
import { until } from '../../support/found.ts';
import { openClub, soon, untilTold } from './club.ts';
import { connect } from './harness.ts';

const { viewChannel } = permissionBits;

test('what was written while a room was closed stays restricted, though it is taken in after the room has opened', async () => {
  await using club = await openClub();
  const { places, sink, room } = club;
  const chat = room('private');
  const release = sink.hold();
  const hidden = club.said(chat, 'between us');
  const other = room('public');
  const marker = club.said(other);
  places.setOpen(chat, true);
  const late = club.said(chat, 'for all');
  release();
  assert.equal((await hidden).room?.restricted, true);
  assert.equal((await marker).room?.restricted, false);
  assert.equal((await late).room?.restricted, false);
  await untilTold(club, chat, false);
});

test('what was written while a room was open counts as restricted if the room closes before it is taken in', async () => {
  await using club = await openClub();
  const { places, sink, room, address, readers } = club;
  const chat = room('public');
  await club.said(chat);
  const release = sink.hold();
  const first = club.said(chat, 'taken in at once');
  const second = club.said(chat, 'waits behind it');
  await soon('the first is on its way', async () => (await readers(address(chat))).restricted, false);
  places.setOpen(chat, false);
  await soon('the room is closed', async () => (await readers(address(chat))).restricted, true);
  release();
  await first;
  assert.equal((await second).room?.restricted, true);
  await untilTold(club, chat, true);
});

test('a room is reported as open only after what counts as restricted in it, also in its threads, whose messages are accepted separately', async () => {
  await using club = await openClub();
  const { places, sink, room, ann, address, readers } = club;
  const chat = room('public');
  const thread = room('public thread', chat);
  await club.said(thread);
  const release = sink.hold('message');
  const first = club.said(thread, 'taken in at once');
  await soon('the first is on its way', async () => (await readers(address(chat))).restricted, false);
  places.setOpen(chat, false);
  places.joinRoom(ann, chat);
  places.admin.setOverwrite(chat, { id: ann, of: 'member', allow: viewChannel });
  await untilTold(club, chat, true);
  const second = club.said(thread, 'waits behind it');
  places.setOpen(chat, true);
  await untilTold(club, chat, false);
  release();
  await first;
  const { nativeID, room: told } = await second;
  assert.equal(told?.restricted, true);
  const later = () =>
    sink.events.slice(
      sink.events.findIndex((event) => event.type === 'message' && event.nativeID === nativeID),
    );
  await until('the room was said to be open', () =>
    later().some((event) => event.type === 'room' && event.address.chat === chat && !event.restricted),
  );
});

test('what was missed is restricted, since nobody says who could read it then; the room itself is reported as open', async () => {
  await using club = await openClub();
  const { places, sandbox, sink, room, ann } = club;
  const chat = room('public');
  assert.equal((await club.said(chat)).room?.restricted, false);
  await club.connected.stop();
  const missed = await places.say({ account: ann, room: chat, text: 'missed' });
  await using again = await connect({ sandbox, sink });
  assert.ok(again);
  assert.equal((await club.came(missed)).room?.restricted, true);
  await untilTold(club, chat, false);
  assert.equal((await club.said(chat)).room?.restricted, false);
});

test('a private thread is a room of its own for messages and commands; a public one and a post belong to their parent', async () => {
  await using club = await openClub();
  const { places, sandbox, sink, room, ann } = club;
  const chat = room('public');
  const rooms = await Promise.all(
    (['private thread', 'public thread', 'forum post'] as const).map(async (kind) => {
      const { room: told, address } = await club.said(room(kind, chat));
      return [kind, told?.privateThread, told?.restricted, address.thread === undefined];
    }),
  );
  assert.deepEqual(rooms, [
    ['private thread', true, true, false],
    ['public thread', undefined, false, false],
    ['forum post', undefined, false, false],
  ]);
  assert.ok(ann !== '' && places.kinds.length > 0);
  await until('the commands are registered', () => sandbox.commands().includes('help'));
  const { id: thread } = sandbox.openThread({ chat: 'room', name: 'secret', privacy: 'private' });
  const { id } = sandbox.slash({ chat: 'room', user: 'you', thread, name: 'help' });
  const event = await club.came(id);
  assert.deepEqual(event.room, {
    names: { space: 'Sandbox', channel: 'general', thread: 'secret' },
    restricted: true,
    privateThread: true,
  });
  const person = sandbox.slash({ chat: 'room', user: 'you', name: 'help', installed: 'person' });
  const next = sandbox.slash({ chat: 'room', user: 'you', name: 'help' });
  assert.equal((await club.came(next.id)).room?.restricted, false);
  assert.equal(
    sink.messages().some(({ nativeID }) => nativeID === person.id),
    false,
  );
});

test('messages that are deleted singly, together, in a thread, or just before their thread, are reported with their place', async () => {
  await using club = await openClub();
  const { places, sink, room } = club;
  const chat = room('public');
  const deleted: [string, string | undefined][] = [];
  for (const id of [chat, room('public thread', chat), room('private thread', chat)]) {
    const said = [await club.said(id, 'one'), await club.said(id, 'two'), await club.said(id, 'three')];
    const [first, ...rest] = said.map(({ nativeID }) => nativeID);
    await places.remove?.(id, first ?? '');
    places.admin.removeTogether(id, rest);
    if (id !== chat) places.admin.deleteRoom(id);
    for (const { nativeID } of said) deleted.push([nativeID, id === chat ? undefined : id]);
  }
  const told = () =>
    sink.events.flatMap((event) =>
      event.type === 'delete' ? [[event.nativeID, event.address.thread, event.address.chat]] : [],
    );
  await until('all were reported', () => told().length === deleted.length);
  assert.deepEqual(told().toSorted(), deleted.map(([id, thread]) => [id, thread, chat]).toSorted());
});
