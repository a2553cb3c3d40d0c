// A model that thinks for long before its first word: the preview waits and nothing spins meanwhile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Live } from '#adapters/gateway/channel.ts';
import { createLimiter } from '#adapters/gateway/delivery/limiter.ts';
import { createPreview } from '#adapters/gateway/delivery/preview.ts';
import { createManualClock, settle } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { startHarness } from './harness.ts';
import { createScriptedChannel, dm, message } from './scripted-channel.ts';

/** A loop that never lets go would hang the test: after so many looks at the clock it is told to fail. */
const mostLooks = 10_000;

test('D7: a surface that fades is not refreshed, and nothing spins, while the model has said nothing yet', async (t) => {
  const clock = createManualClock();
  let looks = 0;
  const now = (): number => {
    looks += 1;
    if (looks > mostLooks) throw new Error('it never lets go');
    return clock.now();
  };
  const counted = { ...clock, now };
  const shown: string[] = [];
  let renewAt = clock.now();
  const surface: Live = {
    renewAt: () => renewAt,
    async update(markdown) {
      shown.push(markdown);
      renewAt = clock.now() + 3_000;
      return 'shown';
    },
  };
  const channel = { ...createScriptedChannel(), live: () => surface };
  const preview = createPreview({
    turnID: 'trn_1',
    address: dm,
    replyTo: undefined,
    actor: 'u1',
    channel,
    ledger: { turns: { previews: () => [] } } as never, // all that a preview on a surface of its own asks for
    limiter: createLimiter({ clock: counted, capsOf: () => ({}) }),
    typing: { grew() {} },
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
