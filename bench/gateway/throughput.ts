// Many chats at once, each asking again as soon as it is answered, until all is delivered and archived.
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import type { Child } from './child.ts';
import { type Figures, latencyOf, round } from './figures.ts';
import type { Stage } from './stage.ts';
import { statement } from './words.ts';

const withinMs = 60_000;
const lookMs = 20;
const firstNumber = 100_000;

export interface Load {
  stage: Stage;
  child: Child;
  /** Parley's home folder, read from outside to see what is archived. */
  home: string;
  chats: number;
  /** Exchanges in each chat. */
  each: number;
}

/** The figures, and the largest memory that was seen. */
export async function measureThroughput(
  load: Load,
): Promise<{ throughput: Figures['throughput']; rssMB: number }> {
  const { stage, child, home, chats, each } = load;
  const engine = new Database(join(home, 'engine.sqlite'), { readonly: true });
  const archivedNow = engine
    .prepare<[], number>("SELECT count(*) FROM runs WHERE archived IN ('stored', 'duplicate')")
    .pluck();
  const notArchived = engine.prepare<[], number>('SELECT count(*) FROM runs WHERE archived IS NULL').pluck();
  await until(() => notArchived.get() === 0); // earlier messages belong to no turn
  const before = archivedNow.get() ?? 0;
  const total = chats * each;
  const watch = watchMemory(child);
  const beforehand = await child.probe('reset');
  const startedAt = performance.now();
  const taken = await Promise.all(
    stage.chats(chats).map(async (chat, at) => {
      const mine: number[] = [];
      for (let turn = 0; turn < each; turn += 1) {
        const text = statement(firstNumber + at * each + turn);
        mine.push(await stage.ask(chat, { text, withinMs }));
      }
      return mine;
    }),
  );
  await until(() => (archivedNow.get() ?? 0) - before >= total);
  const seconds = (performance.now() - startedAt) / 1000;
  const archived = (archivedNow.get() ?? 0) - before;
  const { loop, cpuMs, mainCpuMs } = await child.probe('read');
  engine.close();
  return {
    throughput: {
      chats,
      exchanges: total,
      archived,
      perSecond: round(total / seconds),
      cpuMsEach: round((cpuMs - beforehand.cpuMs) / total),
      mainCpuMsEach: round((mainCpuMs - beforehand.mainCpuMs) / total),
      latency: latencyOf(taken.flat()),
      loopP99Ms: round(loop.p99),
    },
    rssMB: await watch.largest(),
  };
}

/** Resolves when it holds, or when it does not within a time that no program takes for it. */
async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + withinMs;
  while (!holds() && performance.now() < end) await pause(lookMs);
}

/** Looks at a process's memory four times a second. */
export function watchMemory(child: Child): { largest(): Promise<number> } {
  let largest = 0;
  let over = false;
  const watching = (async () => {
    while (!over) {
      largest = Math.max(largest, (await child.probe('read')).rssMB);
      await pause(250);
    }
  })();
  return {
    async largest() {
      over = true;
      await watching;
      return round(largest);
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
