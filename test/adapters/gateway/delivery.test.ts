// Receipts, retries, restarts: an answer stands in the chat once, whatever happened on the way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { ParleyError } from '#base/errors.ts';
import { startHarness } from './harness.ts';
import { createScriptedChannel, message, room, ScriptedFailure } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const ok = () => createScriptedEngine(() => 'the answer');
const texts = (channel: { messages: { text: string }[] }): string[] =>
  channel.messages.map(({ text }) => text);

test('an answer is delivered, and the engine gets the report once, with the platform ids of its parts', async (t) => {
  const { channel, engine, pass } = await startHarness(t, {
    channel: createScriptedChannel({ partLimit: 4 }),
    engine: ok(),
  });
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  assert.deepEqual(texts(channel), ['the ', 'answ', 'er']);
  assert.deepEqual(
    engine.deliveries.map(({ runID, nativeIDs }) => ({ runID, nativeIDs })),
    [{ runID: 'run_1', nativeIDs: ['m1', 'm2', 'm3'] }],
  );
});

test('nothing is answered or said again after a restart (A1, C4)', async (t) => {
  const { channel, engine, pass, restart } = await startHarness(t, { engine: ok() });
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  await restart();
  assert.equal(await channel.sink.accept(message('1', 'hello')), 'duplicate');
  await pass();
  assert.deepEqual(texts(channel), ['the answer']);
  assert.equal(engine.runs.length, 1);
});

test('an answer that was ready when the process died is delivered at the next start, without another run (C5, D3)', async (t) => {
  const channel = createScriptedChannel();
  const { engine, pass, restart } = await startHarness(t, { channel, engine: ok() });
  channel.failing.send.push(
    new ScriptedFailure({ kind: 'transient' }),
    new ScriptedFailure({ kind: 'transient' }),
  );
  await channel.sink.accept(message('1', 'hello'));
  await pass(200);
  assert.deepEqual(texts(channel), []);
  await restart();
  await pass(60_000);
  assert.deepEqual(texts(channel), ['the answer']);
  assert.equal(engine.runs.length, 1);
});

test('what is ready to be said waits for the connection as long as it takes (C6)', async (t) => {
  const channel = createScriptedChannel();
  const { pass, restart } = await startHarness(t, { channel, engine: ok() });
  channel.failing.send.push(new ScriptedFailure({ kind: 'transient' }));
  await channel.sink.accept(message('1', 'hello'));
  await pass(200);
  for (const state of ['connecting', 'reconnecting', 'failed'] as const) {
    channel.atStart = state;
    channel.calls.length = 0;
    await restart();
    await pass(60 * 60_000);
    assert.deepEqual(
      channel.calls.filter((call) => call.startsWith('send')),
      [],
      state,
    );
  }
  channel.sink.report('ready');
  await pass();
  assert.deepEqual(texts(channel), ['the answer']);
});

test('what a run says before and after a tool is one message, whoever commits it again (C3)', async (t) => {
  const channel = createScriptedChannel({ partLimit: 1000 });
  const { engine, pass, kill, path } = await startHarness(t, { channel });
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  engine.say('run_1', 'Let me look.');
  await pass(2_000);
  assert.deepEqual(texts(channel), ['Let me look.']);
  engine.say('run_1', ' Found: blue.');
  engine.complete('run_1', 'Let me look. Found: blue.');
  await pass();
  assert.deepEqual(texts(channel), ['Let me look. Found: blue.']);
  await channel.sink.accept(message('2', 'and at once?'));
  await pass();
  engine.complete('run_2', 'plain');
  await pass();
  const both = ['Let me look. Found: blue.', 'plain'];
  assert.deepEqual(texts(channel), both);
  // as a death between the two commits of an earlier version left it: the turn still counts as running
  const file = new Database(path);
  file.exec("UPDATE turns SET state = 'running'");
  file.close();
  await kill();
  await pass(60_000);
  assert.deepEqual(texts(channel), both);
  assert.deepEqual(new Set(engine.deliveries.map(({ runID }) => runID)), new Set(['run_1', 'run_2']));
});

test('an answer whose run the engine has lost, as after a power cut, is not handed over for ever', async (t) => {
  const engine = ok();
  let asked = 0;
  engine.delivered = async ({ runID }) => {
    asked += 1;
    throw new ParleyError('run_not_found', `There is no run "${runID}" to be delivered.`);
  };
  const { channel, pass, gateway } = await startHarness(t, { engine });
  await channel.sink.accept(message('1', 'hello'));
  await pass(10 * 60_000);
  assert.deepEqual(texts(channel), ['the answer']);
  assert.equal(asked, 1);
  assert.equal(gateway.status()[0]?.outboxBacklog, 0);
});

test('answers that memory keeps refusing hold up no hand-over of another one, however many they are', async (t) => {
  const engine = ok();
  let isRefusing = true;
  const { delivered } = engine;
  engine.delivered = async (delivery) => {
    if (isRefusing) throw new ParleyError('broken', 'This one is broken.');
    return delivered(delivery);
  };
  const refused = engine.delivered;
  const harness = await startHarness(t, { engine });
  const { channel, pass, seen } = harness;
  const unremembered = (): number => harness.gateway.lanes().unremembered;
  for (let number = 1; number <= 64; number += 1) {
    await channel.sink.accept(message(`${number}`, 'hello'));
    await pass(200);
  }
  await seen('all answers', () => (channel.messages.length === 64 ? true : undefined));
  engine.delivered = async (delivery) =>
    delivery.runID === 'run_65' ? delivered(delivery) : refused(delivery);
  await channel.sink.accept(message('65', 'and now?'));
  await seen('the hand-over', () => engine.deliveries.find(({ runID }) => runID === 'run_65'));
  assert.equal(unremembered(), 64, 'the status counts them');
  isRefusing = false;
  await seen('all others', () => (engine.deliveries.length === 65 ? true : undefined));
  await seen('a status without them', () => (unremembered() === 0 ? true : undefined));
});

