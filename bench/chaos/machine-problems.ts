// What happens to two machines at random, besides kills: their ways to the database are cut, slow or silent, and a leader hangs for 30 s.
import { systemClock } from '#base/clock.ts';
import { isAbort } from '#base/waiting/async.ts';
import type { Random } from '../harness/random.ts';
import type { Machines } from './machines.ts';

export interface MachineProblems {
  /** How often each was done. */
  done: ReadonlyMap<string, number>;
  /** Resolves when no more is done, and all is well again. */
  over: Promise<void>;
}

const kinds = ['cut', 'cut', 'slow', 'slow', 'silent'] as const;
const betweenMs = { least: 2_000, most: 6_000 };
const betweenSleepsMs = { least: 4_000, most: 20_000 };
/** Longer than any lock of a machine that hangs is kept. */
export const sleepMs = 30_000;
const silentMs = { least: 1_000, most: 14_000 };
const slowMs = { least: 3_000, most: 12_000 };
/** Of each piece, each way. */
const delayMs = { least: 20, most: 250 };

/** Does one after another until the signal aborts. */
export function startMachineProblems(options: {
  machines: Machines;
  random: Random;
  signal: AbortSignal;
}): MachineProblems {
  const { machines, random, signal } = options;
  const done = new Map<string, number>();
  const count = (what: string): void => void done.set(what, (done.get(what) ?? 0) + 1);
  const between = ({ least, most }: { least: number; most: number }): number => random.int(least, most);

  const onLinks = async (): Promise<never> => {
    for (;;) {
      await systemClock.sleep(between(betweenMs), signal);
      const machine = machines.all[random.int(0, machines.all.length - 1)];
      if (machine === undefined) continue;
      const kind = random.pick(kinds);
      count(`link: ${kind}`);
      if (kind === 'cut') machines.reset(machine);
      else if (kind === 'silent') await machines.cutOff(machine, between(silentMs), signal);
      else {
        const over = systemClock.sleep(between(slowMs), signal).catch(() => undefined);
        machine.link.goSlow(between(delayMs), over);
        await over;
      }
    }
  };
  const onLeaders = async (): Promise<never> => {
    for (;;) {
      await systemClock.sleep(between(betweenSleepsMs), signal);
      const leader = machines.all.find(({ name }) => name === machines.failovers.leader());
      if (leader !== undefined && (await machines.sleep(leader, sleepMs, signal))) count('leader hangs');
    }
  };
  const untilOver = (work: Promise<never>): Promise<void> =>
    work.catch((error: unknown) => {
      if (!isAbort(error, signal)) throw error;
    });
  const over = Promise.all([untilOver(onLinks()), untilOver(onLeaders())]).then(() => undefined);
  return { done, over };
}
