// Added latency at one message at a time: Parley and the echo bots asked in turn, so that the same noise meets both.

import type { Figures } from './figures.ts';
import { latencyOf, round } from './figures.ts';
import { type PlatformName, platforms, type Stage } from './stage.ts';
import { statement } from './words.ts';

const warmUp = 40;
const withinMs = 10_000;

/** `count` measured exchanges on each platform with each bot. */
export async function measureLatency(
  stages: { parley: Stage; echo: Stage },
  count: number,
): Promise<Figures['latency']> {
  const taken = Object.fromEntries(
    platforms.map((platform) => [platform, { parley: [] as number[], echo: [] as number[] }]),
  ) as Record<PlatformName, { parley: number[]; echo: number[] }>; // every platform was mapped
  let number = 0;
  for (let round = 0; round < warmUp + count; round += 1) {
    for (const platform of platforms) {
      number += 1;
      const question = { text: statement(number), withinMs };
      for (const bot of ['parley', 'echo'] as const) {
        const ms = await stages[bot].ask({ platform, person: 0 }, question);
        if (round >= warmUp) taken[platform][bot].push(ms);
        // what follows an answer (receipt, archive, acknowledgement) is not to be met by the next question
        await settle();
      }
    }
  }
  return Object.fromEntries(
    platforms.map((platform) => {
      const parley = latencyOf(taken[platform].parley);
      const echo = latencyOf(taken[platform].echo);
      const ratio = {
        p50: round(parley.p50 / echo.p50),
        p95: round(parley.p95 / echo.p95),
        p99: round(parley.p99 / echo.p99),
      };
      return [platform, { parley, echo, ratio }];
    }),
  );
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15));
