// A connection that stands and brings nothing: found by the clock, and replaced.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDiscordChannel } from '#adapters/discord/channel.ts';
import { msSince } from '#base/clock.ts';
import { until } from '../../support/found.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { memorySink, openSandbox, readyCount, silentLog } from './harness.ts';

const hour = 3_600_000;

for (const [when, setMs] of [
  ['', 0],
  [', also when the clock is set back', -hour],
] as const)
  test(`a connection on which nothing is heard, not even a heartbeat, is replaced within 150 s${when} (H3)`, async () => {
    // discord.js itself would notice at the second heartbeat that is not answered: here in two hours
    await using opened = await openSandbox({ heartbeatIntervalMs: hour });
    const { sandbox } = opened;
    const clock = createManualClock();
    const sink = memorySink();
    const over = new AbortController();
    const channel = createDiscordChannel({
      token: sandbox.tokens.bot,
      apiUrl: sandbox.url,
      clock,
      log: silentLog,
      readyTimeoutMs: hour,
    });
    const run = channel.run(sink, over.signal);
    const ready = async (times: number): Promise<void> => {
      let done = false;
      const waiting = until(`it is ready ${times} times`, () => readyCount(sink) >= times).finally(() => {
        done = true;
      });
      while (!done) await clock.advance(10);
      await waiting;
    };
    try {
      await ready(1);
      const since = clock.monotonic();
      await sandbox.say({ chat: 'dm', user: 'you', text: 'heard' });
      await until('it came', () => sink.texts().includes('heard'));
      clock.jump(setMs);
      await clock.advance(60_000);
      assert.equal(readyCount(sink), 1, 'a quiet minute is no silence');
      await clock.advance(60_000);
      await until('it is given up', () =>
        sink.states.some(([, words]) => words?.startsWith('Nothing was received from Discord for 100 s')),
      );
      await ready(2);
      assert.ok(msSince(clock, since) < 150_000, `${msSince(clock, since)} ms`);
      await sandbox.say({ chat: 'dm', user: 'you', text: 'heard again' });
      await until('it came', () => sink.texts().includes('heard again'));
    } finally {
      over.abort();
      let ended = false;
      void run.then(() => {
        ended = true;
      });
      while (!ended) await clock.advance(500);
    }
  });
