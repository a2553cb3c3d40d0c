// Who is where in the simulated Slack, what each may read there, and what the bot hears of it.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SlackSandboxOptions } from '#sandbox/slack/server.ts';
import { allScopes } from '#sandbox/slack/world/tokens.ts';
import { until } from '../../support/found.ts';
import { type Body, client } from './client.ts';

const botID = 'T0SANDBOX/U0PARLEY0';

async function world(t: TestContext, options: Partial<SlackSandboxOptions> = {}) {
  const { sandbox, call, connect } = await client(t, options);
  const { places } = sandbox;
  const space = places.addSpace('space');
  const [anna, gerd, sven] = ['anna', 'gerd', 'sven'].map((name) => places.addAccount(name)) as [
    string,
    string,
    string,
  ]; // three names, three ids
  places.joinSpace(anna, space);
  places.joinSpace(gerd, space, 'guest');
  places.joinSpace(sven, space, 'stranger');
  return { sandbox, places, space, anna, gerd, sven, call, connect };
}

/** What the bot received, each event as `type`, `type.subtype` or `message` with its channel type. */
async function hearing(connect: (ack: () => boolean) => Promise<{ frames: Body[] }>) {
  const { frames } = await connect(() => true);
  return () =>
    frames.slice(1).map((frame) => {
      const { type, subtype, channel_type: kind } = (frame.payload as Body).event as Body; // as the server sent it
      return [type, subtype, type === 'message' ? kind : undefined]
        .filter((word) => word !== undefined)
        .join(' ');
    });
}

test('a public channel is readable by members of the workspace, and by guests and strangers who are in it', async (t) => {
  const { places, space, anna, gerd, sven } = await world(t);
  const outsider = places.addAccount('olga');
  const room = places.addRoom({ space, kind: 'public', name: 'open', members: [] });
  const id = await places.say({ account: anna, room, text: 'words' });
  const readers = () => [anna, gerd, sven, outsider].map((one) => places.mayRead(one, room, id));
  assert.deepEqual(readers(), [true, false, false, false]);
  places.joinRoom(gerd, room);
  places.joinRoom(sven, room);
  assert.deepEqual(readers(), [true, true, true, false]);
  places.leaveRoom(gerd, room, 'kicked');
  places.leaveSpace(sven, space, 'left');
  places.leaveSpace(anna, space, 'banned');
  assert.deepEqual(readers(), [false, false, false, false]);
});

test('a private channel and a group are readable only by their members, also what was written before they came', async (t) => {
  const { places, space, anna, gerd } = await world(t);
  for (const kind of ['private', 'group'] as const) {
    const room = places.addRoom({ space, kind, name: kind, members: [anna] });
    const id = await places.say({ account: anna, room, text: 'words' });
    assert.equal(places.mayRead(gerd, room, id), false);
    places.joinRoom(gerd, room);
    assert.equal(places.mayRead(gerd, room, id), true);
    places.leaveRoom(anna, room, 'left');
    assert.equal(places.mayRead(anna, room, id), false);
    assert.equal(places.setOpen(room, true), kind === 'private');
    assert.equal(places.mayRead(anna, room, id), kind === 'private');
  }
});

test('a thread is readable by those who may read its channel, and a deleted message by nobody', async (t) => {
  const { places, space, anna, gerd } = await world(t);
  const parent = places.addRoom({ space, kind: 'public', name: 'open', members: [anna] });
  const thread = places.addRoom({ space, kind: 'public thread', name: 'root', parent, members: [anna] });
  const reply = await places.say({ account: anna, room: thread, text: 'reply' });
  const [, root = ''] = thread.split('/');
  assert.equal(places.mayRead(gerd, thread, reply), false);
  places.joinRoom(gerd, thread);
  assert.equal(places.mayRead(gerd, thread, reply), true);
  assert.deepEqual(
    places.messages(thread).map(({ text }) => text),
    ['root', 'reply'],
  );
  await places.remove?.(thread, root);
  assert.equal(places.mayRead(anna, thread, root), false);
  await places.remove?.(thread, reply);
  assert.deepEqual(places.messages(thread), []);
});

test('the bot hears who comes and goes, what becomes private and what is shared, as Slack tells it', async (t) => {
  const { places, space, anna, gerd, sven, connect } = await world(t);
  const received = await hearing(connect);
  const room = places.addRoom({ space, kind: 'public', name: 'open', members: [anna] });
  places.setOpen(room, false);
  places.joinRoom(gerd, room);
  places.leaveRoom(gerd, room, 'kicked');
  places.joinRoom(sven, room);
  places.leaveSpace(anna, space, 'banned');
  places.setOpen(room, true);
  places.leaveRoom(botID, room, 'kicked');
  places.rename(room, 'other');
  const events = [
    'member_joined_channel',
    'message channel_join channel',
    'message channel_convert_to_private group',
    'member_joined_channel',
    'message group_join group',
    'member_left_channel',
    'message group_leave group',
    'channel_shared',
    'member_joined_channel',
    'message group_join group',
    'user_change',
    'message channel_convert_to_public channel',
    'channel_left',
  ];
  await until('the events', () => received().length >= events.length);
  assert.deepEqual(received(), events);
});

