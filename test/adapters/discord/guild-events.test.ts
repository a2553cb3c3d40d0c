// What changes in a guild and what the gateway is told of it, through the real discord.js and the sandbox's server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissionBits } from '#sandbox/discord/world/permission-bits.ts';
import { until } from '../../support/found.ts';
import { openClub, toldOf, untilTold } from './club.ts';
import { connect } from './harness.ts';

const { banMembers, viewChannel, readMessageHistory, sendMessages } = permissionBits;

test('a room that closes or opens is reported, whatever closed it', async () => {
  await using club = await openClub();
  const { places, space, room, bob } = club;
  const { admin } = places;
  const chat = room('public');
  await club.said(chat);
  const muted = admin.makeRole(space, { name: 'muted' });
  const ways: [() => void, () => void][] = [
    [() => places.setOpen(chat, false), () => places.setOpen(chat, true)],
    [
      () => admin.setOverwrite(chat, { id: bob, of: 'member', deny: viewChannel }),
      () => admin.setOverwrite(chat, { id: bob, of: 'member' }),
    ],
    [
      () => admin.setOverwrite(chat, { id: muted, of: 'role', deny: readMessageHistory }),
      () => admin.setOverwrite(chat, { id: muted, of: 'role' }),
    ],
    [() => admin.setAgeRestricted(chat, 'yes'), () => admin.setAgeRestricted(chat, 'no')],
    [
      () => admin.changeRole(space, space, viewChannel | sendMessages),
      () => admin.changeRole(space, space, viewChannel | readMessageHistory | sendMessages),
    ],
    [() => admin.setPresence(space, 'without the bot'), () => admin.setPresence(space, 'available')],
  ];
  for (const [close, open] of ways) {
    close();
    await untilTold(club, chat, true);
    open();
    await untilTold(club, chat, false);
  }
  admin.deleteRoom(chat);
  await untilTold(club, chat, true);
});

test('a new name, an outage and a new role that nobody has are no news of a room', async () => {
  await using club = await openClub();
  const { places, space, room, sink } = club;
  const chat = room('public');
  await club.said(chat);
  places.rename(chat, 'other');
  places.admin.setPresence(space, 'unavailable');
  places.admin.setPresence(space, 'available');
  places.admin.makeRole(space, { name: 'empty' });
  await until('the later ones were reported', () => club.memberEvents().length >= 2);
  assert.equal((await club.said(chat, 'after')).room?.names.channel, 'other');
  assert.deepEqual(toldOf(club, chat), []);
  assert.equal(
    sink.events
      .filter(({ type }) => type === 'member')
      .every((event) => event.type === 'member' && event.of === 'space'),
    true,
  );
});

test('a change of who may read a room is reported for the room and for the private threads below it', async () => {
  await using club = await openClub();
  const { places, room, bob } = club;
  const chat = room('private');
  const thread = room('private thread', chat);
  await club.said(thread);
  places.joinRoom(bob, chat);
  await until('both were reported', () => club.memberEvents().length === 2);
  assert.deepEqual(
    club
      .memberEvents()
      .map(({ of, change, actorID, address }) => [of, change, actorID, address.chat, address.thread]),
    [
      ['room', 'rights', undefined, chat, undefined],
      ['room', 'rights', undefined, chat, thread],
    ],
  );
  places.admin.deleteRoom(thread);
  await until('the end of the thread was reported', () => club.memberEvents().length === 3);
  assert.equal(club.memberEvents()[2]?.address.thread, thread);
});

test('a room that changed while nothing was heard is reported, and so is a possible change of its members, but not after a resume', async () => {
  await using club = await openClub();
  const { places, sandbox, sink, room, space } = club;
  const chat = room('public');
  const gone = room('public');
  for (const id of [chat, gone]) await club.said(id);
  sandbox.inject({ kind: 'drop_socket' });
  places.setOpen(chat, false);
  await untilTold(club, chat, true);
  places.setOpen(chat, true);
  await untilTold(club, chat, false);
  const inSpace = () => club.memberEvents().filter(({ of }) => of === 'space').length;
  assert.equal(inSpace(), 0);
  sandbox.inject({ kind: 'invalid_session' });
  places.setOpen(chat, false);
  places.admin.deleteRoom(gone);
  await untilTold(club, chat, true);
  await untilTold(club, gone, true);
  await until('members were reported', () => inSpace() > 0);
  await club.connected.stop();
  places.setOpen(chat, true);
  await using again = await connect({ sandbox, sink });
  assert.ok(again);
  await untilTold(club, chat, false);
  assert.equal(club.memberEvents().at(-1)?.address.space, space);
});

test('with the Server Members intent each coming, going and change of a member is reported; without it bans are, to a bot that may ban', async () => {
  for (const guildMembers of ['allowed', 'refused'] as const) {
    await using club = await openClub({ guildMembers });
    const { places, space, room, bob, eve } = club;
    const mal = places.addAccount('Mal');
    const chat = room('public');
    const thread = room('private thread', chat);
    await club.said(thread);
    const role = places.admin.makeRole(space, { name: 'club', permissions: banMembers });
    await until('the role was reported', () => club.memberEvents().length === 1);
    places.joinSpace(mal, space);
    places.leaveSpace(mal, space, 'banned');
    await club.said(chat);
    const unheard = () => club.memberEvents().filter(({ actorID }) => actorID === mal).length;
    assert.equal(unheard(), guildMembers === 'allowed' ? 2 : 0);
    places.admin.changeMember(space, { account: club.sandbox.botID, give: role });
    const before = club.memberEvents().length;
    places.joinRoom(bob, thread);
    places.leaveRoom(bob, thread, 'kicked');
    places.admin.changeMember(space, { account: bob, give: role });
    places.leaveSpace(bob, space, 'kicked');
    places.joinSpace(eve, space);
    places.leaveSpace(eve, space, 'banned');
    await until('the ban was reported', () =>
      club.memberEvents().some(({ change, actorID }) => change === 'left' && actorID === eve),
    );
    await club.said(chat);
    const told = club
      .memberEvents()
      .slice(before)
      .map(({ of, change, actorID, address }) => [of, change, actorID, address.thread]);
    const all = [
      ['room', 'joined', bob, thread],
      ['room', 'left', bob, thread],
      ['space', 'rights', bob, undefined],
      ['space', 'left', bob, undefined],
      ['space', 'joined', eve, undefined],
      ['space', 'left', eve, undefined],
      ['space', 'left', eve, undefined],
    ];
    assert.deepEqual(told, guildMembers === 'allowed' ? all : [['space', 'left', eve, undefined]]);
  }
});

test('a connection continues without the Server Members intent once its switch is turned off', async () => {
  await using club = await openClub({ guildMembers: 'allowed' });
  const { places, sandbox, space, room, eve } = club;
  const chat = room('public');
  await club.said(chat);
  sandbox.switchGuildMembers('refused');
  sandbox.inject({ kind: 'invalid_session' });
  await until(
    'it is ready again',
    () => club.sink.states.filter(([state]) => state === 'ready').length === 2,
  );
  const before = club.memberEvents().length;
  places.joinSpace(eve, space);
  await club.said(chat, 'after');
  assert.deepEqual(
    club
      .memberEvents()
      .slice(before)
      .filter(({ actorID }) => actorID === eve),
    [],
  );
});
