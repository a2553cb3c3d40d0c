// What the engine has to know of rooms and of changed messages: it is told again, before the next run, until it took it, and then no more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParleyError } from '#base/errors.ts';
import { type Harness, startHarness } from './harness.ts';
import { createScriptedChannel, dm, message, room } from './scripted-channel.ts';
import { createScriptedEngine, type ScriptedEngine } from './scripted-engine.ts';

const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const you = { id: 'u1', name: 'you', isBot: false };

type Told = 'setRooms' | 'amend' | 'forgetNote' | 'forgetTurns';

/** The engine takes what it is told of this kind only from the second time on; gives how often it was told. */
function refuseOnce(engine: ScriptedEngine, kind: Told, error: Error): () => number {
  let times = 0;
  const take = engine[kind] as (...told: unknown[]) => Promise<void>; // passed on as it came
  Object.assign(engine, {
    [kind]: async (...told: unknown[]) => {
      times += 1;
      if (times === 1) throw error;
      return take(...told);
    },
  });
  return () => times;
}

const changes: Record<Told, (h: Harness) => Promise<unknown>> = {
  async setRooms({ channel }) {
    channel.rights.readers = async () => ({ restricted: true, outsiders: false });
    await channel.sink.accept({ type: 'room', address: room, restricted: true });
  },
  amend: ({ channel }) =>
    channel.sink.accept({ type: 'edit', address: dm, nativeID: 'a', at, actor: you, text: 'near Rome' }),
  forgetNote: ({ channel }) => channel.sink.accept({ type: 'delete', address: dm, nativeID: 'n', at }),
  forgetTurns: ({ channel }) => channel.sink.accept({ type: 'delete', address: room, nativeID: 'x', at }),
};

/** All that the engine took, by kind. */
const taken = ({ roomStates, amendments, forgottenNotes, forgottenTurns }: ScriptedEngine) => ({
  setRooms: roomStates.length,
  amend: amendments.length,
  forgetNote: forgottenNotes.length,
  forgetTurns: forgottenTurns.length,
});

/** In a room whose messages are not for the bot. */
const inRoom = {
  address: room,
  addressed: 'none',
  room: { names: { channel: 'general' }, restricted: false },
} as const;

/** What `changes` change: a question, a message in a room, and a memory that a person saves. */
async function writeFirst({ sink }: ReturnType<typeof createScriptedChannel>): Promise<void> {
  await sink.accept(message('a', 'near Oslo'));
  await sink.accept(message('r', 'hi', inRoom));
  await sink.accept(message('n', '/memory save The bike is green'));
}

for (const kind of Object.keys(changes) as Told[])
  test(`what the engine did not take (${kind}) is told again before the next run, and no more once it took it, also after a restart`, async (t) => {
    const engine = createScriptedEngine(() => 'ok');
    const h = await startHarness(t, { engine, channel: createScriptedChannel({ partLimit: 4_000 }) });
    const { channel, pass, restart } = h;
    await writeFirst(channel);
    await pass(1_000);
    const times = refuseOnce(engine, kind, new ParleyError('engine_away', 'The engine is away.'));
    await changes[kind](h);
    await pass();
    assert.deepEqual([times(), taken(engine)[kind], h.gateway.lanes().changes], [1, 0, 1]);
    const runs = engine.runs.length;
    const { prompt } = engine;
    let before = -1;
    engine.prompt = (...asked) => {
      before = taken(engine)[kind];
      return prompt(...asked);
    };
    await channel.sink.accept(message('next', 'what now?'));
    await pass(1_000);
    assert.deepEqual([engine.runs.length, before, times()], [runs + 1, 1, 2]);
    assert.equal(h.gateway.lanes().changes, 0);
    await restart();
    await channel.sink.accept(message('after', 'and now?'));
    await pass(1_000);
    assert.deepEqual([engine.runs.length, times()], [runs + 2, 2]);
  });

test('a change of a message whose session was deleted is told once and keeps nothing waiting', async (t) => {
  const engine = createScriptedEngine(() => 'ok');
  const h = await startHarness(t, { engine });
  await h.channel.sink.accept(message('a', 'near Oslo'));
  await h.pass(1_000);
  const times = refuseOnce(engine, 'amend', new ParleyError('run_not_found', 'There is no such run.'));
  await changes.amend(h);
  await h.channel.sink.accept(message('next', 'what now?'));
  await h.pass(1_000);
  assert.deepEqual([engine.runs.length, times()], [2, 1]);
});

