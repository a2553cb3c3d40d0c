// Who comes and goes, which rooms open and close, and who writes: as events of the gateway, through grammy and the sandbox.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Update } from 'grammy/types';
import type { InboundEvent, MemberEvent, RoomEvent } from '#adapters/gateway/terms/inbound.ts';
import { memberEvents } from '#adapters/telegram/codecs/member-codec.ts';
import { createUpdateReader } from '#adapters/telegram/codecs/update-codec.ts';
import { until } from '../../support/found.ts';
import { type BenchOptions, createBench } from './bench.ts';

async function createStage(t: TestContext, options: BenchOptions = {}) {
  const bench = await createBench(t, { privacy: 'off', ...options });
  const { places } = bench.sandbox;
  bench.start();
  await until('ready', () => bench.sink.lastState() === 'ready');
  const { events } = bench.sink;
  return {
    ...bench,
    places,
    space: places.addSpace('Home'),
    anna: places.addAccount('Anna'),
    ben: places.addAccount('Ben'),
    /** Waits until so many events of these types came. */
    async came(count: number, ...types: InboundEvent['type'][]): Promise<void> {
      const those = (): InboundEvent[] => events.filter(({ type }) => types.includes(type));
      await until(`${count} of ${types}`, () => those().length >= count);
    },
    memberEvents: () => events.filter((event): event is MemberEvent => event.type === 'member'),
    roomEvents: () => events.filter((event): event is RoomEvent => event.type === 'room'),
  };
}

const shortOf = ({ actorID, change, address }: MemberEvent) => [address.chat, actorID, change];

test('joins and leaves of a group are reported from service messages, and the bot’s own coming as a change for anyone', async (t) => {
  const { places, space, anna, ben, came, memberEvents } = await createStage(t);
  const from = Date.now() - 1_000;
  const room = places.addRoom({ space, kind: 'private', name: 'Quiet', members: [anna] });
  places.joinRoom(ben, room);
  places.leaveRoom(ben, room, 'kicked');
  await came(3, 'member');
  assert.deepEqual(memberEvents().map(shortOf), [
    [room, undefined, 'rights'],
    [room, ben, 'joined'],
    [room, ben, 'left'],
  ]);
  for (const { at, of } of memberEvents()) {
    assert.equal(of, 'room');
    assert.ok(at >= from && at <= Date.now() + 1_000);
  }
});

test('an administrator bot is told of members by updates, also of a ban of someone who was not there', async (t) => {
  const { places, space, anna, ben, came, memberEvents } = await createStage(t, { administrator: true });
  const room = places.addRoom({ space, kind: 'public group', name: 'Plaza', members: [anna] });
  places.leaveRoom(ben, room, 'banned');
  await came(2, 'member');
  assert.deepEqual(memberEvents().slice(1).map(shortOf), [[room, ben, 'rights']]);
  places.joinRoom(ben, room);
  places.leaveRoom(ben, room, 'left');
  await came(6, 'member');
  // once by the update and once by the service message
  assert.deepEqual(memberEvents().slice(2).map(shortOf), [
    [room, ben, 'joined'],
    [room, ben, 'joined'],
    [room, ben, 'left'],
    [room, ben, 'left'],
  ]);
});

test('someone who came within a second counts as come at its end', () => {
  const chat = { id: -1_001_000_000_007, type: 'supergroup', title: 'Quiet' };
  const user = { id: 7, is_bot: false, first_name: 'Ben' };
  const base = { update_id: 1, message: { message_id: 1, chat, date: 1_800_000_000, from: user } };
  const self = { id: 1, username: 'bot' };
  const changes = [{ new_chat_members: [user] }, { left_chat_member: user }].flatMap((content) =>
    memberEvents({ ...base, message: { ...base.message, ...content } } as Update, self),
  );
  assert.deepEqual(
    changes.map(({ change, at }) => [change, at]),
    [
      ['joined', 1_800_000_000_999],
      ['left', 1_800_000_000_000],
    ],
  );
});

