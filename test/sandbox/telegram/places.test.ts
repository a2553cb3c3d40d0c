// Telegram's rooms of every kind: who may read what by the platform's rules, and what the bot is told.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createTelegramSandbox, type TelegramSandboxOptions } from '#sandbox/telegram/server.ts';
import type { TgUpdate } from '#sandbox/telegram/world/wire.ts';
import { callerOf } from './bot-api.ts';
import { botApiJudge } from './bot-api-judge.ts';

const everyUpdate = ['message', 'edited_message', 'my_chat_member', 'chat_member'];

async function createWorld(t: TestContext, options: Partial<TelegramSandboxOptions> = {}) {
  const sandbox = await createTelegramSandbox({ clock: systemClock, privacy: 'off', ...options });
  t.after(() => sandbox.close());
  const { places } = sandbox;
  const call = callerOf(sandbox);
  await call('getUpdates', { allowed_updates: everyUpdate });
  return {
    sandbox,
    places,
    call,
    anna: places.addAccount('Anna'),
    ben: places.addAccount('Ben'),
    space: places.addSpace('Home'),
    /** What the bot was told and has not confirmed yet; confirmed with this call. */
    async updates(): Promise<TgUpdate[]> {
      const { result = [] } = await call('getUpdates', { allowed_updates: everyUpdate });
      await call('getUpdates', { offset: -1 });
      const last = result.at(-1)?.update_id ?? 0;
      await call('getUpdates', { offset: last + 1 });
      return result;
    },
  };
}

type World = Awaited<ReturnType<typeof createWorld>>;

/** Which of these accounts may read the message. */
function readersOf({ places, anna, ben }: World, room: string, message: string): string[] {
  return Object.entries({ anna, ben }).flatMap(([name, id]) =>
    places.mayRead(id, room, message) ? [name] : [],
  );
}

test('someone who comes to a private supergroup reads what is written from then on, and someone who leaves reads nothing', async (t) => {
  const world = await createWorld(t);
  const { places, anna, ben, space } = world;
  const room = places.addRoom({ space, kind: 'private', name: 'Quiet', members: [anna] });
  const before = await places.say({ account: anna, room, text: 'before' });
  assert.deepEqual(readersOf(world, room, before), ['anna']);
  places.joinRoom(ben, room);
  const after = await places.say({ account: anna, room, text: 'after' });
  assert.deepEqual(readersOf(world, room, before), ['anna']);
  assert.deepEqual(readersOf(world, room, after), ['anna', 'ben']);
  places.setVisibleHistory(room, true);
  assert.deepEqual(readersOf(world, room, before), ['anna', 'ben']);
  places.leaveRoom(ben, room, 'kicked');
  assert.deepEqual(readersOf(world, room, after), ['anna']);
  await assert.rejects(places.say({ account: ben, room, text: 'still here?' }), { code: 'not_a_member' });
});

test('everyone but the banned reads a public group, and only members once it loses its name', async (t) => {
  const world = await createWorld(t);
  const { places, anna, ben, space } = world;
  const room = places.addRoom({ space, kind: 'public group', name: 'Plaza', members: [anna] });
  const said = await places.say({ account: anna, room, text: 'hello' });
  assert.deepEqual(readersOf(world, room, said), ['anna', 'ben']);
  places.leaveRoom(ben, room, 'banned');
  assert.deepEqual(readersOf(world, room, said), ['anna']);
  places.joinRoom(ben, room);
  places.leaveRoom(ben, room, 'left');
  assert.deepEqual(readersOf(world, room, said), ['anna', 'ben']);
  assert.equal(places.setOpen(room, false), true);
  assert.deepEqual(readersOf(world, room, said), ['anna']);
  const group = places.addRoom({ space, kind: 'basic group', name: 'Old', members: [anna] });
  assert.equal(places.setOpen(group, true), false);
});

