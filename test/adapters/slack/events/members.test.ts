// Who came, left, or may read less than before, as Slack reports it, through the real client.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../support/found.ts';
import { stage } from '../places-stage.ts';

test('joining, leaving and being removed are reported, each with its time', async (t) => {
  const { places, space, anna, gerd, sven, start, received, sink } = await stage(t);
  await start();
  const room = places.addRoom({ space, kind: 'private', name: 'private', members: [anna] });
  const group = places.addRoom({ space, kind: 'group', name: 'group', members: [anna] });
  for (const chat of [room, group])
    for (const account of [gerd, sven]) {
      const told = (change: string) =>
        received(
          'member',
          (one) => one.address.chat === chat && one.actorID === account && one.change === change,
        );
      places.joinRoom(account, chat);
      const joined = await told('joined');
      assert.deepEqual([joined.of, joined.address.kind], ['room', chat === room ? 'channel' : 'group']);
      assert.ok(Math.abs(joined.at - Date.now()) < 60_000);
      places.leaveRoom(account, chat, 'kicked');
      await told('left');
    }
  assert.equal(sink.messages.length, 0);
});

test('the notices in a channel say who came and left, where the events of it are not subscribed to', async (t) => {
  const subscriptions = ['message.channels', 'message.groups'];
  const { places, space, anna, start, received } = await stage(t, { sandbox: { subscriptions } });
  await start();
  for (const kind of ['public', 'private'] as const) {
    const room = places.addRoom({ space, kind, name: kind, members: [anna] });
    await received('member', ({ address, change }) => address.chat === room && change === 'joined');
    places.leaveRoom(anna, room, 'kicked');
    await received('member', ({ address, change }) => address.chat === room && change === 'left');
  }
});

test('people who came and left while the program was down are reported from the history', async (t) => {
  for (const connection of ['socket', 'polling'] as const) {
    const { places, space, anna, gerd, start, stop, received } = await stage(t, { connection });
    const room = places.addRoom({ space, kind: 'private', name: 'private', members: [anna] });
    await start(6);
    await stop();
    places.joinRoom(gerd, room);
    places.leaveRoom(anna, room, 'kicked');
    await start(6);
    await received('member', ({ actorID, change }) => actorID === gerd && change === 'joined');
    await received('member', ({ actorID, change }) => actorID === anna && change === 'left');
    await stop();
  }
});

test('who is deactivated has left the workspace, who becomes a guest has other rights, and who is new has joined', async (t) => {
  const { places, space, anna, gerd, start, received, sink } = await stage(t);
  await start();
  places.joinSpace(anna, space, 'guest');
  const guest = await received('member');
  assert.deepEqual(
    [guest.actorID, guest.change, guest.of, guest.address.space],
    [anna, 'rights', 'space', space],
  );
  places.leaveSpace(anna, space, 'banned');
  await received('member', ({ actorID, change }) => actorID === anna && change === 'left');
  places.joinSpace(anna, space);
  await received('member', ({ actorID, change }) => actorID === anna && change === 'joined');
  places.leaveSpace(gerd, space, 'kicked');
  await received('member', ({ actorID, change }) => actorID === gerd && change === 'left');
  const nora = places.addAccount('nora');
  places.joinSpace(nora, space);
  await received('member', ({ actorID, change }) => actorID === nora && change === 'joined');
  assert.equal(sink.received.length, 5);
});

test('a workspace that comes into a channel may change what anyone reads', async (t) => {
  const { places, space, anna, sven, start, received } = await stage(t);
  await start();
  const room = places.addRoom({ space, kind: 'private', name: 'private', members: [anna] });
  places.joinRoom(sven, room);
  const shared = await received('member', ({ actorID }) => actorID === undefined);
  assert.deepEqual([shared.address.chat, shared.change, shared.of], [room, 'rights', 'room']);
});

test('what could not be committed is taken in later, by another attempt or as Slack delivers it again', async (t) => {
  const { places, space, anna, gerd, start, received, sink } = await stage(t, { sandbox: { ackMs: 30 } });
  await start();
  const room = places.addRoom({ space, kind: 'private', name: 'private', members: [anna, gerd] });
  await until('the joins', () => sink.received.length >= 4);
  const refused = new Set<string>();
  sink.before = async (event) => {
    const { type } = event;
    if (refused.has(type) || (type !== 'member' && type !== 'room')) return;
    refused.add(type);
    throw new Error('the disk is full');
  };
  const left = () =>
    sink.received.filter((event) => event.type === 'member' && event.change === 'left').length;
  places.leaveRoom(gerd, room, 'kicked');
  await until('both of them, one of them twice', () => left() >= 3);
  places.setOpen(room, true);
  await until('the room twice', () => sink.received.filter(({ type }) => type === 'room').length >= 2);
  assert.equal((await received('room')).restricted, false);
});