test('a restricted member is inside only while Telegram says so, and a change of restrictions alone is no news', () => {
  const chat = { id: -1_001_000_000_007, type: 'supergroup', title: 'Quiet' };
  const user = { id: 7, is_bot: false, first_name: 'Ben' };
  const restricted = (is_member: boolean) => ({ status: 'restricted', user, is_member });
  const member = { status: 'member', user };
  const change = (before: object, now: object) =>
    memberEvents(
      {
        update_id: 1,
        chat_member: { chat, from: user, date: 1, old_chat_member: before, new_chat_member: now },
      } as Update,
      { id: 1, username: 'bot' },
    ).map((event) => event.change);
  assert.deepEqual(change(member, restricted(true)), []);
  assert.deepEqual(change(restricted(true), restricted(false)), ['left']);
  assert.deepEqual(change(restricted(false), member), ['joined']);
  assert.deepEqual(change({ status: 'left', user }, { status: 'kicked', user }), ['rights']);
});

test('a person who stops the bot in private is no change of members', async (t) => {
  const { sandbox, sink, memberEvents } = await createStage(t);
  sandbox.setAccess({ chat: 'dm', user: 'you' }, 'closed');
  sandbox.setAccess({ chat: 'dm', user: 'you' }, 'open');
  await until('both updates', () => sink.cursors.get('updates') === '100000002');
  assert.deepEqual(memberEvents(), []);
});

test('a group that lost its public name is reported as closed with the next update of any kind', async (t) => {
  const { places, space, anna, ben, came, roomEvents, sink } = await createStage(t);
  const room = places.addRoom({ space, kind: 'public group', name: 'Plaza', members: [anna] });
  const id = await places.say({ account: anna, room, text: 'first' });
  await came(1, 'message');
  assert.equal(sink.messages()[0]?.room?.restricted, false);
  places.setOpen(room, false);
  await places.edit(room, id, 'first, edited');
  await came(1, 'edit');
  const types = sink.events.slice(-2).map(({ type }) => type);
  assert.deepEqual(types, ['room', 'edit']);
  assert.deepEqual(roomEvents().at(-1), {
    type: 'room',
    address: sink.messages()[0]?.address,
    restricted: true,
  });
  places.setOpen(room, true);
  places.joinRoom(ben, room);
  await came(3, 'room');
  assert.equal(roomEvents().at(-1)?.restricted, false);
  const before = roomEvents().length;
  await places.say({ account: ben, room, text: 'second' });
  await came(2, 'message');
  assert.equal(roomEvents().length, before, 'what is known is not told again');
});

test('after a restart the openness of a room is reported again before a message that does not say it', () => {
  const chat = { id: -1_001_000_000_007, type: 'supergroup', title: 'Plaza' } as const;
  const from = { id: 7, is_bot: false, first_name: 'Ben' };
  const read = createUpdateReader({ id: 1, username: 'bot' });
  const edited_message = { message_id: 3, chat, from, date: 1, edit_date: 2, text: 'now' };
  const [room, edit] = read({ update_id: 1, edited_message } as Update);
  assert.deepEqual([room?.type, edit?.type], ['room', 'edit']);
  assert.deepEqual(
    read({ update_id: 2, edited_message } as Update).map(({ type }) => type),
    ['edit'],
  );
});

test('each person who writes to a channel has a separate room, and is answered there', async (t) => {
  const { places, space, anna, ben, came, sink, channel } = await createStage(t);
  const add = (member: string) =>
    places.addRoom({ space, kind: 'channel direct', name: 'Direct', members: [member] });
  const [annas, bens] = [add(anna), add(ben)];
  const said = await places.say({ account: anna, room: annas, text: 'for the channel', mention: true });
  await places.say({ account: ben, room: bens, text: 'another', mention: true });
  await came(2, 'message');
  const [first, second] = sink.messages();
  assert.ok(first && second);
  assert.equal(first.address.chat, second.address.chat);
  assert.notEqual(first.address.thread, second.address.thread);
  for (const { room } of [first, second])
    assert.deepEqual(
      { restricted: room?.restricted, privateThread: room?.privateThread },
      { restricted: true, privateThread: true },
    );
  const [part] = channel.render('an answer');
  assert.ok(part);
  await channel.presence(first.address, 'typing');
  await channel.send(first.address, part, { key: 'k', replyTo: said });
  assert.deepEqual(
    places.messages(annas).map(({ text }) => text),
    ['@parley_sandbox_bot for the channel', 'an answer'],
  );
  assert.equal(places.messages(bens).length, 1);
  await places.edit(annas, said, 'for the channel alone');
  await came(1, 'edit');
  const edit = sink.events.find(({ type }) => type === 'edit');
  assert.ok(edit?.type === 'edit');
  assert.deepEqual(edit.address, first.address);
});

