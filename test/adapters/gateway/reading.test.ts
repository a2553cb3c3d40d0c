// What a run may recall from elsewhere: who may read it now, by looks at the platform that events renew.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { roomOf } from '#adapters/gateway/terms/address.ts';
import type { ConnectionState, MemberEvent, RoomEvent } from '#adapters/gateway/terms/inbound.ts';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';
import { startHarness } from './harness.ts';
import { createScriptedChannel, dm, message, room, ScriptedFailure } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const open = { names: { channel: 'general' }, restricted: false };
const closed = { names: { channel: 'backroom' }, restricted: true };
const audience = `room:${roomOf(room)}`;
const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const member = (change: MemberEvent['change'], of: MemberEvent['of'] = 'room'): MemberEvent => ({
  type: 'member',
  address: room,
  of,
  actorID: 'u1',
  change,
  at: at + 500,
});
const roomIs = (restricted: boolean): RoomEvent => ({ type: 'room', address: room, restricted });

/** A harness in which someone has spoken in the room; `asked` says something and gives the origin of its run. */
async function seenInRoom(t: TestContext, about = closed, silently: { sharing?: 'everyone' } = {}) {
  const channel = createScriptedChannel();
  const looks: string[] = [];
  channel.rights = {
    ...(silently.sharing === undefined ? {} : { closesSilently: true }),
    async ofRoom(_, actorID) {
      looks.push(`room ${actorID}`);
      return 'everything';
    },
    async ofSpace(_, actorID) {
      looks.push(`space ${actorID}`);
      return true;
    },
    async readers() {
      looks.push('readers');
      return { restricted: about.restricted, outsiders: false };
    },
  };
  const harness = await startHarness(t, { ...silently, channel, engine: createScriptedEngine(() => 'ok') });
  const { engine, pass } = harness;
  let said = 0;
  const asked = async (over: Parameters<typeof message>[2] = {}): Promise<PromptOrigin> => {
    said += 1;
    await channel.sink.accept(message(`m${said}`, 'what was written?', over));
    await pass(400);
    const origin = engine.runs.at(-1)?.body.origin;
    assert.ok(origin !== undefined && engine.runs.length === said, 'a run');
    return origin;
  };
  await channel.sink.accept(message('0', 'hello', { address: room, addressed: 'none', room: about }));
  return { ...harness, looks, asked };
}

test('in private a person is reminded of a room that they may read now, and a look holds for some minutes', async (t) => {
  const { asked, looks, clock } = await seenInRoom(t);
  const { reach } = await asked();
  assert.deepEqual([reach.audiences.includes(audience), reach.spaces], [true, ['discord:bot:G1']]);
  await asked();
  assert.deepEqual(looks.toSorted(), ['room u1', 'space u1']);
  await clock.advance(6 * 60_000);
  await asked();
  assert.equal(looks.length, 4);
});

test('anyone who may not read a room any more is not reminded of it, and begins again when they come back', async (t) => {
  const { asked, channel, clock } = await seenInRoom(t);
  channel.rights.ofRoom = async () => 'nothing';
  channel.rights.ofSpace = async () => false;
  const { reach } = await asked();
  assert.deepEqual([reach.audiences.includes(audience), reach.spaces], [false, []]);
  channel.rights.ofRoom = async () => 'since joining';
  await clock.advance(6 * 60_000);
  assert.equal((await asked()).reach.audiences.includes(audience), false, 'they were not seen there since');
  await channel.sink.accept(
    message('9', 'back', { address: room, addressed: 'none', room: closed, at: at + 900 }),
  );
  assert.deepEqual((await asked()).reach.since, { [audience]: at + 900 });
});

test('a newcomer is reminded of what was written since they came, where the history is hidden from newcomers', async (t) => {
  const { asked, channel } = await seenInRoom(t);
  channel.rights.ofRoom = async () => 'since joining';
  const { reach } = await asked();
  assert.deepEqual([reach.audiences.includes(audience), reach.since], [true, { [audience]: at }]);
});

test('an event of the platform makes a look again at once', async (t) => {
  const { asked, channel } = await seenInRoom(t);
  assert.equal((await asked()).reach.audiences.includes(audience), true);
  channel.rights.ofRoom = async () => 'nothing';
  assert.equal((await asked()).reach.audiences.includes(audience), true, 'the look holds');
  await channel.sink.accept(member('rights'));
  assert.equal((await asked()).reach.audiences.includes(audience), false);
});

