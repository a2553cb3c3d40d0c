// Calls whose connection was lost while the platform was still at work on them: their effect comes later, and changes nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHarness } from './harness.ts';
import { createScriptedChannel, message, ScriptedFailure } from './scripted-channel.ts';

const lost = (): ScriptedFailure => new ScriptedFailure({ kind: 'transient', maybeDelivered: true });

test('a send that was lost and is carried out two seconds later is found, and not said again (C2)', async (t) => {
  const channel = createScriptedChannel({ find: 'can find' });
  const { engine, pass } = await startHarness(t, { channel });
  const { send } = channel;
  let late: (() => Promise<unknown>) | undefined;
  channel.send = async (address, part, options) => {
    if (late !== undefined) return send(address, part, options);
    late = () => send(address, part, options);
    throw lost();
  };
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  engine.complete('run_1', 'done');
  await pass(2_000);
  await late?.();
  await pass(10_000);
  assert.deepEqual(
    channel.messages.map(({ text }) => text),
    ['done'],
  );
});

test('an edit of a preview that was lost and is carried out two seconds later does not overwrite the answer (D1, C2)', async (t) => {
  const { channel, engine, pass } = await startHarness(t);
  const { edit } = channel;
  let late: (() => Promise<unknown>) | undefined;
  channel.edit = async (address, nativeID, part) => {
    if (late !== undefined) return edit(address, nativeID, part);
    late = () => edit(address, nativeID, part);
    throw lost();
  };
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  engine.say('run_1', 'one');
  await pass(1_000);
  engine.say('run_1', ' two');
  await pass(1_000);
  assert.notEqual(late, undefined, 'an edit was lost');
  engine.complete('run_1', 'one two three');
  await pass(1_500);
  await late?.();
  await pass(10_000);
  assert.deepEqual(
    channel.messages.map(({ text }) => text),
    ['one two three'],
  );
});

test('an edit of a preview that its library gives up after the answer is complete does not overwrite the answer either (D1, C2)', async (t) => {
  const { channel, engine, pass, clock } = await startHarness(t);
  const { edit } = channel;
  let late: (() => Promise<unknown>) | undefined;
  channel.edit = async (address, nativeID, part) => {
    if (late !== undefined) return edit(address, nativeID, part);
    late = () => edit(address, nativeID, part);
    await clock.sleep(15_000);
    throw new DOMException('This operation was aborted', 'AbortError');
  };
  channel.explain = (error) =>
    error instanceof ScriptedFailure
      ? error.failure
      : { kind: 'transient', words: 'not answered in time', maybeDelivered: true };
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  engine.say('run_1', 'one');
  await pass(1_000);
  engine.say('run_1', ' two');
  await pass(1_000);
  assert.notEqual(late, undefined, 'an edit is in progress');
  engine.complete('run_1', 'one two three');
  await pass(16_500);
  await late?.();
  await pass(10_000);
  assert.deepEqual(
    channel.messages.map(({ text }) => text),
    ['one two three'],
  );
});

for (const kind of ['rate_limit', 'transient'] as const) {
  test(`looking for a send of unknown outcome that fails (${kind}) is no answer to it: it is looked for again, and not said twice (C1)`, async (t) => {
    const channel = createScriptedChannel({ find: 'can find' });
    const { engine, pass } = await startHarness(t, { channel });
    const { find } = channel;
    let refused = false;
    channel.find = async (...asked) => {
      if (refused) return find?.(...asked);
      refused = true;
      throw new ScriptedFailure({ kind, retryAfterMs: 1_000, maybeDelivered: false });
    };
    channel.failing.send.push(new ScriptedFailure({ kind: 'transient', maybeDelivered: true }, 'effective'));
    await channel.sink.accept(message('1', 'hello'));
    await pass();
    engine.complete('run_1', 'done');
    await pass(20_000);
    assert.ok(refused);
    assert.deepEqual(
      channel.messages.map(({ text }) => text),
      ['done'],
    );
    assert.deepEqual(
      engine.deliveries.map(({ nativeIDs }) => nativeIDs),
      [['m1']],
    );
  });
}

test('where looking for a send of unknown outcome is refused permanently, the answer is sent again with its label, and not lost (C1)', async (t) => {
  const channel = createScriptedChannel({ find: 'can find' });
  const { engine, pass } = await startHarness(t, { channel });
  channel.find = async () => {
    throw new ScriptedFailure({ kind: 'permission', words: 'No history here.', maybeDelivered: false });
  };
  channel.failing.send.push(new ScriptedFailure({ kind: 'transient', maybeDelivered: true }, 'effective'));
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  engine.complete('run_1', 'done');
  await pass(20_000);
  assert.deepEqual(
    channel.messages.map(({ text }) => text),
    ['done', '(repeat?) done'],
  );
  assert.equal(engine.deliveries.length, 1);
});
