// Who may read what in Telegram, as the channel learns it by real calls.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { RoomKind } from '#sandbox/places.ts';
import { until } from '../../support/found.ts';
import { type BenchOptions, createBench } from './bench.ts';

const signal = new AbortController().signal;

async function createStage(t: TestContext, options: BenchOptions = {}) {
  const bench = await createBench(t, { privacy: 'off', ...options });
  const { places } = bench.sandbox;
  const running = bench.start();
  await until('ready', () => bench.sink.lastState() === 'ready');
  const { rights } = bench.channel;
  assert.ok(rights);
  const space = places.addSpace('Home');
  const [anna, ben] = [places.addAccount('Anna'), places.addAccount('Ben')];
  /** The room's address, as its messages have it. */
  const addressOf = async (room: string, account = anna): Promise<Address> => {
    const id = await places.say({ account, room, text: 'where am I?' });
    await until('the message', () => bench.sink.messages().some(({ nativeID }) => nativeID === id));
    const event = bench.sink.messages().find(({ nativeID }) => nativeID === id);
    assert.ok(event);
    return event.address;
  };
  return {
    ...bench,
    running,
    places,
    rights,
    space,
    anna,
    ben,
    addressOf,
    add: (kind: RoomKind, members = [anna]) => places.addRoom({ space, kind, name: 'Room', members }),
    rightsOf: (address: Address, ...accounts: string[]) =>
      Promise.all(accounts.map((account) => rights.ofRoom(address, account, signal))),
  };
}

test('a member of a private group reads what was written since, and someone who left or was thrown out reads nothing', async (t) => {
  const { places, add, addressOf, rights, rightsOf, anna, ben } = await createStage(t);
  for (const kind of ['private', 'basic group'] as const) {
    const room = add(kind);
    const address = await addressOf(room);
    assert.deepEqual(await rightsOf(address, anna, ben), ['since joining', 'nothing'], kind);
    places.joinRoom(ben, room);
    assert.deepEqual(await rightsOf(address, ben), ['since joining']);
    assert.equal(await rights.ofSpace(address, ben, signal), true);
    for (const how of ['left', 'kicked', 'banned'] as const) {
      places.joinRoom(ben, room);
      places.leaveRoom(ben, room, how);
      assert.deepEqual(await rightsOf(address, ben), ['nothing'], `${kind}: ${how}`);
      assert.equal(await rights.ofSpace(address, ben, signal), false);
    }
    assert.deepEqual(await rights.readers(address, signal), { restricted: true, outsiders: false });
  }
});

test('a newcomer reads all of a private group only where Telegram says that its history is visible', async (t) => {
  const { places, add, addressOf, rightsOf, anna } = await createStage(t);
  const room = add('private');
  const address = await addressOf(room);
  places.setVisibleHistory(room, true);
  assert.deepEqual(await rightsOf(address, anna), ['since joining'], 'a plain member is not told');
  places.setAdministrator(room, true);
  assert.deepEqual(await rightsOf(address, anna), ['everything']);
  places.setVisibleHistory(room, false);
  assert.deepEqual(await rightsOf(address, anna), ['since joining'], 'it is asked each time');
  places.setDiscussion(room, -1_001_000_009_999);
  assert.deepEqual(await rightsOf(address, anna), ['everything'], 'a discussion group hides nothing');
});

test('every member of a forum reads all of each topic, and nobody else', async (t) => {
  const { places, add, addressOf, rightsOf, anna, ben } = await createStage(t);
  const topic = add('topic');
  const address = await addressOf(topic);
  assert.equal(address.thread, topic.split('/')[1]);
  assert.deepEqual(await rightsOf(address, anna, ben), ['everything', 'nothing']);
  places.joinRoom(ben, topic);
  assert.deepEqual(await rightsOf(address, ben), ['everything']);
});

