// What is tried again: until it succeeds, with growing pauses, not after the signal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '#base/clock.ts';
import { retry, unlessAborted } from '#base/waiting/retry.ts';
import { clockOf } from '../support/clock-of.ts';

/** A clock that passes at once, and the pauses that were asked of it. */
function quickClock(): { clock: Clock; paused: number[] } {
  const paused: number[] = [];
  const clock = clockOf(
    () => 0,
    async (ms, signal) => {
      signal?.throwIfAborted();
      paused.push(ms);
    },
  );
  return { clock, paused };
}

const pauses = { firstMs: 100, capMs: 400 };
const failing = (times: number) => async (attempt: number) => {
  if (attempt <= times) throw new Error(`attempt ${attempt}`);
  return attempt;
};

test('work is done again until it succeeds, each pause up to twice the one before and none above the longest', async () => {
  const { clock, paused } = quickClock();
  const told: string[] = [];
  const result = await retry({ clock, pauses }, failing(4), (error, { attempt, waitMs }) => {
    told.push(`${(error as Error).message} of ${attempt}`);
    assert.equal(paused.length, attempt - 1);
    assert.ok(waitMs >= 50);
    return undefined;
  });
  assert.equal(result, 5);
  assert.deepEqual(
    told,
    [1, 2, 3, 4].map((n) => `attempt ${n} of ${n}`),
  );
  for (const [index, most] of [100, 200, 400, 400].entries())
    assert.ok(
      (paused[index] ?? 0) >= most / 2 && (paused[index] ?? 0) <= most,
      `${paused[index]} of ${most}`,
    );
});

test('the pause that the other side asks for takes the place of the usual one', async () => {
  const { clock, paused } = quickClock();
  await retry({ clock, pauses }, failing(2), () => 7_000);
  assert.deepEqual(paused, [7_000, 7_000]);
});

test('what gives up ends it with its own error', async () => {
  const { clock, paused } = quickClock();
  const given = retry({ clock, pauses }, failing(9), (_, { attempt }) => {
    if (attempt === 3) throw new Error('enough');
    return undefined;
  });
  await assert.rejects(given, /enough/);
  assert.equal(paused.length, 2);
});

test('after the signal nothing is tried, asked or waited for, and the reason is what it rejects with', async () => {
  const { clock, paused } = quickClock();
  const control = new AbortController();
  const reason = new Error('closing');
  let asked = 0;
  const work = async (): Promise<never> => {
    control.abort(reason);
    throw new Error('the connection broke');
  };
  const asking = () => {
    asked += 1;
    return undefined;
  };
  const how = { clock, pauses, signal: control.signal };
  await assert.rejects(retry(how, work, asking), reason);
  await assert.rejects(retry(how, failing(0), asking), reason);
  assert.equal(await unlessAborted(control.signal, retry(how, failing(0), asking)), undefined);
  await assert.rejects(unlessAborted(control.signal, Promise.reject(new Error('another'))), /another/);
  assert.deepEqual([asked, paused], [0, []]);
});