test('a send that the client library gave up on its own is tried again, and the answer is handed over (C2)', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: ok() });
  const send = channel.send.bind(channel);
  let attempts = 0;
  channel.send = async (...call) => {
    attempts += 1;
    if (attempts === 1) throw new DOMException('This operation was aborted', 'AbortError');
    return send(...call);
  };
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  await pass(60_000);
  assert.deepEqual(texts(channel), ['the answer']);
  assert.equal(engine.deliveries.length, 1);
});

test('after a failure in the middle, sending resumes at the first part without a receipt (C7)', async (t) => {
  const channel = createScriptedChannel({ partLimit: 4 });
  const { pass, restart } = await startHarness(t, { channel, engine: ok() });
  channel.failing.send.push(undefined, new ScriptedFailure({ kind: 'transient' }));
  await channel.sink.accept(message('1', 'hello'));
  await pass(150);
  assert.deepEqual(texts(channel), ['the ']);
  await restart();
  await pass(1_000);
  assert.deepEqual(texts(channel), ['the ', 'answ', 'er']);
});

test('a run that dies with the process again and again is resumed until it can answer (A1)', async (t) => {
  const { channel, engine, pass, kill } = await startHarness(t);
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  for (let death = 1; death <= 5; death += 1) {
    await kill();
    await pass();
    assert.equal(engine.runs.length, death + 1);
  }
  engine.complete('run_6', 'At last.');
  await pass();
  assert.deepEqual(texts(channel), ['At last.']);
});

test('a run that takes the program with it each time is given up with a message after its sixth death', async (t) => {
  const { channel, engine, pass, kill } = await startHarness(t);
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  for (let death = 1; death <= 6; death += 1) {
    await kill();
    await pass();
  }
  assert.equal(engine.runs.length, 6);
  assert.match(texts(channel).join(), /interrupted before I could answer. Please send that again/);
});

for (const platform of [
  'an idempotent platform',
  'a platform that can find',
  'a platform that can do neither',
] as const) {
  test(`on ${platform} a response that is lost after the post never gives a silent second post (C1)`, async (t) => {
    const channel = createScriptedChannel({
      caps: { idempotentSend: platform === 'an idempotent platform' },
      find: platform === 'a platform that can find' ? 'can find' : 'cannot find',
    });
    const { pass } = await startHarness(t, { channel, engine: ok() });
    channel.failing.send.push(new ScriptedFailure({ kind: 'transient' }, 'effective'));
    await channel.sink.accept(message('1', 'hello'));
    await pass(5_000);
    const expected =
      platform === 'a platform that can do neither' ? ['the answer', '(repeat?) the answer'] : ['the answer'];
    assert.deepEqual(texts(channel), expected);
  });
}

test('a token that is refused when an answer is sent ends the connection with a message, and the answer is once when there is a next one (H7)', async (t) => {
  const channel = createScriptedChannel();
  const harness = await startHarness(t, { channel, engine: ok() });
  channel.failing.send.push(
    new ScriptedFailure({ kind: 'auth', words: 'The token is not taken: get another.' }),
  );
  await channel.sink.accept(message('1', 'hello'));
  await harness.pass();
  await harness.pass(60_000);
  const [status] = harness.gateway.status();
  assert.deepEqual([status?.state, status?.problem], ['failed', 'The token is not taken: get another.']);
  assert.deepEqual([texts(channel), channel.calls], [[], ['send the answer']]);
  await harness.restart();
  await harness.pass();
  assert.deepEqual(texts(channel), ['the answer']);
});

test('nothing is called in a chat before its retry_after is over, and another chat does not wait for it (D4)', async (t) => {
  const channel = createScriptedChannel();
  const { pass } = await startHarness(t, { channel, engine: ok() });
  channel.failing.send.push(new ScriptedFailure({ kind: 'rate_limit', retryAfterMs: 30_000 }));
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  const before = channel.calls.filter((call) => call.startsWith('send')).length;
  await channel.sink.accept(
    message('2', 'hello', { address: { ...room, chat: 'C9' }, addressed: 'mention' }),
  );
  await pass(29_000);
  assert.equal(channel.messages.length, 1, 'the other chat has its answer');
  assert.equal(channel.calls.filter((call) => call.startsWith('send')).length, before + 1);
  await pass(2_000);
  assert.equal(channel.messages.length, 2);
});

test('a failed run reaches the chat as one sentence with a reference, and is not handed over as an answer', async (t) => {
  const { channel, engine, pass } = await startHarness(t);
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  engine.fail('run_1', 'The model cannot be reached.');
  await pass();
  assert.deepEqual(texts(channel), ['⚠️ The model cannot be reached. (reference ref_1)']);
  assert.equal(engine.deliveries.length, 0);
});
