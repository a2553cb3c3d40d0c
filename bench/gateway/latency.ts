// Added latency at one message at a time: all bots asked in turn, so that the same noise meets each.
import { type Figures, type Latency, latencyOf, round } from './figures.ts';
import { type PlatformName, platforms, type Stage } from './stage.ts';
import { statement } from './words.ts';

const warmUp = 40;
const withinMs = 10_000;

/** `count` measured exchanges on each platform with Parley and with the echo bots, and how many times as long Parley takes. */
export async function measureLatency(
  stages: { parley: Stage; echo: Stage },
  count: number,
): Promise<Figures['latency']> {
  const taken = await askInTurns(stages, count);
  return Object.fromEntries(
    platforms.map((platform) => {
      const { parley, echo } = taken[platform];
      const ratio = {
        p50: round(parley.p50 / echo.p50),
        p95: round(parley.p95 / echo.p95),
        p99: round(parley.p99 / echo.p99),
      };
      return [platform, { parley, echo, ratio }];
    }),
  );
}

/** Some exchanges on each platform, so that what a program does once or compiles first is not measured. */
export async function warm(stage: Stage): Promise<void> {
  await askInTurns({ bot: stage }, 0);
}

/** `count` measured exchanges on each platform with each bot; another one is the first with each message. */
export async function askInTurns<Bot extends string>(
  stages: Readonly<Record<Bot, Stage>>,
  count: number,
): Promise<Record<PlatformName, Record<Bot, Latency>>> {
  const bots = Object.keys(stages) as Bot[]; // a record's own keys
  const mapped = <T>(of: (platform: PlatformName, bot: Bot) => T) =>
    Object.fromEntries(
      platforms.map((platform) => [
        platform,
        Object.fromEntries(bots.map((bot) => [bot, of(platform, bot)])),
      ]),
    ) as Record<PlatformName, Record<Bot, T>>; // every platform and every bot was mapped
  const taken = mapped((): number[] => []);
  let number = 0;
  for (let turn = 0; turn < warmUp + count; turn += 1) {
    const first = turn % bots.length;
    for (const platform of platforms) {
      number += 1;
      const question = { text: statement(number), withinMs };
      for (const bot of [...bots.slice(first), ...bots.slice(0, first)]) {
        const ms = await stages[bot].ask({ platform, person: 0 }, question);
        if (turn >= warmUp) taken[platform][bot].push(ms);
        // what follows an answer (receipt, archive, acknowledgement) is not to be met by the next question
        await settle();
      }
    }
  }
  return mapped((platform, bot) => latencyOf(taken[platform][bot]));
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15));
