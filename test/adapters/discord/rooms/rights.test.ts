// Who may read what on Discord: asked of the channel, through the real discord.js and the sandbox's server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissionBits } from '#sandbox/discord/world/permission-bits.ts';
import { until } from '../../../support/found.ts';
import { openClub, soon } from '../club.ts';
import { channelFor } from '../harness.ts';

const { viewChannel, readMessageHistory, connect: connectBit, manageThreads, administrator } = permissionBits;
const everything = 'everything';

test('nobody counts as a reader of anything while Discord is not connected, cannot be asked or has an outage', async () => {
  await using club = await openClub();
  const { sandbox, places, connected, address, room, ann, ofRoom, ofSpace, readers } = club;
  const where = address(room('public'));
  await soon('Ann reads', () => ofRoom(where, ann), everything);
  const apart = channelFor({ sandbox });
  const { signal } = new AbortController();
  const asked = (): Promise<unknown>[] => [ofRoom(where, ann), ofSpace(ann), readers(where)];
  await assert.rejects(async () => apart.rights?.ofRoom(where, ann, signal), /not connected/);
  sandbox.inject({ kind: 'server_error', target: 'any', times: 1 });
  await assert.rejects(ofRoom(where, ann), (error) => connected.channel.explain(error).kind === 'transient');
  places.admin.setPresence(club.space, 'unavailable');
  await soon('the outage is known', () => ofSpace(ann).catch(() => 'refused'), 'refused');
  for (const one of asked()) await assert.rejects(one, /outage/);
  places.admin.setPresence(club.space, 'available');
  await soon('Ann reads again', () => ofRoom(where, ann).catch(() => 'refused'), everything);
  sandbox.withhold('hello');
  sandbox.inject({ kind: 'drop_socket' });
  await until('the loss was noticed', () => club.sink.states.at(-1)?.[0] === 'reconnecting');
  for (const one of asked()) await assert.rejects(one, /not connected/);
  sandbox.withhold('nothing');
  await connected.stop();
  for (const one of asked())
    await assert.rejects(one, (error) => connected.channel.explain(error).kind === 'transient');
});

test('each kind of room is read by those who may, and by all of the guild only where all may read it', async () => {
  await using club = await openClub();
  const { places, room, address, ann, bob, eve, ofRoom, readers } = club;
  const text = room('public');
  const open: Record<string, boolean> = {};
  for (const kind of places.kinds) {
    const id = room(kind, /thread|post/.test(kind) ? text : undefined);
    const { address: where } = await club.said(id);
    const [message] = places.messages(id);
    assert.ok(message);
    open[kind] = !(await readers(where)).restricted;
    for (const account of [ann, bob, eve]) {
      const may: boolean = kind !== 'no history' && places.mayRead(account, id, message.id);
      assert.equal(await ofRoom(where, account), may ? everything : 'nothing', kind);
    }
    places.joinRoom(bob, id);
    const now = () => ofRoom(where, bob);
    await soon(`Bob was let into ${kind}`, now, kind === 'no history' ? 'nothing' : everything);
    places.leaveRoom(bob, id, 'kicked');
    const stays = kind === 'public thread' || kind === 'forum post';
    await soon(`Bob was put out of ${kind}`, now, stays ? everything : 'nothing');
    places.leaveRoom(ann, id, 'left');
  }
  assert.deepEqual(open, {
    public: true,
    private: false,
    role: false,
    denied: false,
    'no history': false,
    voice: false,
    announcement: true,
    'public thread': true,
    'forum post': true,
    'private thread': false,
  });
  const unknown = address(text, club.space);
  assert.deepEqual([await ofRoom(unknown, ann), (await readers(unknown)).restricted], ['nothing', true]);
  assert.equal(await ofRoom({ ...address(text), space: undefined, kind: 'dm' }, ann), 'nothing');
});

test('a channel is read by all only if no overwrite takes viewing, reading back or joining from anyone', async () => {
  await using club = await openClub();
  const { places, space, room, address, bob, readers } = club;
  const { admin } = places;
  const role = admin.makeRole(space, { name: 'muted' });
  const text = room('public');
  const voice = room('voice');
  places.setOpen(voice, true);
  const restricted = async (id: string) => (await readers(address(id))).restricted;
  await soon('the voice channel is open', () => restricted(voice), false);
  const denials = [
    [text, { id: space, of: 'role', deny: viewChannel }],
    [text, { id: space, of: 'role', deny: readMessageHistory }],
    [text, { id: role, of: 'role', deny: viewChannel }],
    [text, { id: role, of: 'role', deny: readMessageHistory }],
    [text, { id: bob, of: 'member', deny: viewChannel }],
    [voice, { id: role, of: 'role', deny: connectBit }],
    [voice, { id: bob, of: 'member', deny: connectBit }],
  ] as const;
  for (const [id, denial] of denials) {
    const what = `${id === text ? 'text' : 'voice'} ${denial.of} ${denial.deny}`;
    admin.setOverwrite(id, denial);
    await soon(what, () => restricted(id), true);
    admin.setOverwrite(id, { id: denial.id, of: denial.of });
    await soon(`${what} lifted`, () => restricted(id), false);
  }
  admin.setOverwrite(text, { id: bob, of: 'member', deny: connectBit });
  admin.setOverwrite(text, { id: role, of: 'role', allow: viewChannel });
  assert.equal(await restricted(text), false);
  admin.setAgeRestricted(text, 'yes');
  await soon('for adults', () => restricted(text), true);
  assert.equal(await club.ofRoom(address(text), bob), 'nothing');
});