test('events come only with their scope, and of channels that the bot is in', async (t) => {
  const scopes = allScopes.filter((scope) => !['groups:history', 'users:read'].includes(scope));
  const { places, space, anna, connect } = await world(t, { scopes });
  const received = await hearing(connect);
  const hidden = places.addRoom({ space, kind: 'private', name: 'hidden', members: [] });
  const open = places.addRoom({ space, kind: 'public', name: 'open', members: [] });
  const left = places.addRoom({ space, kind: 'public', name: 'left', members: [] });
  places.leaveRoom(botID, left, 'kicked');
  places.joinRoom(anna, hidden);
  places.joinRoom(anna, left);
  places.leaveSpace(anna, space, 'left');
  places.joinSpace(anna, space);
  await places.say({ account: anna, room: open, text: 'words' });
  await until('the last', () => received().includes('message channel'));
  assert.deepEqual(received(), [
    'channel_left',
    'member_joined_channel',
    'member_joined_channel',
    'message channel_join channel',
    'message channel',
  ]);
});

test('a stranger is named by the other workspace, in events and in answers', async (t) => {
  const { places, space, anna, sven, call, connect } = await world(t);
  const { frames } = await connect(() => true);
  const room = places.addRoom({ space, kind: 'shared', name: 'both', members: [anna, sven] });
  await places.say({ account: sven, room, text: 'words' });
  const last = () => (frames.at(-1)?.payload as Body)?.event as Body; // as the server sent it
  await until('the message', () => last()?.text === 'words');
  assert.equal(last().user_team, 'T0ELSEWHERE');
  assert.equal(places.actorID(sven), `T0ELSEWHERE/${sven.split('/')[1]}`);
  const info = (await call('conversations.info', { channel: room })).channel as Body;
  assert.deepEqual([info.is_ext_shared, info.is_private], [true, false]);
  const user = (await call('users.info', { user: sven.split('/')[1] ?? '' })).user as Body;
  assert.deepEqual([user.team_id, user.is_stranger], ['T0ELSEWHERE', false]);
});

test('what the bot is not in it cannot see: private channels do not exist, public ones have no history', async (t) => {
  const { places, space, anna, call } = await world(t);
  const rooms = (['public', 'private'] as const).map((kind) =>
    places.addRoom({ space, kind, name: kind, members: [anna] }),
  );
  for (const room of rooms) places.leaveRoom(botID, room, 'left');
  const answers = async (method: string, args: Record<string, string> = {}) =>
    Promise.all(
      rooms.map(async (channel) => {
        const { ok, error } = await call(method, { channel, ...args });
        return ok === true ? 'ok' : error;
      }),
    );
  assert.deepEqual(await answers('conversations.info'), ['ok', 'channel_not_found']);
  assert.deepEqual(await answers('conversations.members'), ['ok', 'channel_not_found']);
  assert.deepEqual(await answers('conversations.history'), ['not_in_channel', 'channel_not_found']);
  assert.deepEqual(await answers('chat.postMessage', { text: 'x' }), ['not_in_channel', 'channel_not_found']);
});

test('members and users come in pages', async (t) => {
  const { places, space, call } = await world(t);
  const accounts = Array.from({ length: 7 }, (_, at) => places.addAccount(`p${at}`));
  for (const account of accounts) places.joinSpace(account, space);
  const channel = places.addRoom({ space, kind: 'private', name: 'many', members: accounts });
  for (const [method, list, count] of [
    ['conversations.members', 'members', 8],
    ['users.list', 'members', 12],
  ] as const) {
    const found: unknown[] = [];
    for (let cursor = ''; ; ) {
      const page = await call(method, { channel, limit: '3', cursor });
      found.push(...(page[list] as unknown[]));
      cursor = String((page.response_metadata as Body).next_cursor);
      if (cursor === '') break;
    }
    assert.equal(found.length, count, method);
  }
});

test('what the bot posts anywhere is reported with its room, also when one person alone sees it', async (t) => {
  const { places, space, anna, call } = await world(t);
  const room = places.addRoom({ space, kind: 'private', name: 'in', members: [anna] });
  const received: [string, string, string | undefined][] = [];
  places.onBotMessage(({ room: at, message }) => received.push([at, message.text, message.onlyTo]));
  const { ts } = await call('chat.postMessage', { channel: room, text: 'one' });
  await call('chat.update', { channel: room, ts: String(ts), text: 'two' });
  await call('chat.postMessage', { channel: room, text: 'three', thread_ts: String(ts) });
  await call('chat.postEphemeral', { channel: room, text: 'four', user: anna.split('/')[1] ?? '' });
  assert.deepEqual(received, [
    [room, 'one', undefined],
    [room, 'two', undefined],
    [`${room}/${ts}`, 'three', undefined],
    [room, 'four', anna],
  ]);
});

test('ten thousand rooms and messages take seconds', async (t) => {
  const { places, space, anna } = await world(t);
  const from = performance.now();
  for (let at = 0; at < 10_000; at += 1) {
    const room = places.addRoom({ space, kind: 'private', name: `r${at}`, members: [anna] });
    const id = await places.say({ account: anna, room, text: 'words' });
    assert.ok(places.mayRead(anna, room, id) && places.messages(room).length === 1);
  }
  assert.ok(performance.now() - from < 10_000);
});
