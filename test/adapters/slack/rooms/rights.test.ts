// What Slack says of who may read what, asked through the real client.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allScopes } from '#sandbox/slack/world/tokens.ts';
import { until } from '../../../support/found.ts';
import { botID, never, stage } from '../places-stage.ts';

test('a public channel is read by members of the workspace, and by guests and strangers only if they are in it', async (t) => {
  const { places, rights, space, anna, gerd, sven, at } = await stage(t);
  const room = places.addRoom({ space, kind: 'public', name: 'open', members: [] });
  const ofAll = () => Promise.all([anna, gerd, sven].map((one) => rights.ofRoom(at(room), one, never)));
  assert.deepEqual(await ofAll(), ['everything', 'nothing', 'nothing']);
  for (const one of [anna, gerd, sven]) places.joinRoom(one, room);
  assert.deepEqual(await ofAll(), ['everything', 'everything', 'everything']);
  for (const one of [anna, gerd, sven]) places.leaveRoom(one, room, 'kicked');
  assert.deepEqual(await ofAll(), ['everything', 'nothing', 'nothing']);
});

test('a private channel and a group are read by the people who are in them now, also what was written before they came', async (t) => {
  const { places, rights, space, anna, gerd, at } = await stage(t);
  for (const [kind, chat] of [
    ['private', 'channel'],
    ['group', 'group'],
  ] as const) {
    const room = at(places.addRoom({ space, kind, name: kind, members: [anna] }), chat);
    const ofBoth = () => Promise.all([anna, gerd].map((one) => rights.ofRoom(room, one, never)));
    assert.deepEqual(await ofBoth(), ['everything', 'nothing']);
    places.joinRoom(gerd, room.chat);
    places.leaveRoom(anna, room.chat, 'kicked');
    assert.deepEqual(await ofBoth(), ['nothing', 'everything']);
  }
});

test('a channel that was made private is read by its members alone from then on', async (t) => {
  const { places, rights, space, anna, gerd, at } = await stage(t);
  const room = places.addRoom({ space, kind: 'public', name: 'open', members: [gerd] });
  assert.deepEqual(await rights.readers(at(room), never), { restricted: false, outsiders: true });
  places.setOpen(room, false);
  assert.equal(await rights.ofRoom(at(room), anna, never), 'nothing');
  assert.equal(await rights.ofRoom(at(room), gerd, never), 'everything');
  assert.deepEqual(await rights.readers(at(room), never), { restricted: true, outsiders: true });
  places.setOpen(room, true);
  places.leaveRoom(gerd, room, 'left');
  assert.equal(await rights.ofRoom(at(room), anna, never), 'everything');
  assert.deepEqual(await rights.readers(at(room), never), { restricted: false, outsiders: false });
});

test('an archived channel is read as before it was archived', async (t) => {
  const { sandbox, rights, anna, gerd, at } = await stage(t);
  const room = at('C0ROOM000');
  const asked = async () => [
    await rights.ofRoom(room, anna, never),
    await rights.ofRoom(room, gerd, never),
    await rights.readers(room, never),
  ];
  const before = await asked();
  assert.deepEqual(before.slice(0, 2), ['everything', 'nothing']);
  sandbox.archive();
  assert.deepEqual(await asked(), before);
});

test('who is deactivated reads nothing, although Slack still lists them in their channels', async (t) => {
  const { places, rights, space, anna, gerd, at } = await stage(t);
  const rooms = (['public', 'private'] as const).map((kind) =>
    at(places.addRoom({ space, kind, name: kind, members: [anna, gerd] })),
  );
  for (const account of [anna, gerd]) {
    places.leaveSpace(account, space, 'banned');
    for (const room of rooms) assert.equal(await rights.ofRoom(room, account, never), 'nothing');
    assert.equal(await rights.ofSpace(rooms[0] ?? at('C'), account, never), false);
  }
  assert.equal((await rights.readers(rooms[1] ?? at('C'), never)).outsiders, false);
});

