// Use over time in buckets of equal length: what falls into which, those without runs, and how long answers took.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createRunRows } from '#engine/runs/tables/run-rows.ts';
import { createUsageRows } from '#engine/runs/tables/usage-rows.ts';
import { createUsageSeries } from '#engine/runs/tables/usage-series.ts';
import { createConversationRows } from '#engine/sessions/sessions.ts';
import { originOf } from './support/kit.ts';
import { openRequests } from './support/requests-kit.ts';

function open(t: TestContext) {
  const { database } = openRequests(t);
  const [runs, usage, conversation] = [
    createRunRows(database),
    createUsageRows(database),
    createConversationRows(database),
  ];
  conversation.sessions.insert({ id: 'ses_1', createdAtMs: 1, updatedAtMs: 1 });
  let count = 0;
  /** A run that began then and took so long; still running without a length. */
  const run = (
    startedAtMs: number,
    tookMs?: number,
    how: {
      status?: 'completed' | 'error' | 'timeout' | 'cancelled';
      nativeIDs?: string[];
      costUSD?: number;
    } = {},
  ): void => {
    count += 1;
    const runID = `run_${count}`;
    const ids = { userMessageID: `u${count}`, assistantMessageID: `a${count}` };
    for (const [id, role] of [
      [ids.userMessageID, 'user'],
      [ids.assistantMessageID, 'assistant'],
    ] as const)
      conversation.messages.insert({ id, sessionID: 'ses_1', role, createdAtMs: 1 });
    const origin = how.nativeIDs && originOf({ nativeIDs: how.nativeIDs });
    const model = { providerID: 'p', modelID: 'm' };
    // a session has one run at a time
    runs.insert({ runID, sessionID: 'ses_1', ...ids, canAsk: false, model, startedAtMs, origin });
    usage.begin({ runID, sessionID: 'ses_1', startedAtMs });
    const tokens = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 3, reasoningTokens: 0 };
    usage.add(runID, how.costUSD === undefined ? tokens : { ...tokens, costUSD: how.costUSD });
    if (tookMs === undefined) return;
    const { status = 'completed' } = how;
    runs.end(runID, { status, finishedAtMs: startedAtMs + tookMs, text: '', recalled: [], seenRuns: [] });
  };
  return { run, series: createUsageSeries(database) };
}

const nothing = {
  messages: 0,
  runs: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUSD: null,
  latencyMs: null,
};

test('every bucket of the range is there, oldest first, also those without a run, and the last one may be shorter', (t) => {
  const { series } = open(t);
  assert.deepEqual(series({ from_ms: 1_000, until_ms: 3_500, step_ms: 1_000 }), [
    { atMs: 1_000, ...nothing },
    { atMs: 2_000, ...nothing },
    { atMs: 3_000, ...nothing },
  ]);
  assert.equal(series({ from_ms: 0, until_ms: 2_000, step_ms: 1_000 }).length, 2);
});

test('a run is in the bucket in which it began, with its messages, tokens and cost, and outside of the range in none', (t) => {
  const { run, series } = open(t);
  run(999, 10);
  run(1_000, 10, { nativeIDs: ['m1', 'm2', 'm3'], costUSD: 0.25 });
  run(1_999, 10, { costUSD: 0.5 });
  run(2_000, 10, { status: 'error' });
  run(2_500, 10, { status: 'timeout' });
  run(2_600, 10, { status: 'cancelled' });
  run(3_000, 10);
  const found = series({ from_ms: 1_000, until_ms: 3_000, step_ms: 1_000 });
  assert.deepEqual(
    found.map(({ latencyMs: _, ...bucket }) => bucket),
    [
      { atMs: 1_000, messages: 4, runs: 2, errors: 0, inputTokens: 20, outputTokens: 6, costUSD: 0.75 },
      { atMs: 2_000, messages: 3, runs: 3, errors: 2, inputTokens: 30, outputTokens: 9, costUSD: null },
    ],
  );
});

test('how long answers took is their median and the longest of all but one in twenty, of those that were completed', (t) => {
  const { run, series } = open(t);
  const latency = (stepMs: number) => series({ from_ms: 0, until_ms: stepMs, step_ms: stepMs })[0]?.latencyMs;
  run(1, 500, { status: 'error' });
  assert.equal(latency(1_000), null, 'a failure is no answer');
  run(2, 90);
  assert.deepEqual(latency(1_000), { p50: 90, p95: 90 });
  for (const ms of [100, 20, 9]) run(3, ms);
  assert.deepEqual(latency(1_000), { p50: 20, p95: 100 }, 'by number, not as text');
  for (let ms = 1; ms <= 16; ms += 1) run(4, 200 + ms);
  assert.deepEqual(latency(1_000), { p50: 206, p95: 215 }, 'the tenth and the nineteenth of twenty');
  run(5);
  assert.deepEqual(latency(1_000), { p50: 206, p95: 215 }, 'what continues took no time yet');
});