test('anyone who leaves a room, or the space, is not asked about there any more', async (t) => {
  for (const what of ['room', 'space'] as const) {
    const { asked, channel, looks } = await seenInRoom(t);
    await channel.sink.accept(member('left', what));
    const { reach } = await asked();
    assert.deepEqual([reach.audiences.includes(audience), reach.spaces], [false, []], what);
    assert.deepEqual(looks, []);
  }
});

test('who joins a room is reminded of it in private before they say a word there; the joining of a stranger is nothing', async (t) => {
  const { asked, channel } = await seenInRoom(t);
  const joined = { ...member('joined'), address: { ...room, chat: 'C2' } };
  const other = `room:${roomOf(joined.address)}`;
  assert.equal((await asked()).reach.audiences.includes(other), false);
  await channel.sink.accept({ ...joined, actorID: 'u7' });
  assert.equal((await asked()).reach.audiences.includes(other), false, 'another one joined');
  await channel.sink.accept(joined);
  assert.equal((await asked()).reach.audiences.includes(other), true);
});

test('what cannot be looked up, or takes long, is not shown, and the answer does not wait for it', async (t) => {
  const { channel, clock, pass, engine } = await seenInRoom(t);
  channel.rights.ofRoom = async () => {
    throw new ScriptedFailure({ kind: 'transient' });
  };
  channel.rights.ofSpace = () => new Promise(() => {});
  await channel.sink.accept(message('slow', 'what was written?'));
  await pass(4_000);
  const { reach } = engine.runs.at(-1)?.body.origin ?? {};
  assert.deepEqual([reach?.audiences.includes(audience), reach?.spaces], [false, []]);
  channel.rights.ofRoom = async () => 'everything';
  await clock.advance(60_000);
  await channel.sink.accept(message('later', 'and now?'));
  await pass(4_000);
  assert.equal(engine.runs.at(-1)?.body.origin?.reach.audiences.includes(audience), true);
});

test('where an outsider reads along, or it cannot be known, nothing of the space is shown', async (t) => {
  const inRoom = { address: room, addressed: 'mention', room: open } as const;
  const { asked, channel } = await seenInRoom(t, open);
  assert.equal((await asked(inRoom)).outsiders, false);
  channel.rights.readers = async () => ({ restricted: false, outsiders: true });
  await channel.sink.accept(member('joined'));
  assert.equal((await asked(inRoom)).outsiders, true);
  channel.rights.readers = async () => {
    throw new ScriptedFailure({ kind: 'transient' });
  };
  await channel.sink.accept(member('rights'));
  assert.equal((await asked(inRoom)).outsiders, true);
});

test('a guest is an outsider in private', async (t) => {
  const { asked, channel } = await seenInRoom(t);
  assert.equal((await asked()).outsiders, false);
  channel.rights.isOutsider = async () => true;
  await channel.sink.accept(member('rights'));
  assert.equal((await asked({ address: { ...dm, space: 'G1' } })).outsiders, true);
});

test('the engine is told that a room closed before the next run begins, and again when it opens', async (t) => {
  const inRoom = { address: room, addressed: 'mention', room: open } as const;
  const { asked, channel, engine } = await seenInRoom(t, open);
  await asked(inRoom);
  assert.deepEqual(engine.roomStates, []);
  await channel.sink.accept(roomIs(true));
  channel.rights.readers = async () => ({ restricted: true, outsiders: false });
  assert.equal((await asked(inRoom)).restricted, true, 'a message that says otherwise is older');
  assert.deepEqual(engine.roomStates, [{ audience, restricted: true }]);
  channel.rights.readers = async () => ({ restricted: false, outsiders: false });
  await channel.sink.accept(roomIs(false));
  assert.equal((await asked(inRoom)).restricted, false);
  assert.deepEqual(engine.roomStates.at(-1), { audience, restricted: false });
});

test('a private thread says nothing of the room that it is in', async (t) => {
  const { asked, channel, engine } = await seenInRoom(t, open);
  channel.rights.readers = async ({ thread }) => ({ restricted: thread !== undefined, outsiders: false });
  const about = { ...closed, privateThread: true };
  const thread = { address: { ...room, thread: 'T1' }, addressed: 'mention', room: about } as const;
  assert.equal((await asked(thread)).restricted, true);
  assert.equal((await asked({ address: room, addressed: 'mention', room: open })).restricted, false);
  assert.deepEqual(engine.roomStates, []);
});

test('a message alone closes a room, and none opens it', async (t) => {
  const { asked, channel, engine } = await seenInRoom(t, open);
  channel.rights.readers = async () => ({ restricted: true, outsiders: false });
  await asked({ address: room, addressed: 'mention', room: closed });
  assert.deepEqual(engine.roomStates, [{ audience, restricted: true }]);
  await asked({ address: room, addressed: 'mention', room: open });
  assert.equal(engine.roomStates.length, 1);
});