test('the space is open only to its full members: not to guests, strangers, bots, the deactivated or the unknown', async (t) => {
  const { places, rights, space, anna, gerd, sven, at } = await stage(t);
  const bruno = places.addAccount('bruno');
  places.joinSpace(bruno, space);
  places.leaveSpace(bruno, space, 'kicked');
  const accounts = [anna, gerd, sven, bruno, botID, 'T0SANDBOX/U0NOBODY', `T0OTHER/${anna.split('/')[1]}`];
  const open = await Promise.all(accounts.map((one) => rights.ofSpace(at('C0ROOM000'), one, never)));
  assert.deepEqual(open, [true, false, false, false, false, false, false]);
  places.joinSpace(anna, space, 'guest');
  places.joinSpace(gerd, space, 'member');
  assert.equal(await rights.ofSpace(at('C0ROOM000'), anna, never), false);
  assert.equal(await rights.ofSpace(at('C0ROOM000'), gerd, never), true);
});

test('outsiders read along in a shared channel, and where a guest or a stranger is', async (t) => {
  const { places, rights, space, anna, gerd, sven, at } = await stage(t);
  const more = Array.from({ length: 6 }, (_, each) => places.addAccount(`m${each}`));
  for (const one of more) places.joinSpace(one, space);
  const outsiders = async (room: string, kind?: 'group') =>
    (await rights.readers(at(room, kind), never)).outsiders;
  const shared = places.addRoom({ space, kind: 'shared', name: 'shared', members: [anna] });
  assert.equal(await outsiders(shared), true);
  // few members are asked for one by one, many by the list
  for (const members of [[anna], [anna, ...more]]) {
    const room = places.addRoom({ space, kind: 'private', name: 'private', members });
    assert.equal(await outsiders(room), false);
    places.joinRoom(gerd, room);
    assert.equal(await outsiders(room), true);
    places.leaveRoom(gerd, room, 'left');
    assert.equal(await outsiders(room), false);
    places.joinRoom(sven, room);
    assert.equal(await outsiders(room), true);
  }
  const group = places.addRoom({ space, kind: 'group', name: 'group', members: [anna] });
  assert.equal(await outsiders(group, 'group'), false);
  assert.deepEqual(await rights.readers(at(group, 'group'), never), { restricted: true, outsiders: false });
  places.joinRoom(gerd, group);
  assert.equal(await outsiders(group, 'group'), true);
});

test('a room that the bot does not see is restricted, has outsiders and is read by nobody', async (t) => {
  const { places, rights, space, anna, at } = await stage(t);
  const room = places.addRoom({ space, kind: 'private', name: 'private', members: [anna] });
  places.leaveRoom(botID, room, 'kicked');
  for (const address of [at(room), at('C0GONE')]) {
    assert.deepEqual(await rights.readers(address, never), { restricted: true, outsiders: true });
    assert.equal(await rights.ofRoom(address, anna, never), 'nothing');
  }
});

test('a thread is read by those who read its channel', async (t) => {
  const { places, rights, space, anna, gerd, at } = await stage(t);
  const parent = places.addRoom({ space, kind: 'private', name: 'private', members: [anna] });
  const thread = places.addRoom({ space, kind: 'public thread', name: 'root', parent, members: [] });
  assert.equal(await rights.ofRoom(at(thread), anna, never), 'everything');
  assert.equal(await rights.ofRoom(at(thread), gerd, never), 'nothing');
});

test('members beyond the first page are found', async (t) => {
  const { places, rights, space, gerd, at } = await stage(t);
  const many = Array.from({ length: 1100 }, (_, each) => places.addAccount(`m${each}`));
  for (const one of many) places.joinSpace(one, space, 'guest');
  const room = at(places.addRoom({ space, kind: 'private', name: 'private', members: many }));
  assert.equal(await rights.ofRoom(room, many.at(-1) ?? '', never), 'everything');
  assert.equal(await rights.ofRoom(room, gerd, never), 'nothing');
});

