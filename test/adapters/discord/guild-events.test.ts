// What changes in a guild and what the gateway is told of it, through the real discord.js and the sandbox's server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permissionBits } from '#adapters/sandbox/discord/permission-bits.ts';
import { openClub, soon } from './club.ts';
import { connect, until } from './harness.ts';

const { banMembers, viewChannel, readMessageHistory, sendMessages } = permissionBits;

type Club = Awaited<ReturnType<typeof openClub>>;

/** What was told of a room, in order. */
const toldOf = ({ roomEvents }: Club, chat: string): boolean[] =>
  roomEvents().flatMap(({ address, restricted }) => (address.chat === chat ? [restricted] : []));

const untilTold = (club: Club, chat: string, restricted: boolean): Promise<void> =>
  until(
    `the room was told to be ${restricted ? 'restricted' : 'open'}`,
    () => toldOf(club, chat).at(-1) === restricted,
  );

test('a room that closes or opens is told, whatever closed it', async () => {
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

test('a new name, an outage and a new role that nobody has tell nothing of a room', async () => {
  await using club = await openClub();
  const { places, space, room, sink } = club;
  const chat = room('public');
  await club.said(chat);
  places.rename(chat, 'other');
  places.admin.setPresence(space, 'unavailable');
  places.admin.setPresence(space, 'available');
  places.admin.makeRole(space, { name: 'empty' });
  await until('the later ones were told', () => club.memberEvents().length >= 2);
  assert.equal((await club.said(chat, 'after')).room?.name, 'other');
  assert.deepEqual(toldOf(club, chat), []);
  assert.equal(
    sink.events
      .filter(({ type }) => type === 'member')
      .every((event) => event.type === 'member' && event.of === 'space'),
    true,
  );
});

test('who may read a room otherwise than before is told for the room and for the private threads below it', async () => {
  await using club = await openClub();
  const { places, room, bob } = club;
  const chat = room('private');
  const thread = room('private thread', chat);
  await club.said(thread);
  places.joinRoom(bob, chat);
  await until('both were told', () => club.memberEvents().length === 2);
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
  await until('the end of the thread was told', () => club.memberEvents().length === 3);
  assert.equal(club.memberEvents()[2]?.address.thread, thread);
});

test('what was said while a room was closed stays restricted, though it is taken in after the room has opened', async () => {
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

test('what was said while a room was open counts as restricted if the room closes before it is taken in', async () => {
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

test('what was missed is restricted, since nobody says who could read it then; the room itself is told to be open', async () => {
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

test('a room that changed while nothing was heard is told, and that members may have, but not after a resume', async () => {
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
  await until('members were told', () => inSpace() > 0);
  await club.connected.stop();
  places.setOpen(chat, true);
  await using again = await connect({ sandbox, sink });
  assert.ok(again);
  await untilTold(club, chat, false);
  assert.equal(club.memberEvents().at(-1)?.address.space, space);
});

test('with the Server Members intent each coming, going and change of a member is told; without it bans are, to a bot that may ban', async () => {
  for (const guildMembers of ['allowed', 'refused'] as const) {
    await using club = await openClub({ guildMembers });
    const { places, space, room, bob, eve } = club;
    const mal = places.addAccount('Mal');
    const chat = room('public');
    const thread = room('private thread', chat);
    await club.said(thread);
    const role = places.admin.makeRole(space, { name: 'club', permissions: banMembers });
    await until('the role was told', () => club.memberEvents().length === 1);
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
    await until('the ban was told', () =>
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

test('a connection goes on without the Server Members intent once its switch is turned off', async () => {
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

test('a private thread is a room of its own for messages and commands; a public one and a post are their parent', async () => {
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
  assert.deepEqual(event.room, { name: 'secret', restricted: true, privateThread: true });
  const person = sandbox.slash({ chat: 'room', user: 'you', name: 'help', installed: 'person' });
  const next = sandbox.slash({ chat: 'room', user: 'you', name: 'help' });
  assert.equal((await club.came(next.id)).room?.restricted, false);
  assert.equal(
    sink.messages().some(({ nativeID }) => nativeID === person.id),
    false,
  );
});

test('messages that are deleted alone, together, in a thread, or just before their thread, are told with their place', async () => {
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
  await until('all were told', () => told().length === deleted.length);
  assert.deepEqual(told().toSorted(), deleted.map(([id, thread]) => [id, thread, chat]).toSorted());
});