test('what everyone may see is looked at first, where a platform says nothing of a room that closes', async (t) => {
  const { asked, channel, clock, engine } = await seenInRoom(t, open, { sharing: 'everyone' });
  const stranger = { actor: { id: 'u2', name: 'other', isBot: false } };
  assert.deepEqual([(await asked(stranger)).outsiders, engine.roomStates], [false, []]);
  channel.rights.readers = async () => ({ restricted: true, outsiders: false });
  await clock.advance(6 * 60_000);
  assert.equal((await asked(stranger)).outsiders, false);
  assert.deepEqual(engine.roomStates, [{ audience, restricted: true }], 'before the run begins');
});

test('nothing is shown to everyone while a platform that does not report a closed room cannot be asked', async (t) => {
  const { asked, channel } = await seenInRoom(t, open, { sharing: 'everyone' });
  channel.rights.readers = async () => {
    throw new ScriptedFailure({ kind: 'transient' });
  };
  assert.equal((await asked()).outsiders, true);
});

test('rooms that closed while nothing was heard are looked at when the connection is ready again', async (t) => {
  const { channel, engine, restart, pass } = await seenInRoom(t, open);
  channel.rights.readers = async () => ({ restricted: true, outsiders: false });
  await restart();
  await pass(400);
  assert.deepEqual(engine.roomStates, [{ audience, restricted: true }]);
});

test('a room of which the platform does not say after a restart who reads it counts as closed until it does, also after another restart', async (t) => {
  const { channel, engine, restart, pass, clock } = await seenInRoom(t, open);
  const states = (): (boolean | undefined)[] =>
    engine.roomStates.splice(0).map(({ restricted }) => restricted);
  const { readers } = channel.rights;
  channel.rights.readers = async () => {
    throw new ScriptedFailure({ kind: 'transient' });
  };
  await restart();
  await pass(400);
  assert.deepEqual(states(), [true]);
  await restart();
  await clock.advance(30_000);
  assert.deepEqual(states(), [], 'it is closed already');
  channel.rights.readers = readers;
  await clock.advance(10 * 60_000);
  assert.deepEqual(
    states(),
    [false],
    'the platform says that it is open, with no word from anyone in the room',
  );
  channel.rights.readers = async () => {
    throw new ScriptedFailure({ kind: 'transient' });
  };
  await restart();
  await pass(400);
  channel.rights.readers = async () => ({ restricted: true, outsiders: false });
  await clock.advance(10 * 60_000);
  assert.deepEqual(states(), [true]);
  channel.rights.readers = readers;
  await restart();
  await clock.advance(10 * 60_000);
  assert.deepEqual(states(), [], 'it was closed, and only its platform opens it');
});

test('after a reconnect a run of the space waits until all its open rooms were looked at, and knows which of them closed', async (t) => {
  const other = { ...room, chat: 'C2' };
  for (const over of [{ address: room, addressed: 'mention', room: open } as const, {}]) {
    const { channel, engine, pass } = await seenInRoom(t, open);
    await channel.sink.accept(message('o', 'hi', { address: other, addressed: 'none', room: open }));
    const { promise: look, resolve } = Promise.withResolvers<void>();
    channel.rights.readers = async ({ chat }) => {
      if (chat === other.chat) await look;
      return { restricted: chat === other.chat, outsiders: false };
    };
    channel.sink.report('reconnecting');
    channel.sink.report('ready');
    await channel.sink.accept(message('m', 'what was written?', over));
    await pass(400);
    assert.equal(engine.runs.length, 0, 'the other room is still being looked at');
    resolve();
    await pass(400);
    assert.equal(engine.runs.length, 1);
    assert.deepEqual(engine.roomStates, [{ audience: `room:${roomOf(other)}`, restricted: true }]);
  }
});

test('rooms are looked at again once for each time that the connection becomes ready, and at no other report', async (t) => {
  const { channel, looks, pass } = await seenInRoom(t, open);
  const looked = async (state: ConnectionState): Promise<number> => {
    channel.sink.report(state);
    await pass();
    return looks.splice(0).length;
  };
  const seen: number[] = [];
  for (const state of ['ready', 'reconnecting', 'failed', 'connecting', 'ready', 'ready'] as const)
    seen.push(await looked(state));
  assert.deepEqual(seen, [0, 0, 0, 0, 1, 0]);
});
