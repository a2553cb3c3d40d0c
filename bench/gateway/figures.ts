// Percentiles, rounding and the targets: what the measured numbers are made into. Measures nothing.
import { atLeast, atMost } from '../harness/conclude.ts';

export interface Latency {
  p50: number;
  p95: number;
  p99: number;
}

export interface Figures {
  machine: { cores: number; load: number; node: string };
  debounceMs: number;
  /** By platform: Parley, the echo bot, and the first divided by the second at the median. */
  latency: Record<string, { parley: Latency; echo: Latency; ratio: Latency }>;
  throughput: {
    chats: number;
    exchanges: number;
    archived: number;
    perSecond: number;
    /** Processor time of Parley's process for one exchange. */
    cpuMsEach: number;
    /** Of that, what its main thread used. */
    mainCpuMsEach: number;
    latency: Latency;
    loopP99Ms: number;
  };
  readyMs: { median: number; all: number[] };
  rssMB: { idle: number; load: number; streaming: number };
  streaming: {
    chats: number;
    answers: number;
    deltasPerSecond: number;
    loopP50Ms: number;
    loopP99Ms: number;
    loopMaxMs: number;
    /** Processor time of Parley's process for all answers, and of its main thread. */
    cpuMs: number;
    mainCpuMs: number;
  };
}

/** The value below which the share lies, of unsorted values; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The middle of unsorted values, of an even number the mean of both middles; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const at = (place: number): number => sorted[place] ?? Number.NaN;
  return (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
}

export function latencyOf(values: readonly number[]): Latency {
  return {
    p50: round(percentile(values, 0.5)),
    p95: round(percentile(values, 0.95)),
    p99: round(percentile(values, 0.99)),
  };
}

/** Two digits after the point. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** 5 % are allowed for noise on an otherwise idle machine. On a busy one a commit misses that against itself: `RESULTS.md`. */
const most = { better: 'less', bound: 1.05 } as const;

/** The figures in which `--against` compares this checkout with another one, and the ratio to it that each may have. */
export const ratioBounds = {
  'p50-discord': { about: 'p50 on Discord, ms', ...most },
  'p50-telegram': { about: 'p50 on Telegram, ms', ...most },
  'p50-slack': { about: 'p50 on Slack, ms', ...most },
  'per-second': { about: 'exchanges a second', better: 'more', bound: 0.95 },
  cpu: { about: 'processor time of one, ms', ...most },
  'cpu-main': { about: 'of it main thread, ms', ...most },
  'rss-idle': { about: 'RSS idle, MB', ...most },
  'rss-load': { about: 'RSS under load, MB', ...most },
  ready: { about: 'from call to ready, ms', ...most },
} as const satisfies Record<string, { about: string; better: 'less' | 'more'; bound: number }>;

export type RatioName = keyof typeof ratioBounds;

/** What `conclude` says of the bounds that are not reached. */
export function missedOf(figures: Figures): string[] {
  const { latency, throughput, readyMs, rssMB, streaming } = figures;
  return [
    ...Object.entries(latency).flatMap(([platform, { parley }]) =>
      atMost(`p50 on ${platform} in ms`, parley.p50, 10),
    ),
    ...atLeast('exchanges a second', throughput.perSecond, 200),
    ...unarchived(throughput),
    ...atMost('time to ready in ms', readyMs.median, 2000),
    ...atMost('RSS idle in MB', rssMB.idle, 220),
    ...atMost('RSS under load in MB', Math.max(rssMB.load, rssMB.streaming), 350),
    ...atMost('p99 of the event loop with 200 chats streaming, in ms', streaming.loopP99Ms, 50),
  ];
}

/** Memory has each exchange once. */
export function unarchived({ archived, exchanges }: Figures['throughput']): string[] {
  return archived === exchanges ? [] : [`archived: ${archived} of ${exchanges} exchanges`];
}
