// What an operator sees of a running Parley: `parley status`, `/status`, `/metrics`, and that the dashboard asks for what is there.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { statusLines, watch } from '#app/commands/status.ts';
import { startChannels, startEngine } from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { metrics } from '#app/telemetry/metrics.ts';
import { systemClock } from '#base/clock.ts';
import { overview } from '#engine/wire/operator/overview.ts';
import { openModelHouse } from './model-house.ts';
import { openTerminal } from './terminal.ts';

const dm = { platform: 'discord', chat: 'dm', user: 'you' } as const;
const price = { input: 1, output: 2 };

/** A sample of an answer in Prometheus' format. */
function sampleOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test('channels, backlogs, runs, memory, tokens and cost are reported at /status and /metrics, behind the token (H4)', async (t) => {
  const { house } = await openModelHouse(t, ['discord', 'telegram'], {
    model: { provider: 'openai', name: 'any', prices: price },
    channels: { slack: { enabled: false } },
  });
  await house.ask(dm, 'My bicycle is green.');
  const token = readFileSync(join(house.home, 'token'), 'utf8').trim();
  const get = (path: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }) =>
    fetch(`${house.parley.url}${path}`, { headers });
  for (const path of ['/status', '/metrics']) assert.equal((await get(path, {})).status, 401);
  const now = overview.parse(await (await get('/status')).json());
  assert.equal(now.ready, true);
  assert.deepEqual(
    [now.channels.discord?.connected, now.channels.slack?.enabled, now.lanes?.waiting],
    [true, false, 0],
  );
  const { today, total } = now.engine ?? {};
  assert.deepEqual([today?.runs, today?.calls], [1, 1]);
  assert.deepEqual(today, total);
  assert.ok(Number(today?.costUSD) > 0 && Number(today?.inputTokens) > 0);
  assert.ok(Number(now.memory?.chunks) >= 1);

  const answer = await get('/metrics');
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  const expected: [string, number | undefined][] = [
    ['parley_ready', 1],
    ['parley_config_last_reload_successful', 1],
    ['parley_channel_connected{channel="discord"}', 1],
    ['parley_channel_connected{channel="slack"}', undefined],
    ['parley_inbox_backlog{channel="discord"}', 0],
    ['parley_lanes{state="waiting"}', 0],
    ['parley_lanes{state="changes"}', undefined],
    ['parley_changes_backlog', 0],
    ['parley_active_runs', 0],
    ['parley_oldest_active_run_start_timestamp_seconds', undefined],
    ['parley_runs_total{status="completed"}', 1],
    ['parley_runs_total{status="timeout"}', 0],
    ['parley_model_tokens_total{kind="input"}', today?.inputTokens],
    ['parley_model_cost_usd_total', today?.costUSD],
    ['parley_memory_chunks', now.memory?.chunks],
  ];
  assert.deepEqual(
    expected.map(([series]) => [series, sampleOf(text, series)]),
    expected,
  );
  assert.ok(Number(sampleOf(text, 'process_resident_memory_bytes')) > 1e6);
  await house.ask(dm, 'And my boat is red.');
  const later = await (await get('/metrics')).text();
  assert.equal(sampleOf(later, 'parley_runs_total{status="completed"}'), 2);

  writeFileSync(house.parley.configFile, '{');
  await house.parley.reload();
  const refused = await (await get('/metrics')).text();
  assert.equal(sampleOf(refused, 'parley_config_last_reload_successful'), 0);

  // the dashboard, while there is a real answer to hold it against
  const named = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
  const asked = dashboardExpressions().flatMap((each) => [
    ...each.matchAll(/\b(?:parley|process|nodejs)_\w+/g),
  ]);
  assert.ok(asked.length > 20);
  assert.deepEqual(
    asked.map(([name]) => name).filter((name) => !named.has(name)),
    [],
  );
  const shown = new Set(asked.map(([name]) => name));
  assert.deepEqual(
    metrics.map(({ name }) => name).filter((name) => !shown.has(name)),
    [],
    'each metric of Parley is on the dashboard',
  );
});

function dashboardExpressions(): string[] {
  const file = join(import.meta.dirname, '../../deploy/grafana-dashboard.json');
  const shape = z.object({
    panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })).min(10),
    templating: z.object({ list: z.array(z.object({ query: z.string() })) }),
  });
  const { panels, templating } = shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  const queries = templating.list.map(({ query }) => query);
  return [...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...queries];
}

test('names of metrics follow the conventions of Prometheus', () => {
  for (const { name, kind, help, labels = [] } of metrics) {
    assert.match(name, /^parley_[a-z]+(_[a-z]+)*$/);
    assert.equal(name.endsWith('_total'), kind === 'counter', name);
    assert.doesNotMatch(name, /_(ms|milliseconds|minutes|kib|mib)(_|$)/, 'base units');
    assert.match(help, /\.$/);
    for (const label of labels) assert.match(label, /^[a-z]+$/);
  }
});

test('parley status asks the running program, and says it as text when none runs (T10)', async (t) => {
  const { call, start, home, folder } = openTerminal(t);
  const none = await call('status');
  assert.deepEqual(
    [none.code, none.out],
    [1, `No Parley runs with the home folder ${home}.\n"parley start" starts one.\n`],
  );
  assert.deepEqual(JSON.parse((await call('status', '--json')).out), { running: false, parts: [] });
  await start();
  const { code, out } = await call('status');
  assert.equal(code, 0);
  assert.match(out, /^Parley \S+ at http:\/\/127\.0\.0\.1:\d+ since .* UTC, ready$/m);
  assert.match(out, /^discord +off$/m);
  assert.match(out, /^lanes +0 active, 0 waiting$/m);
  assert.match(out, /^today +0 runs, 0 tokens in, 0 out, no price is set \(UTC\)$/m);
  assert.match(out, /^memory +0 passages$/m);
  assert.match(out, /^vectors +none: no embedding model$/m);
  const stop = new AbortController();
  const told: string[] = [];
  const print = (line: string): void => {
    told.push(line);
    stop.abort();
  };
  const input = {
    folder,
    configFile: undefined,
    variables: {},
    rest: [],
    dryRun: false,
    json: true,
    values: {},
  };
  assert.equal(await watch({ ...input, print }, stop.signal), 0);
  assert.equal((JSON.parse(told[0] ?? '') as { running: boolean }).running, true);
});

