// Models that are asked in a separate thread: stopped at once, gathered when there are many, and started again when it dies.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Batch } from '#engine/providers/thread/calls.ts';
import { createEventBatcher } from '#engine/providers/thread/event-batcher.ts';
import { createModelThread } from '#engine/providers/thread/thread.ts';
import { hurriedClock } from './support/hurried-clock.ts';
import { ask, begin, openKit, textBody, watch } from './support/kit.ts';
import { startRaw } from './support/raw-provider.ts';

const worker = new URL('../../src/engine/providers/thread/worker.ts', import.meta.url);
/** The thread as it is, which dies when it is asked to. */
const mortal = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', (order) => { if (JSON.stringify(order).includes('please die')) process.exit(3); });
await import(${JSON.stringify(worker.href)});`;

function openThread(t: TestContext, code?: string) {
  const models = createModelThread(
    code === undefined ? undefined : new URL(`data:text/javascript,${encodeURIComponent(code)}`),
  );
  t.after(() => models.close());
  return models;
}

test('a stop ends an answer of the thread at once, keeps what was said, and the provider is no longer read', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { models: openThread(t), model: raw.settings });
  const { id } = await engine.createSession({});
  const { until } = watch(t, engine, { sessionID: id });
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  call.say('Half an ');
  await until((event) => event.type === 'message.part.updated');
  await engine.cancelRun(runID);
  const run = await engine.finished(runID);
  assert.deepEqual([run.status, run.text], ['cancelled', 'Half an ']);
  await call.closed;
});

test('a thread that dies ends its runs with a message, and the next call has a new one', async (t) => {
  const raw = await startRaw(t);
  const { engine, logged } = await openKit(t, {
    models: openThread(t, mortal),
    model: raw.settings,
    clock: hurriedClock,
  });
  const session = async () => (await engine.createSession({})).id;
  const id = await session();
  const { until } = watch(t, engine, { sessionID: id });
  const runID = await begin(engine, id, textBody('hello'));
  (await raw.next()).say('Half an ');
  await until((event) => event.type === 'message.part.updated');
  // nothing was shown of it, so it is tried again, and each try ends a thread
  const killer = await ask(engine, await session(), 'please die');
  assert.equal(killer.failure?.code, 'PROVIDER_STREAM_BROKEN');
  const run = await engine.finished(runID);
  assert.deepEqual([run.status, run.text], ['error', 'Half an ']);
  assert.deepEqual(
    [run.failure?.code, run.failure?.message],
    ['PROVIDER_STREAM_BROKEN', 'The answer broke off before it was complete.'],
  );
  assert.match(logged.join('\n'), /The thread of the model calls ended: exit code 3/);
  const asked = ask(engine, id, 'again');
  const call = await raw.next();
  call.say('Here I am.');
  call.finish();
  assert.equal((await asked).text, 'Here I am.');
});

test('once they are closed no models are asked, and what was in progress has failed', async (t) => {
  const raw = await startRaw(t);
  const models = openThread(t);
  const { engine } = await openKit(t, { models, model: raw.settings, clock: hurriedClock });
  const { id } = await engine.createSession({});
  const asked = ask(engine, id, 'hello');
  await raw.next();
  await models.close();
  assert.equal((await asked).status, 'error');
  assert.equal((await ask(engine, id, 'again')).failure?.code, 'ENGINE_DISPATCH_FAILED');
});

function gatherFor(t: TestContext, calls: number) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] });
  let now = 0;
  const posted: { atMs: number; batch: Batch }[] = [];
  const post = (batch: Batch): void => void posted.push({ atMs: now, batch });
  const gather = createEventBatcher({ post, now: () => now });
  for (let call = 0; call < calls; call += 1) gather.began();
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 1) {
      now += 1;
      t.mock.timers.tick(1);
    }
  };
  return { gather, posted, pass, now: () => now };
}

test('the pieces of few answers are sent as they come', (t) => {
  const { gather, posted, pass } = gatherFor(t, 1);
  gather.notify(7, { type: 'text', delta: 'one ' });
  gather.notify(7, { type: 'text', delta: 'two ' });
  pass(1);
  gather.notify(7, { type: 'text', delta: 'three' });
  pass(1);
  const piece = (delta: string) => [{ id: 7, events: [{ type: 'text', delta }] }];
  assert.deepEqual(
    posted.map(({ batch }) => batch),
    [piece('one two '), piece('three')],
  );
});

/** For so long, each of so many answers brings a piece with its time every so often, one after the other. */
function stream(
  { gather, pass, now }: ReturnType<typeof gatherFor>,
  calls: number,
  everyMs: number,
  ms: number,
) {
  for (let passed = 0; passed < ms; passed += 1) {
    for (let call = 0; call < calls; call += 1)
      if ((passed + Math.floor((call * everyMs) / calls)) % everyMs === 0)
        gather.notify(call, { type: 'text', delta: `${now()} ` });
    pass(1);
  }
}

test('pieces of many slow answers are not gathered: each is sent within ten milliseconds', (t) => {
  const kit = gatherFor(t, 200);
  stream(kit, 200, 1_000, 3_000);
  kit.pass(10);
  assert.equal(kit.posted.flatMap(({ batch }) => batch).length, 600);
  for (const { atMs, batch } of kit.posted) {
    for (const { events } of batch) {
      const [piece] = events;
      assert.ok(piece?.type === 'text' && atMs - Number(piece.delta) <= 10);
    }
  }
});

test('of many fast answers about 800 pieces a second are sent, none later than a fifth of a second, none lost', (t) => {
  const kit = gatherFor(t, 200);
  stream(kit, 200, 50, 4_000);
  kit.pass(300);
  const all = kit.posted.flatMap(({ atMs, batch }) => batch.map((one) => ({ atMs, ...one })));
  const inOneSecond = all.filter(({ atMs }) => atMs >= 3_000 && atMs < 4_000).length;
  assert.ok(inOneSecond > 600 && inOneSecond < 1_000, `${inOneSecond} pieces`);
  const texts = Array.from({ length: 200 }, () => '');
  for (const { atMs, id, events } of all) {
    for (const piece of events) {
      assert.ok(piece.type === 'text');
      assert.ok(atMs - Number.parseInt(piece.delta, 10) <= 210, `${piece.delta} was posted at ${atMs}`);
      texts[id] += piece.delta;
    }
  }
  for (const text of texts) {
    const times = text.trim().split(' ').map(Number);
    assert.equal(times.length, 80);
    assert.deepEqual(
      times.toSorted((one, other) => one - other),
      times,
    );
  }
});

test('what is no piece goes at once, after all pieces of its answer', (t) => {
  const kit = gatherFor(t, 200);
  stream(kit, 200, 50, 2_000);
  kit.pass(300);
  kit.posted.splice(0);
  stream(kit, 200, 50, 5); // as fast as before, so that pieces wait
  assert.equal(kit.posted.length, 0);
  const call = { type: 'tool call', callID: 'c', tool: 'x', args: {} } as const;
  kit.gather.notify(2, { type: 'reasoning', delta: 'hm' });
  kit.gather.notify(2, { type: 'text', delta: '2a' });
  kit.gather.notify(2, call);
  kit.pass(1);
  const [first, ...others] = kit.posted.flatMap(({ batch }) => batch);
  assert.deepEqual(others, []);
  assert.equal(first?.id, 2);
  assert.deepEqual(first.events.slice(-3), [
    { type: 'reasoning', delta: 'hm' },
    { type: 'text', delta: '2a' },
    call,
  ]);
});
