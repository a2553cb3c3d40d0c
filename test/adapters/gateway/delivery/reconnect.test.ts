// A connection that ends: how soon it is tried again, what it says in between, and when it is not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConnection } from '#adapters/gateway/pace/connection.ts';
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import { ParleyError } from '#base/errors.ts';
import { createManualClock, type ManualClock, settle } from '../../../support/manual-clock.ts';
import { quietLog } from '../../../support/quiet-log.ts';
import { createScriptedChannel, ScriptedFailure } from '../scripted-channel.ts';

const sink = {} as Sink; // a channel that fails at once asks nothing of it

function opened(run: (attempt: number, signal: AbortSignal, clock: ManualClock) => Promise<void>) {
  const clock = createManualClock();
  const channel = createScriptedChannel();
  let attempts = 0;
  channel.run = async (_sink, signal) => {
    attempts += 1;
    await run(attempts, signal, clock);
  };
  const { log, lines } = quietLog();
  const connection = createConnection({ channel, clock, log });
  const states: string[] = [];
  connection.onChange(() => states.push(connection.status().state));
  const end = new AbortController();
  const done = connection.run(sink, end.signal);
  return { clock, connection, states, lines, end, done, attempts: () => attempts };
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );

test('a connection that fails for now is tried again, each time later and never after more than half a minute', async () => {
  const begun: number[] = [];
  const { clock, connection, end, done } = opened(async (_attempt, _signal, { now }) => {
    begun.push(now());
    throw new ScriptedFailure({ kind: 'transient', words: 'there is no network' });
  });
  await settle();
  const { state, problem } = connection.status();
  assert.deepEqual([state, problem, begun.length], ['reconnecting', 'there is no network', 1]);
  await clock.advance(240_000);
  for (const [at, most] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    const wait = (begun[at + 1] ?? 0) - (begun[at] ?? 0);
    assert.ok(wait >= most / 2 && wait <= most, `${wait} ms before attempt ${at + 2}`);
  }
  end.abort();
  await done;
  assert.equal(connection.status().state, 'stopped');
});

test('a connection that held for longer than the longest wait is tried again as soon as a new one', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const { clock, end, done } = opened(async (attempt, _signal, { now, sleep }) => {
    begun.push(now());
    if (attempt === 4) await sleep(30_001);
    if (attempt === 5) await sleep(30_000);
    ended.push(now());
    throw new ScriptedFailure({ kind: 'rate_limit' });
  });
  await clock.advance(120_000);
  const waits = [3, 4].map((at) => (begun[at + 1] ?? 0) - (ended[at] ?? 0));
  assert.ok((waits[0] ?? 0) >= 500 && (waits[0] ?? 0) <= 1_000, `${waits[0]} ms after it had held`);
  assert.ok(
    (waits[1] ?? 0) >= 1_000 && (waits[1] ?? 0) <= 2_000,
    `${waits[1]} ms after it had not held for longer`,
  );
  end.abort();
  await done;
});

test('a connection that the platform refuses permanently is not tried again, and says why with its hint once', async () => {
  for (const [words, said] of [
    ['no such token.', 'no such token. Make another one.'],
    ['no such token. Make another one.', 'no such token. Make another one.'],
  ]) {
    const { clock, connection, attempts, done, lines } = opened(async () => {
      throw new ParleyError('token_refused', 'refused', { hint: 'Make another one.' });
    });
    connection.channel.explain = () => ({ kind: 'permanent', words, maybeDelivered: false }) as never; // as of an adapter
    await done;
    await clock.advance(60_000);
    const { state, problem } = connection.status();
    assert.deepEqual([state, problem, attempts()], ['failed', said, 1]);
    assert.match(lines.join(), /connection ended/);
  }
});

test('a connection whose token a call finds refused ends in those words, also when it is reported twice', async () => {
  const { connection, done, states, lines } = opened((_attempt, signal) => untilAborted(signal));
  await settle();
  connection.report('ready');
  const since = connection.status().sinceMs;
  connection.refused('The token is refused.');
  connection.refused('Something else.');
  await done;
  assert.deepEqual(
    [connection.status().state, connection.status().problem],
    ['failed', 'The token is refused.'],
  );
  assert.deepEqual(states.slice(0, 3), ['connecting', 'ready', 'failed']);
  assert.equal(lines.filter((line) => line.includes('connection ended')).length, 1);
  assert.equal(typeof since, 'number');
});

test('who waits for a connection continues when it is ready, also at once, and gives up with its own signal', async () => {
  const { connection, end, done } = opened((_attempt, signal) => untilAborted(signal));
  await settle();
  const given = new AbortController();
  const [waits, gives] = [connection.ready(new AbortController().signal), connection.ready(given.signal)];
  given.abort(new Error('no longer'));
  await assert.rejects(gives, { message: 'no longer' });
  await assert.rejects(connection.ready(AbortSignal.abort(new Error('before'))), { message: 'before' });
  connection.report('ready');
  await waits;
  await connection.ready(new AbortController().signal);
  end.abort();
  await done;
  assert.equal(connection.status().state, 'stopped');
});