test('what cannot be asked is an error that says what is missing, and never a right', async (t) => {
  const without = (scope: string) => ({ sandbox: { scopes: allScopes.filter((one) => one !== scope) } });
  for (const scope of ['users:read', 'groups:read']) {
    const { places, rights, channel, space, anna, at } = await stage(t, without(scope));
    const room = at(places.addRoom({ space, kind: 'private', name: 'private', members: [anna] }));
    for (const look of [() => rights.ofRoom(room, anna, never), () => rights.readers(room, never)]) {
      const error = await look().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.equal(channel.explain(error).kind, 'permission', scope);
    }
  }
  const { places, rights, space, anna, at } = await stage(t, without('groups:read'));
  const room = at(places.addRoom({ space, kind: 'public', name: 'open', members: [] }));
  assert.equal(await rights.ofRoom(room, anna, never), 'everything');
});

test('a pause that Slack asks for is an error at once', async (t) => {
  const { sandbox, rights, channel, anna, at } = await stage(t);
  sandbox.inject({ kind: 'rate_limit', target: 'any', times: 1, retryAfterMs: 7000 });
  const error = await rights.ofSpace(at('C0ROOM000'), anna, never).catch((reason: unknown) => reason);
  assert.equal(channel.explain(error).retryAfterMs, 7000);
});

test('many looks at one time cost few calls, and each is answered by one that was asked for after it', async (t) => {
  const { places, rights, space, anna, at, calls } = await stage(t);
  const rooms = Array.from({ length: 40 }, (_, each) =>
    at(
      places.addRoom({
        space,
        kind: each % 2 === 0 ? 'private' : 'public',
        name: `r${each}`,
        members: [anna],
      }),
    ),
  );
  const first = rooms.map((room) => rights.ofRoom(room, anna, never));
  await until('the call', () => calls('users.conversations') >= 1);
  places.leaveRoom(anna, rooms[0]?.chat ?? '', 'kicked');
  const second = rights.ofRoom(rooms[0] ?? at('C'), anna, never);
  assert.deepEqual(new Set(await Promise.all(first.slice(1))), new Set(['everything']));
  assert.equal(await second, 'nothing');
  assert.ok(calls('users.conversations') <= 3, `${calls('users.conversations')} calls`);
  await Promise.all(rooms.map((room) => rights.readers(room, never)));
  assert.ok(calls('users.conversations') <= 5, `${calls('users.conversations')} calls`);
  assert.equal(calls('conversations.info'), 1);
});

test('people are remembered while Slack reports their changes, and asked again after a gap', async (t) => {
  const { sandbox, start, places, rights, space, anna, at, calls, received, sink } = await stage(t);
  await start();
  const room = at(places.addRoom({ space, kind: 'private', name: 'private', members: [anna] }));
  const readers = () => rights.readers(room, never);
  for (const _ of [1, 2]) assert.equal((await readers()).outsiders, false);
  const asked = calls('users.info');
  assert.equal(asked, 2);
  places.joinSpace(places.addAccount('new'), space);
  await received('member', ({ of }) => of === 'space');
  for (const _ of [1, 2]) assert.equal((await readers()).outsiders, false);
  assert.equal(calls('users.info'), asked);
  places.joinSpace(anna, space, 'guest');
  await received('member', ({ actorID }) => actorID === anna);
  assert.equal((await readers()).outsiders, true);
  assert.equal(calls('users.info'), asked);
  const ready = sink.states.filter(({ state }) => state === 'ready').length;
  sandbox.inject({ kind: 'drop_socket' });
  await until('the connection', () => sink.states.filter(({ state }) => state === 'ready').length > ready);
  assert.equal((await readers()).outsiders, true);
  assert.ok(calls('users.info') > asked);
});
