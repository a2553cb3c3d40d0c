// What counts as a sign of life in a stream; time is the test's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/found.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { begin, openKit, textBody } from './support/kit.ts';
import { startRaw } from './support/raw-provider.ts';

test('comments in a stream show that the model still works: for minutes, before its first word and in the middle (R17)', async (t) => {
  const clock = createManualClock();
  let touched = 0;
  const watched = {
    ...clock,
    monotonic: () => {
      touched += 1;
      return clock.monotonic();
    },
  };
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { clock: watched, model: raw.settings });
  const runID = await begin(engine, (await engine.createSession({})).id, textBody('hello'));
  const call = await raw.next();
  call.open();
  const comment = async (): Promise<void> => {
    await clock.advance(60_000);
    const before = touched;
    call.write(': OPENROUTER PROCESSING\n\n');
    await until('the sign of life', () => touched > before + 1);
  };
  for (const _ of [1, 2, 3]) await comment();
  call.say('Fo');
  for (const _ of [1, 2, 3]) await comment();
  call.say('ur.');
  call.finish();
  const run = await engine.finished(runID);
  assert.deepEqual([run.status, run.text], ['completed', 'Four.']);
});
