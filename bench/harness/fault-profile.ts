// What goes wrong on the platforms' side: limits, faults, lost answers, slowness, cut sockets, repeated deliveries. Not kills.

import { systemClock } from '#base/clock.ts';
import { isAbort } from '#base/waiting/async.ts';
import type { Fault, FaultTarget, SandboxPlatform } from '#sandbox/contract.ts';
import type { LoadUsers } from './load-users.ts';
import type { Random } from './random.ts';
import { platforms, type Stage } from './stage.ts';

export type Problem = Fault['kind'] | 'redelivery';

export interface FaultProfile {
  /** How often each kind was injected, by platform. */
  injected: ReadonlyMap<Problem, Record<SandboxPlatform, number>>;
  /** Resolves when no more is injected. */
  over: Promise<void>;
}

export const problems: readonly [Problem, ...Problem[]] = [
  'rate_limit',
  'server_error',
  'lost_response',
  'slow',
  'drop_socket',
  'invalid_session',
  'redelivery',
];
const targets: readonly [FaultTarget, ...FaultTarget[]] = ['send', 'send', 'edit', 'receive', 'typing'];

const maxOwed = 4;
/** Least time between two cuts of a platform's socket: a program that is cut off at once, always, hears nothing. */
const betweenCutsMs = 6_000;

/** Injects one problem after another until the signal aborts; the pauses are `calm` milliseconds on average. */
export function makeFaultProfile(options: {
  stage: Stage;
  users: LoadUsers;
  random: Random;
  calm: number;
  signal: AbortSignal;
}): FaultProfile {
  const { stage, users, random, calm, signal } = options;
  const injected = new Map<Problem, Record<SandboxPlatform, number>>();
  const ordered = { discord: 0, telegram: 0, slack: 0 };
  const cutAt = { discord: 0, telegram: 0, slack: 0 };

  /** Calls that are still to be answered with a fault: more than a few, and nothing would get through. */
  const owed = (platform: SandboxPlatform): number => {
    const { limited, broken, cut } = stage.taps[platform].problem;
    return ordered[platform] - limited - broken - cut;
  };

  const faultOf = (kind: Exclude<Problem, 'redelivery'>): Fault => {
    const target = random.pick(targets);
    const times = random.int(1, 2);
    switch (kind) {
      case 'rate_limit':
        return { kind, target, times, retryAfterMs: random.int(100, 1500) };
      case 'slow':
        return { kind, target, times, delayMs: random.int(50, 1000) };
      case 'server_error':
      case 'lost_response':
        return { kind, target, times };
      case 'drop_socket':
      case 'invalid_session':
        return { kind };
    }
  };

  const strike = async (): Promise<void> => {
    const platform = random.pick(platforms);
    const kind = random.pick(problems);
    if (kind === 'redelivery') {
      const said = users.sent.filter((one) => one.platform === platform);
      const again = said[random.int(0, said.length - 1)];
      if (again === undefined) return;
      await stage.sandbox[platform].redeliver(again.id);
    } else {
      const fault = faultOf(kind);
      if ('times' in fault && fault.kind !== 'slow') {
        if (owed(platform) >= maxOwed) return;
        ordered[platform] += fault.times;
      }
      if (!('target' in fault)) {
        if (Date.now() - cutAt[platform] < betweenCutsMs) return;
        cutAt[platform] = Date.now();
      }
      stage.sandbox[platform].inject(fault);
    }
    const counts = injected.get(kind) ?? { discord: 0, telegram: 0, slack: 0 };
    counts[platform] += 1;
    injected.set(kind, counts);
  };

  const blow = async (): Promise<void> => {
    for (;;) {
      await systemClock.sleep(random.int(calm / 2, calm * 1.5), signal);
      await strike();
    }
  };
  const over = blow().catch((error: unknown) => {
    if (!isAbort(error, signal)) throw error;
  });
  return { injected, over };
}
