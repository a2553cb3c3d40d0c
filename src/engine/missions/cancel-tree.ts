// Cancellation down a tree: everything below is to stop in the same transaction, and its runs are cancelled after it.
import { errorMessage } from '#base/errors.ts';
import type { RecordEvent } from '#engine/events/event-log.ts';
import { type Instance, isOpen } from '#engine/teams/instance-rows.ts';
import type { AfterEnd } from './after-end.ts';
import { endedEvent } from './team-events.ts';
import type { TeamParts } from './team-parts.ts';

/** Stops these instances with all below them; inside a commit that records with `record`. */
export type CancelTree = (tops: readonly Instance[], why: { reason: string; record: RecordEvent }) => void;

/** The instances that this one has started. */
export function childrenOf(all: readonly Instance[], id: string): Instance[] {
  return all.filter(({ parentID }) => parentID === id);
}

/** Cancels through the runs of this process. */
export function createCancelTree({
  missions,
  instances,
  events,
  clock,
  log,
  cancelRun,
  afterEnd,
}: TeamParts & {
  cancelRun(runID: string): Promise<boolean>;
  afterEnd: Pick<AfterEnd, 'ended'>;
}): CancelTree {
  const below = (all: readonly Instance[], top: Instance): Instance[] => [
    top,
    ...childrenOf(all, top.id).flatMap((child) => below(all, child)),
  ];
  return (tops, { reason, record }) => {
    const [first] = tops;
    if (first === undefined) return;
    const all = instances.ofMission(first.missionID);
    const wanted = new Set(tops.flatMap((top) => below(all, top)).filter(isOpen));
    for (const { id, runID } of wanted) {
      instances.stop(id);
      if (runID !== undefined) {
        events.afterCommit(() => {
          cancelRun(runID).catch((error: unknown) =>
            log.error({ runID, error: errorMessage(error) }, 'an agent could not be cancelled'),
          );
        });
        continue;
      }
      // it was about to begin: no run of it will
      const at = clock.now();
      const isFirst = instances.end(id, { status: 'cancelled', discarded: false, error: reason, at });
      const [ended, mission] = [instances.get(id), missions.get(first.missionID)];
      if (!isFirst || ended === undefined || mission === undefined) continue;
      record(endedEvent({ mission, instance: ended, at }));
      afterEnd.ended(mission.id, { interrupted: false, record });
    }
  };
}
