// A model that thinks for long before its first word: the preview waits and nothing spins in the meantime.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimiter } from '#adapters/gateway/pace/limiter.ts';
import { createPreview } from '#adapters/gateway/preview/preview.ts';
import type { StreamingSurface } from '#adapters/gateway/terms/channel.ts';
import { type MonotonicMs, momentIn } from '#base/clock.ts';
import { createManualClock, settle } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { startHarness } from './harness.ts';
import { createScriptedChannel, dm, message } from './scripted-channel.ts';

/** A loop that never lets go would hang the test: after so many looks at the clock it is made to fail. */
const maxLooks = 10_000;

test('a surface that fades is not refreshed, and nothing spins, while the model has said nothing yet (D7)', async (t) => {
  const clock = createManualClock();
  let looks = 0;
  const monotonic = (): MonotonicMs => {
    looks += 1;
    if (looks > maxLooks) throw new Error('it never lets go');
    return clock.monotonic();
  };
  const counted = { ...clock, monotonic };
  const shown: string[] = [];
  let renewAt = clock.monotonic();
  const surface: StreamingSurface = {
    renewAt: () => renewAt,
    async update(markdown) {
      shown.push(markdown);
      renewAt = momentIn(clock, 3_000);
      return 'shown';
    },
  };
  const channel = { ...createScriptedChannel(), live: () => surface };
  const preview = createPreview({
    turnID: 'trn_1',
    address: dm,
    replyTo: undefined,
    inReplies: false,
    actor: 'u1',
    channel,
    ledger: { turns: { previews: () => [] } } as never, // all that a preview on a surface of its own asks for
    limiter: createLimiter({ clock: counted, capsOf: () => ({}) }),
    typing: { grew() {}, posted() {} },
    notices: false,
    stillWorking: 'Still working on this.',
    stoppedByUser() {},
    clock: counted,
    log: quietLog().log,
  });
  t.after(() => preview.stop());
  await clock.advance(60_000);
  assert.ok(looks < 1_000, `${looks} looks at the clock in a minute of silence`);
  assert.deepEqual(shown, []);
  preview.show('a word');
  await settle();
  assert.deepEqual(shown, [], 'the answer may be complete in a moment');
  await clock.advance(250);
  assert.deepEqual(shown, ['a word']);
  await clock.advance(4_000);
  assert.deepEqual(shown, ['a word', 'a word'], 'what is shown is refreshed before it fades');
});

test('an answer that is complete soon after its first words appears at once and whole, however long they took', async (t) => {
  const h = await startHarness(t);
  await h.channel.sink.accept(message('1', 'hello'));
  await h.pass(10_000);
  h.engine.say('run_1', 'Twelve');
  await h.pass(200);
  h.engine.complete('run_1', 'Twelve of them.');
  await h.pass();
  assert.deepEqual(
    h.channel.calls.filter((call) => /^(send|edit)/.test(call)),
    ['send Twelve of them.'],
  );
});

test('an answer that shows nothing for a minute is announced as still in progress, in the message that becomes it', async (t) => {
  const h = await startHarness(t);
  const told = () => h.channel.calls.filter((call) => /^(send|edit|remove)/.test(call));
  await h.channel.sink.accept(message('1', 'hello'));
  await h.pass(59_000);
  assert.deepEqual(told(), []);
  await h.pass(2_000);
  assert.deepEqual(told(), ['send Still working on this.']);
  await h.pass(600_000);
  assert.equal(told().length, 1, 'once');
  h.engine.say('run_1', 'Twelve');
  await h.pass(2_000);
  h.engine.complete('run_1', 'Twelve of them.');
  await h.pass(2_000);
  assert.deepEqual(told(), ['send Still working on this.', 'edit m1 Twelve', 'edit m1 Twelve of them.']);
});

test('nobody reads that an answer is in progress where notices are off, or while the person is asked', async (t) => {
  const silent = await startHarness(t, { indicators: { reactions: true, typing: true, notices: false } });
  await silent.channel.sink.accept(message('1', 'hello'));
  await silent.pass(300_000);
  assert.deepEqual(
    silent.channel.calls.filter((call) => call.startsWith('send')),
    [],
  );

  const clock = createManualClock();
  const channel = createScriptedChannel();
  const preview = createPreview({
    turnID: 'trn_1',
    address: dm,
    replyTo: undefined,
    inReplies: false,
    actor: 'u1',
    channel,
    ledger: {
      turns: { previews: () => [], intendPreview() {}, previewPosted() {} },
      commit: async (work: () => unknown) => work(),
    } as never, // all that a preview of one message asks for
    limiter: createLimiter({ clock, capsOf: () => ({}) }),
    typing: { grew() {}, posted() {} },
    notices: true,
    stillWorking: 'Still working on this.',
    stoppedByUser() {},
    clock,
    log: quietLog().log,
  });
  t.after(() => preview.stop());
  await clock.advance(30_000);
  preview.rest(true);
  await clock.advance(600_000);
  assert.deepEqual(channel.calls, []);
  preview.rest(false);
  await clock.advance(59_000);
  assert.deepEqual(channel.calls, [], 'a minute after the person has answered');
  await clock.advance(2_000);
  assert.deepEqual(channel.calls, ['send Still working on this.']);
});