test('what was written in a basic group stays with those who were in it, also after it moved and is public', async (t) => {
  const world = await createWorld(t);
  const { places, anna, ben, space } = world;
  const old = places.addRoom({ space, kind: 'basic group', name: 'Old', members: [anna] });
  const before = await places.say({ account: anna, room: old, text: 'before' });
  const room = places.move?.(old) ?? '';
  assert.notEqual(room, old);
  places.joinRoom(ben, room);
  places.setVisibleHistory(room, true);
  const after = await places.say({ account: ben, room, text: 'after' });
  places.setOpen(room, true);
  assert.deepEqual(readersOf(world, room, before), ['anna']);
  assert.deepEqual(readersOf(world, old, before), ['anna']);
  assert.deepEqual(readersOf(world, room, after), ['anna', 'ben']);
  await assert.rejects(places.edit(room, before, 'never'), { code: 'not_editable' });
});

test('every member of a forum reads all of its topics, also what was written before', async (t) => {
  const world = await createWorld(t);
  const { places, anna, ben, space } = world;
  const topic = places.addRoom({ space, kind: 'topic', name: 'Plans', members: [anna] });
  const said = await places.say({ account: anna, room: topic, text: 'planned' });
  assert.deepEqual(readersOf(world, topic, said), ['anna']);
  places.joinRoom(ben, topic);
  assert.deepEqual(readersOf(world, topic, said), ['anna', 'ben']);
  assert.deepEqual(
    places.messages(topic).map(({ author, text }) => [author, text]),
    [[anna, 'planned']],
  );
  assert.deepEqual(places.messages(topic.split('/')[0] ?? ''), []);
});

test('a channel direct message is its writer’s and the administrators’', async (t) => {
  const world = await createWorld(t);
  const { places, anna, ben, space } = world;
  const clara = places.addAccount('Clara');
  const annas = places.addRoom({ space, kind: 'channel direct', name: 'A', members: [anna] });
  const bens = places.addRoom({ space, kind: 'channel direct', name: 'B', members: [ben] });
  assert.equal(annas.split('/')[0], bens.split('/')[0]);
  const said = await places.say({ account: anna, room: annas, text: 'to the channel' });
  assert.deepEqual(readersOf(world, annas, said), ['anna']);
  assert.equal(places.mayRead(clara, annas, said), false);
  places.joinRoom(clara, bens);
  assert.equal(places.mayRead(clara, annas, said), true);
  const answer = await places.say({ account: clara, room: annas, text: 'welcome' });
  assert.deepEqual(readersOf(world, annas, answer), ['anna']);
  places.leaveRoom(anna, annas, 'banned');
  assert.deepEqual(readersOf(world, annas, said), []);
});

test('the bot hears of members from service messages, and from member updates as an administrator', async (t) => {
  const judge = botApiJudge();
  const world = await createWorld(t);
  const { places, anna, ben, space, updates } = world;
  const room = places.addRoom({ space, kind: 'private', name: 'Quiet', members: [anna] });
  places.joinRoom(ben, room);
  places.leaveRoom(ben, room, 'left');
  const named = (list: readonly TgUpdate[]) =>
    list.map(({ message, chat_member: other, my_chat_member: own }) => {
      const { new_chat_members: came, left_chat_member: left } = message ?? {};
      if (own !== undefined) return ['my_chat_member', own.new_chat_member.status];
      if (other !== undefined) return ['chat_member', other.new_chat_member.status];
      return ['message', came?.[0]?.first_name ?? left?.first_name];
    });
  const first = await updates();
  assert.deepEqual(named(first), [
    ['my_chat_member', 'member'],
    ['message', 'Parley'],
    ['message', 'Ben'],
    ['message', 'Ben'],
  ]);
  places.setAdministrator(room, true);
  places.joinRoom(ben, room);
  places.leaveRoom(ben, room, 'banned');
  places.setOpen(room, true);
  places.rename(room, 'Louder');
  places.addRoom({ space, kind: 'channel direct', name: 'A', members: [anna] });
  const second = await updates();
  assert.deepEqual(named(second), [
    ['my_chat_member', 'administrator'],
    ['chat_member', 'member'],
    ['message', 'Ben'],
    ['chat_member', 'kicked'],
    ['message', 'Ben'],
    ['message', undefined],
    ['my_chat_member', 'administrator'],
  ]);
  if (judge !== undefined)
    for (const update of [...first, ...second]) assert.deepEqual(judge.type('Update', update), []);
});

