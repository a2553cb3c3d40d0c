// For how long nobody led a platform while somebody could have. Knows nothing of processes: it is told what happens to them.
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { platforms } from '../harness/stage.ts';

export interface Failovers {
  /** This instance is connected to the platform. */
  leads(instance: string, platform: SandboxPlatform): void;
  /** It is not any more, or cannot be: of all platforms where none is named. */
  lost(instance: string, platform?: SandboxPlatform): void;
  /** Those that run, are awake, and reach the database. While there are none, no time counts. */
  able(instances: readonly string[]): void;
  /** The instance that leads most, if any does. */
  leader(): string | undefined;
  leadsAll(instance: string): boolean;
  /** How long each takeover took, in milliseconds; that of the first start is none. */
  readonly taken: readonly number[];
  /** Nothing counts any more. */
  end(): void;
}

/** `now` is in milliseconds, and only grows. */
export function createFailovers(now: () => number = () => performance.now()): Failovers {
  const leaders = new Map<SandboxPlatform, string>();
  /** Since when a platform that was led before is led by nobody. */
  const gaps = new Map<SandboxPlatform, number>();
  const wasLed = new Set<SandboxPlatform>();
  const taken: number[] = [];
  let ready = 0;
  let isOver = false;

  const look = (): void => {
    for (const platform of platforms) {
      const since = gaps.get(platform);
      if (leaders.has(platform)) {
        gaps.delete(platform);
        wasLed.add(platform);
        if (since !== undefined && !isOver) taken.push(now() - since);
      } else if (ready === 0) gaps.delete(platform);
      else if (since === undefined && wasLed.has(platform)) gaps.set(platform, now());
    }
  };
  return {
    taken,
    leads(instance, platform) {
      leaders.set(platform, instance);
      look();
    },
    lost(instance, only) {
      for (const [platform, leader] of [...leaders])
        if (leader === instance && (only === undefined || only === platform)) leaders.delete(platform);
      look();
    },
    able(instances) {
      ready = instances.length;
      look();
    },
    leader() {
      const led = [...leaders.values()];
      const count = (name: string): number => led.filter((each) => each === name).length;
      return led.sort((a, b) => count(b) - count(a))[0];
    },
    leadsAll: (instance) => platforms.every((platform) => leaders.get(platform) === instance),
    end() {
      isOver = true;
    },
  };
}
