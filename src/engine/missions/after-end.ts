// What follows when an instance has ended, however it did: who waits for it looks again, and its mission may have ended with it.
import type { RecordEvent } from '#engine/events/event-log.ts';
import { leftOf, spentDimension } from '#engine/teams/budget.ts';
import { countedOf } from '#engine/teams/counted.ts';
import { heldOf } from '#engine/teams/decide.ts';
import { type Instance, isOpen } from '#engine/teams/instance-rows.ts';
import { missionExhaustedEvent } from './team-events.ts';
import type { TeamParts } from './team-parts.ts';

export interface AfterEnd {
  /**
   * An instance of the mission has ended; inside a commit that records with `record`. Where it was the last one and no run began the
   * mission, the mission is `completed`, or `failed` where all of its agents failed, unless the process is stopping (`interrupted`).
   */
  ended(missionID: string, how: { interrupted: boolean; record: RecordEvent }): void;
  /** Resolves when an instance of this process has ended, or rejects when the signal aborts. */
  nextEnd(signal: AbortSignal): Promise<void>;
}

/** The end of a mission that nobody has done anything for. */
export const failedMission = ['failed', 'All of its agents failed.'] as const;

/** Whether there were agents, and each of them failed. */
export function allFailed(all: readonly Instance[]): boolean {
  return all.length > 0 && all.every(({ status }) => status === 'failed');
}

/** Over the rows of missions. */
export function createAfterEnd({ missions, instances, events, clock }: TeamParts): AfterEnd {
  const waiting = new Set<() => void>();
  return {
    ended(missionID, { interrupted, record }) {
      events.afterCommit(() => {
        for (const wake of [...waiting]) wake();
      });
      const mission = missions.get(missionID);
      const all = instances.ofMission(missionID);
      if (mission === undefined || all.some(isOpen)) return;
      const empty = spentDimension(leftOf(mission.budget, heldOf(all.map(countedOf))));
      if (empty !== undefined && missions.exhaust(missionID, empty))
        record(missionExhaustedEvent({ mission, at: clock.now() }, empty));
      if (mission.runID !== undefined || interrupted) return;
      const [status, reason] = allFailed(all)
        ? failedMission
        : (['completed', 'All of its agents have ended.'] as const);
      missions.end(missionID, { status, reason, at: clock.now() });
    },
    async nextEnd(signal) {
      signal.throwIfAborted();
      const ended = Promise.withResolvers<void>();
      const wake = (): void => ended.resolve();
      const leave = (): void => ended.reject(signal.reason);
      waiting.add(wake);
      signal.addEventListener('abort', leave, { once: true });
      try {
        await ended.promise;
      } finally {
        waiting.delete(wake);
        signal.removeEventListener('abort', leave);
      }
    },
  };
}
