// `npm run bench:gateway`: what Parley adds to a message, how much it carries, how fast it starts and how large it is.
// The sandbox servers are in this process, Parley and the echo bots in separate processes. The last line is JSON.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, errorMessage } from '#base/errors.ts';
import { argumentsOf, refuseArguments } from '../harness/arguments.ts';
import { endAtExit, exitOnSignals } from '../harness/at-exit.ts';
import { atMost, conclude } from '../harness/conclude.ts';
import { ownRoot } from '../harness/start-arguments.ts';
import { compareWith } from './against.ts';
import { type Child, startEcho, startParley } from './child.ts';
import { type Costs, compareConsole, maxRatio } from './console-turns.ts';
import { type Figures, type Latency, missedOf, percentile, ratioBounds, round } from './figures.ts';
import { debounceMs, writeFolder } from './folder.ts';
import { measureLatency } from './latency.ts';
import { type Bounds, boundsWith, missedRatios, ratioTable } from './ratios.ts';
import { openStage, type Stage } from './stage.ts';
import { measureStreaming } from './streaming.ts';
import { startStreamingModel } from './streaming-model.ts';
import { measureThroughput } from './throughput.ts';

const pace = { deltas: 160, everyMs: 50 };
const idleMs = 2_000;

const { values } = argumentsOf({
  name: 'bench:gateway',
  about:
    'Measures what Parley adds to a message, how much it carries, how fast it starts and how large it is, next to bare echo bots. The last line is JSON.',
  options: {
    latency: { standard: 300, least: 1, most: 100_000, about: 'messages one after the other' },
    chats: { standard: 100, least: 1, most: 10_000, about: 'chats that write at once' },
    each: { standard: 30, least: 1, most: 100_000, about: 'messages of each of them' },
    streams: { standard: 200, least: 1, most: 10_000, about: 'answers that grow at once' },
    starts: { standard: 5, least: 1, most: 1_000, about: 'starts of the program' },
    console: {
      isSwitch: true,
      about:
        'measures, in place of all that, the loads with the console open in Chromium and without, in turns',
    },
    against: {
      value: 'REVISION',
      about:
        'measures, in place of all that, this checkout and that commit of it in turns, and prints ratios; `--streams` has no meaning then',
    },
    bound: {
      value: 'NAME=RATIO',
      isMany: true,
      about: `another bound for a ratio of \`--against\`: ${Object.keys(ratioBounds).join(', ')}`,
    },
    turns: {
      standard: 5,
      least: 1,
      most: 1_000,
      about: 'turns of `--console`, and of the load of `--against`',
    },
    reader: {
      standard: 'chromium',
      oneOf: ['chromium', 'light'],
      about:
        'who has the console open: `light` reads the same and draws nothing, so that it takes no processor',
    },
    profile: { value: 'FOLDER', about: 'writes CPU profiles of Parley under load there' },
    save: { isSwitch: true, about: 'leaves the home folders of the measured processes' },
  },
});
const count = values;

function refuseWrong(error: unknown): never {
  if (codeOf(error) !== 'wrong_arguments') throw error;
  return refuseArguments('bench:gateway', errorMessage(error));
}

if (values.against !== undefined && (values.console || values.profile !== undefined))
  refuseArguments('bench:gateway', '--against is used without --console and --profile.');