test('an edit in a topic has the address of its message', async (t) => {
  const { places, space, anna, came, sink } = await createStage(t);
  const room = places.addRoom({ space, kind: 'topic', name: 'Plans', members: [anna] });
  const id = await places.say({ account: anna, room, text: 'planned' });
  await came(1, 'message');
  await places.edit(room, id, 'planned better');
  await came(1, 'edit');
  const edit = sink.events.find(({ type }) => type === 'edit');
  assert.ok(edit?.type === 'edit');
  assert.deepEqual([edit.nativeID, edit.text], [id, 'planned better']);
  assert.deepEqual(edit.address, sink.messages()[0]?.address);
});

test('anyone who writes in the name of a channel is someone else in each room', async (t) => {
  const { places, space, anna, ben, came, sink } = await createStage(t);
  const [one = '', two = ''] = [[anna], [ben]].map((members) =>
    places.addRoom({ space, kind: 'private', name: 'Quiet', members }),
  );
  const channel = { id: -1_001_000_009_999, title: 'News' };
  await places.sayAs({ account: anna, room: one, text: 'as the channel', channel });
  await places.sayAs({ account: ben, room: two, text: 'as the channel too', channel });
  await places.sayAs({ account: anna, room: one, text: 'as an administrator' });
  await places.sayAs({ account: ben, room: two, text: 'as another' });
  await came(4, 'message');
  const actors = sink.messages().map(({ actor }) => actor.id);
  assert.equal(new Set(actors).size, 4);
  // rooms are read side by side
  const whoSaid = (text: string) => sink.messages().find((message) => message.text === text)?.actor.id;
  assert.deepEqual([whoSaid('as an administrator'), whoSaid('as another')], [one, two]);
  for (const { actor } of sink.messages()) {
    assert.equal(actor.isBot, false);
    assert.ok(![anna, ben].includes(actor.id));
  }
});

test('messages of a business account and of a chat that only borrows the bot are not taken for the bot’s own chats', () => {
  const read = createUpdateReader({ id: 1, username: 'bot' });
  const from = { id: 7, is_bot: false, first_name: 'Ben' };
  const chat = { id: 7, type: 'private', first_name: 'Ben' } as const;
  const message = { message_id: 3, chat, from, date: 1, text: 'psst' };
  const of = (more: object): InboundEvent[] =>
    read({ update_id: 1, message: { ...message, ...more } } as unknown as Update);
  assert.equal(of({}).length, 1);
  assert.deepEqual(of({ business_connection_id: 'b' }), []);
  assert.deepEqual(of({ guest_query_id: 'g' }), []);
  assert.deepEqual(of({ chat: { id: -1007, type: 'supergroup', title: 'x', is_direct_messages: true } }), []);
});

test('an update of several events is confirmed with the last of them, and comes again whole until then', async (t) => {
  const { sink, places, space, anna, ben, came, memberEvents, roomEvents } = await createStage(t);
  const room = places.addRoom({ space, kind: 'private', name: 'Quiet', members: [anna] });
  await came(1, 'member');
  await until('the service message', () => sink.cursors.get('updates') === '100000002');
  let confirmed: string | undefined;
  sink.beforeAccept = async (event) => {
    if (event.type !== 'member') return;
    sink.beforeAccept = async () => {};
    confirmed = sink.cursors.get('updates');
    throw new Error('the disk is full');
  };
  places.setOpen(room, true);
  places.joinRoom(ben, room);
  await came(2, 'member');
  assert.equal(confirmed, '100000002');
  assert.deepEqual(memberEvents().slice(1).map(shortOf), [[room, ben, 'joined']]);
  assert.deepEqual(
    roomEvents().map(({ restricted }) => restricted),
    [true, false, false],
  );
});
