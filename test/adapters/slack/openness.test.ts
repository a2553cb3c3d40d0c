// Whether a room counts as open to its workspace, as its messages and its events say, through the real client.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/found.ts';
import { botID, type Stage, stage } from './places-stage.ts';

/** An app that hears mentions and public channels, and not what becomes private. */
const deaf = { sandbox: { subscriptions: ['app_mention', 'message.channels'] } };

/** Says something to the bot and gives the room of it. */
async function asked({ places, anna, received }: Stage, room: string, text: string) {
  await places.say({ account: anna, room, text, mention: true });
  const { room: said } = await received('message', (event) => event.text === text);
  return said;
}

test('each kind of channel is open or restricted as Slack has it', async (t) => {
  const made = await stage(t);
  const { places, space, anna, sven, start, received } = made;
  await start();
  for (const [kind, restricted] of [
    ['public', false],
    ['shared', false],
    ['private', true],
    ['group', true],
  ] as const) {
    const members = kind === 'shared' ? [anna, sven] : [anna];
    const room = places.addRoom({ space, kind, name: `a-${kind}`, members });
    assert.equal((await asked(made, room, kind))?.restricted, restricted, kind);
    const thread = places.addRoom({ space, kind: 'public thread', name: 'root', parent: room, members: [] });
    assert.equal((await asked(made, thread, `${kind} thread`))?.restricted, restricted, kind);
    if (kind !== 'shared') continue;
    await places.say({ account: sven, room, text: 'from somewhere else', mention: true });
    assert.equal((await received('message', ({ text }) => text === 'from somewhere else')).actor.id, sven);
  }
});

for (const mentionOrder of ['mention first', 'message first'] as const)
  test(`with ${mentionOrder}, a channel that was made private is restricted from then on, and open when it is public again`, async (t) => {
    const made = await stage(t, { sandbox: { mentionOrder } });
    const { places, space, anna, start, received, last } = made;
    await start();
    const room = places.addRoom({ space, kind: 'public', name: 'turning', members: [anna] });
    assert.equal((await asked(made, room, 'one'))?.restricted, false);
    places.setOpen(room, false);
    assert.equal((await asked(made, room, 'two'))?.restricted, true);
    const closed = await received('room', ({ address }) => address.chat === room);
    assert.deepEqual(
      [closed.restricted, closed.address.kind, closed.address.space],
      [true, 'channel', space],
    );
    places.setOpen(room, true);
    assert.equal((await asked(made, room, 'three'))?.restricted, false);
    assert.equal(last('room')?.restricted, false);
  });

test('a conversion alone says that a room is restricted, without a message in it', async (t) => {
  const made = await stage(t);
  const { places, space, anna, start, received } = made;
  await start();
  const room = places.addRoom({ space, kind: 'public', name: 'turning', members: [anna] });
  await asked(made, room, 'one');
  places.setOpen(room, false);
  assert.equal((await received('room')).restricted, true);
});

test('a mention in a channel whose conversion was not heard of is restricted, and closes the room', async (t) => {
  const made = await stage(t, deaf);
  const { places, space, anna, start, last } = made;
  await start();
  const room = places.addRoom({ space, kind: 'public', name: 'turning', members: [anna] });
  assert.equal((await asked(made, room, 'one'))?.restricted, false);
  places.setOpen(room, false);
  assert.equal((await asked(made, room, 'two'))?.restricted, true);
  assert.equal(last('room')?.restricted, true);
});

test('a slash command in a channel whose conversion was not heard of is restricted, also where the bot is not in it', async (t) => {
  const made = await stage(t, deaf);
  const { sandbox, places, start, received } = made;
  await start();
  const room = 'C0ROOM000';
  const run = async (text: string) => {
    sandbox.slash({ chat: 'room', user: 'you', command: '/parley', text });
    return (await received('message', (event) => event.text === text)).room?.restricted;
  };
  assert.equal(await run('one'), false);
  places.leaveRoom(botID, room, 'kicked');
  assert.equal(await run('two'), false);
  places.setOpen(room, false);
  assert.equal(await run('three'), true);
});