const bounds = ((): Bounds => {
  try {
    return boundsWith(values.bound);
  } catch (error) {
    return refuseWrong(error);
  }
})();

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
exitOnSignals();
/** Also after an interruption; a process that was just killed may still write for a moment. */
const removeFolder = endAtExit(() => {
  if (values.save) say(`stored: ${folder}`);
  else rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

/** A folder with a config for Parley that points at the stage's servers; the home is in it. */
function prepare(name: string, stage: Stage, model: object): { folder: string; home: string } {
  const own = join(folder, name);
  return { folder: own, home: writeFolder(own, { root: ownRoot, urls: stage.urls, model }) };
}

const row = ({ p50, p95, p99 }: Latency): string =>
  [p50, p95, p99].map((value) => value.toFixed(2).padStart(8)).join('');

/** Times of several cold starts of exactly what an operator starts. */
async function measureStarts(stage: Stage): Promise<Figures['readyMs']> {
  const all: number[] = [];
  for (let start = 0; start < count.starts; start += 1) {
    const { folder: own } = prepare(`start-${start}`, stage, { provider: 'offline' });
    const child = await startParley({ folder: own, environment: stage.tokens, how: 'bare' });
    all.push(round(child.readyMs));
    await child.stop();
  }
  return { median: round(percentile(all, 0.5)), all };
}

/** What an open console costs while many chats ask, and while many answers are written. */
async function measureConsole(stage: Stage): Promise<void> {
  const pages = async (
    name: string,
    model: object,
    costs: (child: Child, home: string) => Promise<Costs>,
  ) => {
    const { folder: own, home } = prepare(name, stage, model);
    const child = await startParley({ folder: own, environment: stage.tokens, how: 'probed' });
    try {
      return await compareConsole(home, { turns: count.turns, reader: count.reader }, () =>
        costs(child, home),
      );
    } finally {
      await child.stop();
    }
  };
  const asking = await pages('asking', { provider: 'offline' }, async (child, home) => {
    const load = { stage, child, home, chats: count.chats, each: count.each };
    const { cpuMsEach, mainCpuMsEach, latency } = (await measureThroughput(load)).throughput;
    return { cpu: cpuMsEach, mainCpu: mainCpuMsEach, p50: latency.p50 };
  });
  const model = await startStreamingModel(pace);
  const remote = { provider: 'openai-compatible', name: 'bench', baseUrl: model.url };
  const streaming = await pages('writing', remote, async (child) => {
    const { cpuMs, mainCpuMs } = (await measureStreaming({ stage, child, chats: count.streams }, pace))
      .streaming;
    return { cpu: cpuMs, mainCpu: mainCpuMs };
  }).finally(() => model.close());
  conclude(
    { machine, console: { asking, streaming } },
    Object.entries({ asking, streaming }).flatMap(([name, { median }]) =>
      atMost(`processor time with the console by that without, ${name}`, median.cpu ?? Number.NaN, maxRatio),
    ),
  );
}

async function measureOffline(stages: { parley: Stage; echo: Stage }, profile: readonly string[]) {
  const { folder: own, home } = prepare('offline', stages.parley, { provider: 'offline' });
  const { discord, telegram, slack } = stages.echo.urls;
  const roots = { DISCORD_URL: discord, TELEGRAM_URL: telegram, SLACK_URL: slack };
  const parley = await startParley({
    folder: own,
    environment: stages.parley.tokens,
    how: 'probed',
    nodeArguments: profile,
  });
  let echo: Child | undefined;
  try {
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    const idle = round((await parley.probe('read')).rssMB);
    echo = await startEcho({ folder, environment: { ...stages.echo.tokens, ...roots } });
    const latency = await measureLatency(stages, count.latency);
    await echo.stop();
    const load = { stage: stages.parley, child: parley, home, chats: count.chats, each: count.each };
    return { idle, latency, ...(await measureThroughput(load)) };
  } finally {
    await echo?.stop();
    await parley.stop();
  }
}

async function measureStreams(stage: Stage, profile: readonly string[]) {
  const model = await startStreamingModel(pace);
  const { folder: own } = prepare('streaming', stage, {
    provider: 'openai-compatible',
    name: 'bench',
    baseUrl: model.url,
  });
  const child = await startParley({
    folder: own,
    environment: stage.tokens,
    how: 'probed',
    nodeArguments: profile,
  });
  try {
    return await measureStreaming({ stage, child, chats: count.streams }, pace);
  } finally {
    await child.stop();
    await model.close();
  }
}

async function measureAll(stages: { parley: Stage; echo: Stage }): Promise<void> {
  const readyMs = await measureStarts(stages.parley);
  say(`\nStart until all three are connected: ${readyMs.median} ms (${readyMs.all.join(', ')}).`);

  const { idle, latency, throughput, rssMB: load } = await measureOffline(stages, profile);
  say('\nOne message at a time, delivery to answer, ms        p50     p95     p99');
  for (const [platform, { parley, echo, ratio }] of Object.entries(latency)) {
    say(`  ${platform.padEnd(10)} Parley                          ${row(parley)}`);
    say(`  ${''.padEnd(10)} echo bot on the same library    ${row(echo)}`);
    say(`  ${''.padEnd(10)} ratio                           ${row(ratio)}`);
  }
  say(
    `\n${throughput.chats} chats: ${throughput.perSecond} exchanges per second, all delivered and archived ` +
      `(${throughput.archived} of ${throughput.exchanges}), ${throughput.cpuMsEach} ms of processor time each, ${throughput.mainCpuMsEach} of the main thread.`,
  );
  say(`  an answer takes, ms                        ${row(throughput.latency)}`);

  const { streaming, rssMB: streamingMB } = await measureStreams(stages.parley, profile);
  say(
    `\n${streaming.chats} chats streaming at once, ${streaming.deltasPerSecond} pieces a second: event loop delay ` +
      `p50 ${streaming.loopP50Ms} ms, p99 ${streaming.loopP99Ms} ms, most ${streaming.loopMaxMs} ms; processor time ` +
      `${streaming.cpuMs} ms, ${streaming.mainCpuMs} of the main thread.`,
  );
  say(`\nMemory (RSS): ${idle} MB idle, ${load} MB under load, ${streamingMB} MB while streaming.\n`);

  const figures: Figures = {
    machine,
    debounceMs,
    latency,
    throughput,
    readyMs,
    rssMB: { idle, load, streaming: streamingMB },
    streaming,
  };
  conclude(figures, missedOf(figures));
}

/** This checkout compared with another commit. */
async function measureAgainst(revision: string, bounds: Bounds): Promise<void> {
  const { starts, latency, turns, chats, each } = values;
  const counts = { starts, latency, turns, chats, each };
  const plan = { revision, folder, counts, idleMs, say };
  const { name, compared, echo, faults } = await compareWith(plan);
  say('');
  for (const line of ratioTable(compared, bounds, name)) say(line);
  const ofEcho = (side: 'here' | 'there'): string =>
    Object.entries(echo)
      .map(([platform, p50]) => {
        const one = compared.find(({ name: figure }) => figure === `p50-${platform}`);
        return ((one?.[side] ?? Number.NaN) / p50).toFixed(1);
      })
      .join(', ');
  say(`\nBare echo bots, p50: ${Object.values(echo).join(', ')} ms. Times that: here ${ofEcho('here')};`);
  say(`${name} ${ofEcho('there')}.\n`);
  conclude({ machine, against: name, counts, compared, bounds, echo }, [
    ...faults,
    ...missedRatios(compared, bounds),
  ]);
}

/** Opens the stages of this checkout and measures it without another one. */
async function measureAlone(): Promise<void> {
  const people = Math.ceil(Math.max(count.chats, count.streams) / 3);
  const stages = { parley: await openStage(people), echo: await openStage(1) };
  try {
    if (values.console) await measureConsole(stages.parley);
    else await measureAll(stages);
  } finally {
    await Promise.all([stages.parley.close(), stages.echo.close()]);
  }
}

const profile = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`];
const machine = {
  cores: availableParallelism(),
  load: round(loadavg()[0] ?? 0),
  node: process.versions.node,
};
say(
  `${machine.cores} cores, load ${machine.load}, Node ${machine.node}. gateway.debounceMs is ${debounceMs}.`,
);
say(
  "The model is the built-in offline one, in Parley's own process: it answers at once and costs next to nothing.",
);
say(
  'The sandboxes refuse nothing, and the channels do not hold back (callsPerSecond, pace); all databases are as always.',
);
try {
  if (values.against === undefined) await measureAlone();
  else await measureAgainst(values.against, bounds);
} catch (error) {
  refuseWrong(error);
} finally {
  removeFolder();
}