test('an administrator bot reads everything said, another in privacy mode only what is meant for it', async (t) => {
  const world = await createWorld(t, { privacy: 'on' });
  const { places, anna, space, updates } = world;
  const room = places.addRoom({ space, kind: 'private', name: 'Quiet', members: [anna] });
  await updates();
  await places.say({ account: anna, room, text: 'among us' });
  await places.say({ account: anna, room, text: 'hello', mention: true });
  places.setAdministrator(room, true);
  await places.say({ account: anna, room, text: 'and now' });
  const texts = (await updates()).flatMap(({ message }) => message?.text ?? []);
  assert.deepEqual(texts, ['@parley_sandbox_bot hello', 'and now']);
});

test('what a bot may ask about a chat depends on what it is there', async (t) => {
  const judge = botApiJudge();
  const world = await createWorld(t);
  const { places, anna, ben, space, call } = world;
  const room = places.addRoom({ space, kind: 'private', name: 'Quiet', members: [anna, ben] });
  const member = (user: string) => call('getChatMember', { chat_id: room, user_id: user });
  places.setVisibleHistory(room, true);
  places.leaveRoom(ben, room, 'banned');
  assert.equal((await member(anna)).result.status, 'member');
  assert.equal((await member(ben)).result.status, 'left', 'a ban is for administrators to know');
  assert.equal((await call('getChat', { chat_id: room })).result.has_visible_history, undefined);
  places.setHiddenMembers(room, true);
  assert.match((await member(anna)).description ?? '', /CHAT_ADMIN_REQUIRED/);
  places.setAdministrator(room, true);
  assert.equal((await member(ben)).result.status, 'kicked');
  const full = await call('getChat', { chat_id: room });
  assert.equal(full.result.has_visible_history, true);
  const direct = places.addRoom({ space, kind: 'channel direct', name: 'A', members: [anna] });
  const chat = await call('getChat', { chat_id: direct.split('/')[0] });
  assert.equal(chat.result.is_direct_messages, true);
  const [own, banned] = [
    await call('getChatMember', { chat_id: room, user_id: 7_000_000_001 }),
    await member(ben),
  ];
  if (judge !== undefined) {
    for (const { result } of [full, chat]) assert.deepEqual(judge.result('getChat', result), []);
    for (const { result } of [own, banned]) assert.deepEqual(judge.result('getChatMember', result), []);
  }
  places.setBot(room, false);
  assert.match((await member(anna)).description ?? '', /^Forbidden: bot was kicked from the supergroup chat/);
  assert.equal((await call('getChat', { chat_id: room })).status, 403);
});

test('questions about a group that moved are answered from its last state, and writing there names its new id', async (t) => {
  const world = await createWorld(t);
  const { places, anna, ben, space, call } = world;
  const old = places.addRoom({ space, kind: 'basic group', name: 'Old', members: [anna, ben] });
  const room = places.move?.(old) ?? '';
  places.leaveRoom(ben, room, 'left');
  const status = async (chat_id: string): Promise<string> =>
    (await call('getChatMember', { chat_id, user_id: ben })).result.status;
  assert.deepEqual([await status(old), await status(room)], ['member', 'left']);
  assert.equal((await call('getChat', { chat_id: old })).result.type, 'group');
  const refused = await call('sendMessage', { chat_id: old, text: 'x' });
  assert.deepEqual(refused.parameters, { migrate_to_chat_id: Number(room) });
});

test('the bot answers a channel direct message in its topic, which it must name', async (t) => {
  const world = await createWorld(t);
  const { places, anna, space, call } = world;
  const seen: string[] = [];
  const stop = places.onBotMessage(({ room, message }) => seen.push(`${room}: ${message.text}`));
  const room = places.addRoom({ space, kind: 'channel direct', name: 'A', members: [anna] });
  const [chat_id, topic] = room.split('/');
  const text = 'an answer';
  assert.match((await call('sendMessage', { chat_id, text })).description ?? '', /topic not found/);
  const sent = await call('sendMessage', { chat_id, text, direct_messages_topic_id: topic });
  assert.deepEqual(botApiJudge()?.result('sendMessage', sent.result) ?? [], []);
  await call('editMessageText', { chat_id, message_id: sent.result.message_id, text: 'a better one' });
  assert.equal((await call('sendChatAction', { chat_id, action: 'typing' })).status, 400);
  assert.deepEqual(seen, [`${room}: an answer`, `${room}: a better one`]);
  stop();
});