test('what @everyone may do in the guild decides for each of its channels', async () => {
  await using club = await openClub();
  const { places, space, room, address, bob, readers, ofRoom } = club;
  const where = address(room('public'));
  places.admin.changeRole(space, space, viewChannel);
  await soon('no history for anyone', async () => (await readers(where)).restricted, true);
  assert.equal(await ofRoom(where, bob), 'nothing');
  places.admin.changeRole(space, space, viewChannel | readMessageHistory);
  await soon('open', async () => (await readers(where)).restricted, false);
  assert.equal(await ofRoom(where, bob), everything);
});

test('a private thread is read by those in it who see its channel, and by moderators', async () => {
  await using club = await openClub();
  const { places, space, room, ann, bob, eve, ofRoom } = club;
  const { admin } = places;
  const parent = room('private');
  const { address: where } = await club.said(room('private thread', parent));
  places.joinRoom(bob, parent);
  await soon('Bob sees the channel', () => ofRoom({ ...where, thread: undefined }, bob), everything);
  assert.deepEqual([await ofRoom(where, ann), await ofRoom(where, bob)], [everything, 'nothing']);
  const role = admin.makeRole(space, { name: 'moderators', permissions: manageThreads });
  admin.changeMember(space, { account: bob, give: role });
  await soon('Bob moderates', () => ofRoom(where, bob), everything);
  places.joinSpace(eve, space);
  places.joinRoom(eve, where.thread ?? '');
  assert.equal(await ofRoom(where, eve), 'nothing');
  places.leaveRoom(ann, parent, 'kicked');
  await soon('Ann lost the channel', () => ofRoom(where, ann), 'nothing');
});

test('the owner and administrators read every channel; who is timed out reads no voice channel', async () => {
  await using club = await openClub();
  const { places, space, room, address, bob, ofRoom, ofSpace } = club;
  const { admin } = places;
  const [hidden, voice] = [address(room('private')), address(room('voice'))];
  places.joinRoom(bob, voice.chat);
  await soon('Bob may join', () => ofRoom(voice, bob), everything);
  admin.changeMember(space, { account: bob, timedOut: 'yes' });
  assert.deepEqual([await ofRoom(voice, bob), await ofSpace(bob)], ['nothing', false]);
  const role = admin.makeRole(space, { name: 'admins', permissions: administrator });
  admin.changeMember(space, { account: bob, give: role });
  await soon('Bob administers', () => ofRoom(hidden, bob), everything);
  const { sandbox } = club;
  const home = { ...hidden, space: sandbox.guildID, chat: sandbox.channelID('private', 'you') };
  const all = [await ofRoom(home, sandbox.userID('you')), await ofRoom(home, sandbox.userID('guest'))];
  assert.deepEqual(all, [everything, 'nothing']);
});

test('the open rooms of a guild are only for its members: not for those who left, wait to be screened or are guests', async () => {
  await using club = await openClub();
  const { places, space, room, address, ann, bob, eve, ofRoom, ofSpace } = club;
  const where = address(room('public'));
  assert.deepEqual([await ofSpace(ann), await ofSpace(eve)], [true, false]);
  places.admin.changeMember(space, { account: ann, pending: 'yes' });
  assert.deepEqual([await ofSpace(ann), await ofRoom(where, ann)], [false, 'nothing']);
  places.admin.changeMember(space, { account: ann, pending: 'no', guest: 'yes' });
  assert.deepEqual([await ofSpace(ann), await ofRoom(where, ann)], [false, 'nothing']);
  for (const how of ['left', 'kicked', 'banned'] as const) {
    places.joinSpace(bob, space);
    assert.equal(await ofSpace(bob), true);
    places.leaveSpace(bob, space, how);
    assert.deepEqual([await ofSpace(bob), await ofRoom(where, bob)], [false, 'nothing'], how);
  }
});

test('guests of a voice channel read along there, and nowhere else does anyone from outside', async () => {
  await using club = await openClub();
  const { places, room, address, readers } = club;
  const text = room('public');
  const outside: string[] = [];
  for (const kind of places.kinds) {
    const id = room(kind, /thread|post/.test(kind) ? text : undefined);
    if ((await readers(address(id))).outsiders) outside.push(kind);
  }
  assert.deepEqual(outside, ['voice']);
});

test('a guild that the bot was put out of is read by nobody, also where that happened unheard', async () => {
  await using club = await openClub();
  const { places, sandbox, space, room, address, ann, ofRoom, ofSpace, readers } = club;
  const where = address(room('public'));
  await soon('Ann reads', () => ofRoom(where, ann), everything);
  places.admin.setPresence(space, 'without the bot');
  await soon('gone', () => ofRoom(where, ann), 'nothing');
  assert.deepEqual([await ofSpace(ann), (await readers(where)).restricted], [false, true]);
  places.admin.setPresence(space, 'available');
  await soon('back', () => ofRoom(where, ann).catch(() => ''), everything);
  sandbox.inject({ kind: 'invalid_session' });
  places.admin.setPresence(space, 'without the bot');
  await soon('gone unheard', async () => (await readers(where).catch(() => undefined))?.restricted, true);
  assert.equal(club.sink.states.filter(([state]) => state === 'ready').length, 2);
});