test('what the engine did not take is reported again soon, though nobody writes', async (t) => {
  const engine = createScriptedEngine(() => 'ok');
  const h = await startHarness(t, { engine });
  await h.channel.sink.accept(message('a', 'near Oslo'));
  await h.pass(1_000);
  const times = refuseOnce(engine, 'amend', new ParleyError('engine_away', 'The engine is away.'));
  await changes.amend(h);
  await h.pass();
  assert.deepEqual([times(), h.gateway.lanes().changes], [1, 1]);
  await h.pass(60_000);
  assert.deepEqual([times(), engine.amendments.length, h.gateway.lanes().changes], [2, 1, 0]);
  await h.pass(600_000);
  assert.equal(times(), 2);
});

test('a command that shows memory waits until the engine has every edit and deletion before it', async (t) => {
  const engine = createScriptedEngine(() => 'ok');
  const h = await startHarness(t, { engine });
  await h.channel.sink.accept(message('a', 'near Oslo'));
  await h.pass(1_000);
  const gate = Promise.withResolvers<void>();
  const { amend } = engine;
  engine.amend = async (...amendment) => {
    await gate.promise;
    return amend(...amendment);
  };
  const known: number[] = [];
  engine.listMemory = async () => {
    known.push(engine.amendments.length);
    return { items: [], count: 0, offset: 0, limit: 10, next: null };
  };
  await changes.amend(h);
  await h.channel.sink.accept(message('look', '/memory recent'));
  await h.pass(1_000);
  assert.deepEqual(known, []);
  gate.resolve();
  await h.seen('the memories are listed', () => known[0]);
  assert.ok(known.every((count) => count === 1));
});

for (const kind of Object.keys(changes) as Told[])
  test(`a program with the token of a person reads once the engine has what changed (${kind}), and is refused until then`, async (t) => {
    const engine = createScriptedEngine(() => 'ok');
    const people = { Ann: { role: 'owner' as const, accounts: ['discord:u1'] } };
    const channel = createScriptedChannel({ partLimit: 4_000 });
    const h = await startHarness(t, { engine, channel, people });
    await writeFirst(channel);
    await h.pass(1_000);
    const { secret } = await h.gateway.tokens.create({ person: 'Ann' });
    const take = engine[kind] as (...told: unknown[]) => Promise<void>; // passed on as it came
    Object.assign(engine, { [kind]: () => Promise.reject(new ParleyError('engine_away', 'It is away.')) });
    await changes[kind](h);
    await h.pass();
    await assert.rejects(h.gateway.tokens.check(secret), /It is away/);
    Object.assign(engine, { [kind]: take });
    const before = taken(engine)[kind];
    assert.ok('reader' in (await h.gateway.tokens.check(secret)));
    assert.equal(taken(engine)[kind], before + 1);
  });

test('a room that is found closed while an answer is prepared is told to the engine before that answer is', async (t) => {
  const engine = createScriptedEngine(() => 'ok');
  const channel = createScriptedChannel();
  channel.rights.closesSilently = true;
  const h = await startHarness(t, { engine, channel, sharing: 'everyone' });
  await channel.sink.accept(
    message('r', 'hi', {
      address: room,
      addressed: 'none',
      room: { names: { channel: 'general' }, restricted: false },
    }),
  );
  await h.pass(10 * 60_000);
  channel.rights.readers = async () => ({ restricted: true, outsiders: false });
  const gate = Promise.withResolvers<void>();
  const { setRooms } = engine;
  engine.setRooms = async (...told) => {
    await gate.promise;
    return setRooms(...told);
  };
  await channel.sink.accept(message('a', 'what now?'));
  await h.pass(1_000);
  assert.equal(engine.runs.length, 0);
  gate.resolve();
  await h.seen('the answer', () => engine.runs[0]);
  assert.deepEqual(
    engine.roomStates.flat().map(({ restricted }) => restricted),
    [true],
  );
});

test('a change that the engine keeps refusing holds up no change of another conversation', async (t) => {
  const engine = createScriptedEngine(() => 'ok');
  const h = await startHarness(t, { engine, channel: createScriptedChannel({ partLimit: 4_000 }) });
  const { channel, pass } = h;
  await channel.sink.accept(message('a', 'near Oslo'));
  await pass(1_000);
  await channel.sink.accept(message('b', 'near Rome'));
  await pass(1_000);
  const [first] = engine.runs.map(({ run }) => run.runID);
  const { amend } = engine;
  engine.amend = async (amendment, how) => {
    if (amendment.runID === first) throw new ParleyError('broken', 'This one is broken.');
    return amend(amendment, how);
  };
  for (const nativeID of ['a', 'b'])
    await channel.sink.accept({ type: 'edit', address: dm, nativeID, at, actor: you, text: 'near Paris' });
  await pass();
  assert.deepEqual(
    engine.amendments.map(({ nativeID }) => nativeID),
    ['b'],
  );
  assert.equal(h.gateway.lanes().changes, 1);
});