test('anyone reads a public group unless banned, and only members once it has no public name', async (t) => {
  const { places, add, addressOf, rights, rightsOf, anna, ben } = await createStage(t, {
    administrator: true,
  });
  const room = add('public group');
  const address = await addressOf(room);
  assert.deepEqual(await rightsOf(address, anna, ben), ['everything', 'everything']);
  assert.equal(await rights.ofSpace(address, ben, signal), true);
  assert.deepEqual(await rights.readers(address, signal), { restricted: false, outsiders: false });
  places.leaveRoom(ben, room, 'banned');
  assert.deepEqual(await rightsOf(address, ben), ['nothing']);
  assert.equal(await rights.ofSpace(address, ben, signal), false);
  places.joinRoom(ben, room);
  places.leaveRoom(ben, room, 'left');
  places.setOpen(room, false);
  assert.deepEqual(await rightsOf(address, anna, ben), ['since joining', 'nothing']);
  assert.equal(await rights.ofSpace(address, ben, signal), false);
  assert.deepEqual(await rights.readers(address, signal), { restricted: true, outsiders: false });
});

test('a bot that is not told of bans takes nobody outside a public group for a reader', async (t) => {
  const { places, add, addressOf, rights, rightsOf, anna, ben } = await createStage(t);
  const room = add('public group');
  const address = await addressOf(room);
  places.leaveRoom(ben, room, 'banned');
  assert.deepEqual(await rightsOf(address, anna, ben), ['everything', 'nothing']);
  assert.equal(await rights.ofSpace(address, ben, signal), false);
});

test('what someone writes to a channel is read by its writer and the administrators', async (t) => {
  const { places, add, addressOf, rights, rightsOf, anna, ben } = await createStage(t);
  const annas = add('channel direct');
  const bens = add('channel direct', [ben]);
  const [toAnna, toBen] = [await addressOf(annas), await addressOf(bens, ben)];
  assert.deepEqual(await rightsOf(toAnna, anna, ben), ['everything', 'nothing']);
  assert.deepEqual(await rightsOf(toBen, anna, ben), ['nothing', 'everything']);
  assert.deepEqual(await rights.readers(toAnna, signal), { restricted: true, outsiders: false });
  assert.equal(await rights.ofSpace(toAnna, anna, signal), false);
  const clara = places.addAccount('Clara');
  places.joinRoom(clara, annas);
  assert.deepEqual(await rightsOf(toBen, clara), ['everything']);
  places.leaveRoom(anna, annas, 'banned');
  assert.deepEqual(await rightsOf(toAnna, anna), ['nothing']);
});

test('what was written before a group moved is read by nobody who came later, by either id and after a restart', async (t) => {
  const { places, add, addressOf, rightsOf, rights, anna, ben, sink, running, again, start } =
    await createStage(t, { administrator: true });
  const room = add('basic group', [anna, ben]);
  const old = await addressOf(room);
  const now = places.move?.(room) ?? '';
  places.setVisibleHistory(now, true);
  places.setOpen(now, true);
  const moved = await addressOf(now);
  assert.notEqual(moved.chat, old.chat);
  for (const address of [old, moved])
    assert.deepEqual(await rightsOf(address, anna, ben), ['since joining', 'since joining']);
  places.leaveRoom(ben, now, 'left');
  for (const address of [old, moved]) assert.deepEqual(await rightsOf(address, ben), ['nothing']);
  assert.deepEqual(await rights.readers(old, signal), { restricted: false, outsiders: false });
  await running.stop();
  const second = again();
  start(second);
  await until('ready again', () => sink.states.filter(({ state }) => state === 'ready').length === 2);
  for (const address of [old, moved])
    assert.deepEqual(
      await Promise.all([anna, ben].map((account) => second.rights?.ofRoom(address, account, signal))),
      ['since joining', 'nothing'],
    );
});

test('someone who writes in the name of a chat reads nothing elsewhere', async (t) => {
  const { add, addressOf, rights, rightsOf } = await createStage(t, { administrator: true });
  const address = await addressOf(add('public group'));
  const names = [address.chat, '-1001999999999', `-1001999999999/${address.chat}`, '1087968824', '136817688'];
  assert.deepEqual(
    await rightsOf(address, ...names),
    Array.from(names, () => 'nothing'),
  );
  for (const name of names) assert.equal(await rights.ofSpace(address, name, signal), false);
});