test('an engine and channels that run apart each report their own half, and parley status reports both', async (t) => {
  const { call, folder } = openTerminal(t, { gateway: { port: 0 } });
  const loaded = loadConfig({ folder, variables: { TELEGRAM_BOT_TOKEN: '1:none' } });
  const { telegram } = loaded.config.channels;
  const channels = { ...loaded.config.channels, telegram: { ...telegram, apiUrl: 'http://127.0.0.1:9' } };
  const engine = await startEngine(loaded, { clock: systemClock });
  t.after(() => engine.close());
  const single = await call('status');
  assert.match(single.out, /^channels +run somewhere else/m);
  const parted = { ...loaded, config: { ...loaded.config, channels } };
  const apart = await startChannels(parted, { clock: systemClock, baseUrl: engine.url });
  t.after(() => apart.close());
  const { out } = await call('status');
  assert.equal(out.match(/^Parley /gm)?.length, 2);
  assert.match(out, /^telegram +(connecting|reconnecting) .*\n(?:.*\n)*lanes +0 active/m);
  assert.match(out, /^memory +0 passages/m);
  const token = readFileSync(join(loaded.home, 'token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const text = await (await fetch(`${apart.url}/metrics`, { headers })).text();
  assert.deepEqual(
    [
      sampleOf(text, 'parley_channel_connected{channel="telegram"}'),
      sampleOf(text, 'parley_runs_total{status="completed"}'),
    ],
    [0, undefined],
  );
});

test('a status with problems, active runs and waiting people stays within 80 columns', () => {
  const sums = {
    calls: 3,
    inputTokens: 1234567,
    cachedInputTokens: 0,
    outputTokens: 8910,
    reasoningTokens: 0,
    runs: 12,
    unpricedRuns: 2,
    ended: { completed: 11, error: 1, timeout: 0, cancelled: 0, interrupted: 0 },
    costUSD: 1.25,
  };
  const entry = {
    enabled: true,
    connected: false,
    state: 'reconnecting',
    sinceMs: 0,
    lastAliveMs: null,
    lastInboundMs: 1_000,
    lastOutboundMs: null,
    inboxBacklog: 3,
    outboxBacklog: 1,
    problem: `${'A very long problem '.repeat(8)}.`,
    lastError: null,
    lastErrorAtMs: null,
    refused: [],
  };
  const lines = statusLines(
    [
      {
        url: 'http://127.0.0.1:7410',
        runs: [
          {
            ...{ runID: 'r', sessionID: 's', status: 'running', startedAtMs: 50_000, text: '' },
            person: 'Ben',
            place: {
              chat: 'discord:channel:b:S:4711:-',
              names: { space: 'Harbour crew', channel: 'engine-room' },
            },
          },
        ],
        overview: {
          version: '0.1.0',
          startedAtMs: 0,
          ready: false,
          config: { readAtMs: 0, pendingRestart: ['engine.port', 'channels.discord.apiUrl'], error: null },
          problems: [{ component: 'x', message: 'The disk is full.', hint: 'Free some space.', sinceMs: 0 }],
          channels: { telegram: entry },
          lanes: { active: 2, waiting: 1, changes: 3, unremembered: 4 },
          engine: {
            model: 'openai/x',
            activeRuns: [{ runID: 'r', sessionID: 's', startedAtMs: 50_000 }],
            pendingRequests: 1,
            schedules: {
              active: 1_200,
              nextAtMs: 3_600_000,
              waiting: [{ platform: 'telegram', count: 2, sinceMs: -540_000 }],
              failedLastDay: 3,
            },
            today: sums,
            total: sums,
          },
          memory: {
            chunks: 5,
            vectors: 4,
            embedding: 'x',
            waiting: 1,
            refused: [],
            degraded: ['index behind by 1'],
          },
        },
      },
    ],
    60_000,
  );
  assert.deepEqual(
    lines.filter((line) => line.length > 80),
    [],
  );
  const text = lines.join('\n');
  assert.match(text, /NOT READY\n {2}The disk is full\. Free some space\./);
  assert.match(text, /^ {2}At the next start takes effect: engine\.port, channels\.discord\.apiUrl\.$/m);
  assert.match(text, /^telegram +reconnecting +in 59 s ago, out never, 3 to answer, 1 to send$/m);
  assert.match(
    text,
    /^lanes +2 active, 1 waiting, 3 changes not in memory yet\n +4 delivered answers not in memory yet$/m,
  );
  assert.match(
    text,
    /^runs +1 active, the oldest for 10 s, 1 wait for a person\n +Ben · #engine-room · Harbour crew · Discord, 10 s$/m,
  );
  assert.match(
    text,
    /^schedules +1,200 active, next 1970-01-01 01:00 UTC\n +2 due and waiting, 3 failed in 24 h$/m,
  );
  assert.match(text, /2 scheduled messages wait for telegram, the oldest for 10 minutes\./);
  assert.match(text, /^today +12 runs, 1,234,567 tokens in, 8,910 out, 1\.2500 USD and 2 runs/m);
  assert.match(text, /without: index behind by 1/);
});