test('while Slack does not say whether a room is open it is restricted, and the next event opens it', async (t) => {
  const made = await stage(t, { sandbox: { mentionOrder: 'mention first' } });
  const { sandbox, places, space, anna, start, received, last } = made;
  await start();
  const room = places.addRoom({ space, kind: 'public', name: 'open', members: [anna] });
  assert.equal((await asked(made, room, 'one'))?.restricted, false);
  sandbox.inject({ kind: 'rate_limit', target: 'any', times: 1, retryAfterMs: 30_000 });
  assert.equal((await asked(made, room, 'two'))?.restricted, true);
  await received('room', ({ restricted }) => !restricted);
  assert.equal((await asked(made, room, 'three'))?.restricted, false);
  assert.equal(last('room')?.restricted, false);
});

test('an event that is delivered again does not open a channel that was made private since', async (t) => {
  const made = await stage(t);
  const { sandbox, places, space, anna, start, received, last, sink } = made;
  await start();
  const room = places.addRoom({ space, kind: 'public', name: 'turning', members: [anna] });
  const id = await places.say({ account: anna, room, text: 'one', mention: true });
  await received('message', ({ text }) => text === 'one');
  places.setOpen(room, false);
  await received('room', ({ restricted }) => restricted);
  const before = sink.received.length;
  await sandbox.redeliver(id);
  await until('both', () => sink.received.length === before + 2);
  assert.equal(last('message')?.room?.restricted, true);
  assert.equal(last('room')?.restricted, true);
});

for (const connection of ['socket', 'polling'] as const)
  test(`a room that was made private in the meantime is closed before what was written since is handed in, by ${connection}`, async (t) => {
    const made = await stage(t, { connection });
    const { places, space, anna, start, stop, received, sink } = made;
    const room = places.addRoom({ space, kind: 'public', name: 'turning', members: [anna] });
    await start(6);
    assert.equal((await asked(made, room, 'one'))?.restricted, false);
    if (connection === 'socket') {
      // only the connection: what a program knew before it ended, it asks again
      made.sandbox.inject({ kind: 'drop_socket' });
    }
    places.setOpen(room, false);
    assert.equal((await asked(made, room, 'two'))?.restricted, true);
    await received('room', ({ restricted }) => restricted);
    const order = sink.received
      .filter(({ type }) => type === 'room' || type === 'message')
      .map(({ type }) => type);
    assert.ok(order.indexOf('room') < order.lastIndexOf('message'));
    await stop();
  });

test('a room that the bot was removed from is restricted: it may be made private unheard', async (t) => {
  const made = await stage(t);
  const { places, space, anna, start, received, last } = made;
  await start();
  const room = places.addRoom({ space, kind: 'public', name: 'open', members: [anna] });
  await asked(made, room, 'one');
  places.leaveRoom(botID, room, 'kicked');
  await received('room', ({ restricted }) => restricted);
  const { actorID, change, address } = await received('member', (one) => one.actorID === undefined);
  assert.deepEqual([actorID, change, address.chat], [undefined, 'rights', room]);
  places.joinRoom(botID, room);
  assert.equal((await asked(made, room, 'two'))?.restricted, false);
  assert.equal(last('room')?.restricted, false);
});

for (const connection of ['socket', 'polling'] as const)
  test(`a room that Slack does not show any more when it is read is restricted, by ${connection}`, async (t) => {
    const subscriptions = ['app_mention', 'message.channels'];
    const made = await stage(t, { connection, sandbox: { subscriptions } });
    const { places, space, anna, start, stop, received } = made;
    const room = places.addRoom({ space, kind: 'public', name: 'open', members: [anna] });
    await start(6);
    await asked(made, room, 'one');
    await stop();
    places.leaveRoom(botID, room, 'kicked');
    await start(6);
    const { address } = await received('room', ({ restricted }) => restricted);
    assert.deepEqual([address.chat, address.kind], [room, 'channel']);
  });