test('a direct message is its person’s alone, which needs no call', async (t) => {
  const { places, addressOf, rights, rightsOf, anna, ben, sandbox } = await createStage(t);
  const address = await addressOf(places.direct(anna));
  const before = sandbox.calls().length;
  assert.deepEqual(await rightsOf(address, anna, ben), ['everything', 'nothing']);
  assert.deepEqual(await rights.readers(address, signal), { restricted: true, outsiders: false });
  assert.equal(await rights.ofSpace(address, anna, signal), false);
  assert.deepEqual(
    sandbox
      .calls()
      .slice(before)
      .filter(({ name }) => name !== 'getUpdates'),
    [],
  );
});

test('what cannot be known is refused in words: hidden members, a group that threw the bot out, no connection', async (t) => {
  const { places, add, addressOf, rights, channel, again, anna } = await createStage(t);
  const room = add('private');
  const address = await addressOf(room);
  places.setHiddenMembers(room, true);
  const explained = (work: Promise<unknown>) =>
    work.then(
      () => assert.fail('it was answered'),
      (error: unknown) => channel.explain(error).kind,
    );
  assert.equal(await explained(rights.ofRoom(address, anna, signal)), 'permission');
  places.setAdministrator(room, true);
  assert.equal(await rights.ofRoom(address, anna, signal), 'since joining');
  places.setBot(room, false);
  assert.equal(await explained(rights.ofRoom(address, anna, signal)), 'permission');
  assert.deepEqual(await rights.readers(address, signal), { restricted: true, outsiders: false });
  const unstarted = again().rights?.ofRoom(address, anna, signal) ?? Promise.resolve();
  assert.equal(await explained(unstarted), 'transient');
});

test('no right goes beyond what Telegram shows, whatever happened to the room', async (t) => {
  const { places, addressOf, rights } = await createStage(t);
  const acts = ['join', 'leave', 'kick', 'ban', 'open', 'close', 'show', 'hide', 'move', 'say'] as const;
  const act = fc.record({ what: fc.constantFrom(...acts), who: fc.nat(2) });
  const history = fc.record({
    kind: fc.constantFrom(...places.kinds),
    administrator: fc.boolean(),
    acts: fc.array(act, { maxLength: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ kind, administrator, acts }) => {
      const people = [0, 1, 2].map((index) => places.addAccount(`Person ${index}`));
      const [first = ''] = people;
      let room = places.addRoom({ space: places.addSpace('Any'), kind, name: 'Room', members: [first] });
      if (kind !== 'channel direct') places.setAdministrator(room, administrator);
      const address = await addressOf(room, first);
      const said: string[] = [];
      for (const { what, who } of acts) {
        const account = people[who] ?? first;
        if (what === 'join') places.joinRoom(account, room);
        else if (what === 'leave') places.leaveRoom(account, room, 'left');
        else if (what === 'kick') places.leaveRoom(account, room, 'kicked');
        else if (what === 'ban') places.leaveRoom(account, room, 'banned');
        else if (what === 'open' || what === 'close') places.setOpen(room, what === 'open');
        else if (what === 'show' || what === 'hide') places.setVisibleHistory(room, what === 'show');
        else if (what === 'move' && kind === 'basic group' && !room.startsWith('-100'))
          room = places.move?.(room) ?? room;
        // Who is not in the room cannot say anything there.
        else if (what === 'say')
          said.push(
            ...(await places.say({ account, room, text: 'words' }).then(
              (id) => [id],
              () => [],
            )),
          );
      }
      const newest = await places.say({ account: first, room, text: 'now' }).catch(() => undefined);
      for (const account of people) {
        const right = await rights.ofRoom(address, account, signal);
        const shown = right === 'everything' ? said : [];
        for (const id of newest === undefined || right === 'nothing' ? shown : [...shown, newest])
          assert.ok(places.mayRead(account, room, id), `${kind}: ${right}`);
      }
    }),
    { numRuns: 40 },
  );
});
