// This checkout's program and another one's, measured in turns in one call. Says nothing about bounds.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openCheckout } from '../harness/checkout.ts';
import { ownRoot } from '../harness/start-arguments.ts';
import { inTurns } from '../harness/turns.ts';
import { type Child, startEcho, startParley } from './child.ts';
import { unarchived } from './figures.ts';
import { writeFolder } from './folder.ts';
import { askInTurns, warm } from './latency.ts';
import { type Compared, compared, comparedInTurns } from './ratios.ts';
import { openStage, type PlatformName, platforms, type Stage } from './stage.ts';
import { measureThroughput } from './throughput.ts';

export interface Plan {
  /** The commit to compare with, as git knows it. */
  revision: string;
  /** Everything is written into it. */
  folder: string;
  counts: { starts: number; latency: number; turns: number; chats: number; each: number };
  /** From the start until memory is read as that of an idle program. */
  idleMs: number;
  say: (line: string) => void;
}

export interface Comparison {
  /** The other commit. */
  name: string;
  compared: Compared[];
  /** p50 of the bare echo bots in the same turns, in milliseconds. */
  echo: Record<PlatformName, number>;
  /** What was not archived, of either. */
  faults: string[];
}

type Side = 'here' | 'there';

/** What both sides start with: a checkout each, and a cache of compiled code that no earlier run has filled. */
interface Pair extends Plan {
  roots: Readonly<Record<Side, string>>;
  compileCache: string;
}

/** Checks the other commit out, measures both and removes it. Throws as `openCheckout` does. */
export async function compareWith(plan: Plan): Promise<Comparison> {
  const { revision, folder, say } = plan;
  say(`Checking ${revision} out and installing its dependencies.`);
  const checkout = await openCheckout(ownRoot, revision, join(folder, 'checkout'));
  try {
    const roots = { here: ownRoot, there: checkout.root };
    const pair: Pair = { ...plan, roots, compileCache: join(folder, 'compiled') };
    const ready = await compareStarts(pair);
    say(`Starts are measured (${plan.counts.starts} of each).`);
    const { latency, echo } = await compareLatency(pair);
    say(`Single messages are measured (${plan.counts.latency} on each platform to each).`);
    const { load, faults } = await compareLoad(pair, checkout.name);
    return { name: checkout.name, compared: [...latency, ...load, ready], echo, faults };
  } finally {
    checkout.remove();
  }
}

/** Starts one side in a fresh home. */
async function start(
  { roots, folder, compileCache }: Pair,
  side: Side,
  { name, stage, how }: { name: string; stage: Stage; how: 'bare' | 'probed' },
): Promise<{ child: Child; home: string }> {
  const root = roots[side];
  const own = join(folder, `${name}-${side}`);
  rmSync(own, { recursive: true, force: true });
  const home = writeFolder(own, { root, urls: stage.urls, model: { provider: 'offline' } });
  const environment = { ...stage.tokens, NODE_COMPILE_CACHE: compileCache };
  return { child: await startParley({ root, folder: own, environment, how }), home };
}

async function compareStarts(pair: Pair): Promise<Compared> {
  const stage = await openStage(1);
  const readyMs = async (side: Side): Promise<number> => {
    const { child } = await start(pair, side, { name: 'start', stage, how: 'bare' });
    await child.stop();
    return child.readyMs;
  };
  try {
    // what a checkout does once, such as compile, is in no turn
    await readyMs('here');
    await readyMs('there');
    const { starts } = pair.counts;
    return comparedInTurns(
      'ready',
      await inTurns(
        starts,
        () => readyMs('here'),
        () => readyMs('there'),
      ),
    );
  } finally {
    await stage.close();
  }
}

async function compareLatency(pair: Pair): Promise<{ latency: Compared[]; echo: Comparison['echo'] }> {
  const stages = { here: await openStage(1), there: await openStage(1), echo: await openStage(1) };
  const { discord, telegram, slack } = stages.echo.urls;
  const environment = {
    ...stages.echo.tokens,
    ...{ DISCORD_URL: discord, TELEGRAM_URL: telegram, SLACK_URL: slack },
  };
  const children: Child[] = [];
  try {
    for (const side of ['here', 'there'] as const)
      children.push((await start(pair, side, { name: 'single', stage: stages[side], how: 'bare' })).child);
    children.push(await startEcho({ folder: pair.folder, environment }));
    const taken = await askInTurns(stages, pair.counts.latency);
    return {
      latency: platforms.map((platform) =>
        compared(`p50-${platform}`, taken[platform].here.p50, taken[platform].there.p50),
      ),
      echo: {
        discord: taken.discord.echo.p50,
        telegram: taken.telegram.echo.p50,
        slack: taken.slack.echo.p50,
      },
    };
  } finally {
    for (const child of children) await child.stop();
    for (const stage of Object.values(stages)) await stage.close();
  }
}

/** Many chats at once, each turn of each side in a fresh home on a fresh stage. */
async function compareLoad(pair: Pair, name: string): Promise<{ load: Compared[]; faults: string[] }> {
  const { turns, chats, each } = pair.counts;
  const faults: string[] = [];
  let number = 0;
  const measure = async (side: Side) => {
    number += 1;
    const stage = await openStage(Math.ceil(chats / platforms.length));
    const { child, home } = await start(pair, side, { name: `load-${number}`, stage, how: 'probed' });
    try {
      await new Promise((resolve) => setTimeout(resolve, pair.idleMs));
      const idle = (await child.probe('read')).rssMB;
      await warm(stage);
      const { throughput, rssMB } = await measureThroughput({ stage, child, home, chats, each });
      const shown = side === 'here' ? side : name;
      faults.push(...unarchived(throughput).map((words) => `${shown}, ${words}`));
      const { perSecond, cpuMsEach, mainCpuMsEach } = throughput;
      pair.say(`${shown.padEnd(8)} ${chats} chats: ${perSecond} exchanges a second, ${cpuMsEach} ms each`);
      return {
        ...{ 'per-second': perSecond, cpu: cpuMsEach, 'cpu-main': mainCpuMsEach },
        ...{ 'rss-idle': idle, 'rss-load': rssMB },
      };
    } finally {
      await child.stop();
      await stage.close();
    }
  };
  const pairs = await inTurns(
    turns,
    () => measure('here'),
    () => measure('there'),
  );
  const names = ['per-second', 'cpu', 'cpu-main', 'rss-idle', 'rss-load'] as const;
  const load = names.map((figure) =>
    comparedInTurns(
      figure,
      pairs.map(({ one, other }) => ({ one: one[figure], other: other[figure] })),
    ),
  );
  return { load, faults };
}