for (const kind of [...(Object.keys(changes) as Told[]), 'setPlaceNames'] as const)
  test(`what the engine keeps refusing (${kind}) holds up no change of another kind`, async (t) => {
    const engine = createScriptedEngine(() => 'ok');
    const h = await startHarness(t, { engine, channel: createScriptedChannel({ partLimit: 4_000 }) });
    const { channel, pass } = h;
    await writeFirst(channel);
    await pass(1_000);
    const before = taken(engine);
    engine[kind] = () => Promise.reject(new ParleyError('broken', 'This one is broken.'));
    if (kind === 'setPlaceNames')
      await channel.sink.accept(
        message('named', 'hi', {
          ...inRoom,
          addressed: 'mention',
          room: { names: { channel: 'lobby' }, restricted: false },
        }),
      );
    const told = Object.keys(changes) as Told[];
    for (const each of told) await changes[each](h);
    await pass();
    const isTaken = (each: Told): boolean => taken(engine)[each] > before[each];
    await h.seen(
      'every other change',
      () => told.every((each) => each === kind || isTaken(each)) || undefined,
    );
    for (const each of told) assert.equal(isTaken(each), each !== kind, each);
  });

test('names of places that the engine refuses for ever hold up answers for ten minutes, and no longer', async (t) => {
  const engine = createScriptedEngine(() => 'ok');
  const h = await startHarness(t, { engine });
  engine.setPlaceNames = () => Promise.reject(new ParleyError('broken', 'This one is broken.'));
  await h.channel.sink.accept(message('r', 'hi', { ...inRoom, addressed: 'mention' }));
  await h.pass(12 * 60_000);
  await h.channel.sink.accept(message('s', 'still there?', { ...inRoom, addressed: 'mention' }));
  await h.seen('the answer', () => engine.runs[0]);
});

for (const kind of ['amend', 'forgetNote', 'forgetTurns'] as const)
  test(`a change that the engine refuses for ever (${kind}) holds up answers for ten minutes, also over a restart; owners read it once, and it stays`, async (t) => {
    const engine = createScriptedEngine(() => 'All is well.');
    const people = { robin: { role: 'owner' as const, accounts: ['discord:u1'] } };
    const h = await startHarness(t, {
      ...{ engine, people },
      channel: createScriptedChannel({ partLimit: 4_000 }),
    });
    const { channel, pass } = h;
    await writeFirst(channel);
    await pass(1_000);
    const take = engine[kind];
    let times = 0;
    engine[kind] = async () => {
      times += 1;
      throw new ParleyError('broken', 'This one is broken.');
    };
    await changes[kind](h);
    await pass(5 * 60_000);
    await h.restart();
    await pass(4 * 60_000);
    const runs = engine.runs.length;
    await channel.sink.accept(message('early', 'what now?'));
    await pass(1_000);
    assert.equal(engine.runs.length, runs, 'it is tried for ten minutes');
    await pass(2 * 60_000);
    await channel.sink.accept(message('later', 'and now?'));
    await h.seen('a run', () => (engine.runs.length > runs ? true : undefined));
    const before = times;
    await channel.sink.accept(message('after', 'and then?'));
    await h.seen('another run', () => (engine.runs.length > runs + 1 ? true : undefined));
    assert.ok(times > before, 'it is tried before each answer');
    assert.equal(h.gateway.lanes().changes, 1, 'the status counts it');
    const told = channel.messages.filter(({ text }) => text.includes('My memory refuses a change'));
    assert.deepEqual([told.length, told[0]?.text.includes('This one is broken')], [1, true]);
    Object.assign(engine, { [kind]: take });
    await h.restart();
    await h.seen('the change', () => (h.gateway.lanes().changes === 0 ? true : undefined));
  });

test('an engine that is out of reach for an hour is no refusal: the change is reported before the next run', async (t) => {
  const engine = createScriptedEngine(() => 'ok');
  const h = await startHarness(t, { engine });
  await h.channel.sink.accept(message('a', 'near Oslo'));
  await h.pass(1_000);
  const { amend } = engine;
  engine.amend = async () => {
    throw new ParleyError('engine_unreachable', 'The engine cannot be reached.');
  };
  await changes.amend(h);
  await h.pass(60 * 60_000);
  await h.channel.sink.accept(message('next', 'what now?'));
  await h.pass(1_000);
  assert.equal(engine.runs.length, 1);
  engine.amend = amend;
  await h.pass(60_000);
  assert.equal(engine.amendments.length, 1);
});
