// What stands in a chat in the end is the final text, once, however it came and whatever failed on the way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startHarness } from './harness.ts';
import { createScriptedChannel, message, ScriptedFailure } from './scripted-channel.ts';

const failure = fc.option(
  fc
    .record({
      kind: fc.constantFrom('transient', 'rate_limit', 'server error after the post'),
      retryAfterMs: fc.integer({ min: 100, max: 5_000 }),
    })
    .map(({ kind, retryAfterMs }) =>
      kind === 'server error after the post'
        ? new ScriptedFailure({ kind: 'transient' }, 'effective')
        : new ScriptedFailure({ kind: kind === 'transient' ? 'transient' : 'rate_limit', retryAfterMs }),
    ),
  { nil: undefined },
);
const step = fc.record({
  words: fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 6 }),
  pauseMs: fc.integer({ min: 0, max: 3_000 }),
});
const story = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  send: fc.array(failure, { maxLength: 6 }),
  edit: fc.array(failure, { maxLength: 6 }),
  surface: fc.constantFrom('an idempotent platform', 'a platform that can find'),
});

test('what is delivered is the final text, once, in order, whatever was shown before and failed (C2)', async (t) => {
  let told = 0;
  await fc.assert(
    fc.asyncProperty(story, async ({ steps, send, edit, surface }) => {
      const idempotentSend = surface === 'an idempotent platform';
      const find = idempotentSend ? 'cannot find' : 'can find';
      const channel = createScriptedChannel({ partLimit: 30, caps: { idempotentSend }, find });
      const { engine, pass, seen } = await startHarness(t, { channel });
      await channel.sink.accept(message('1', 'tell me'));
      await pass();
      channel.failing.send.push(...send);
      channel.failing.edit.push(...edit);
      for (const { words, pauseMs } of steps) {
        engine.say('run_1', `${words.join(' ')} `);
        await pass(pauseMs);
      }
      const text = engine.runs[0]?.run.text ?? '';
      engine.complete('run_1', text);
      await pass(10 * 60_000);
      // the disk is waited for besides the clock, and a busy one takes longer
      await seen('the whole answer', () => engine.deliveries[0]);
      assert.equal(channel.messages.map((standing) => standing.text).join(''), text);
      assert.deepEqual(engine.deliveries.length, 1);
      told += 1;
    }),
    { numRuns: 25 },
  );
  assert.ok(told >= 25);
});
