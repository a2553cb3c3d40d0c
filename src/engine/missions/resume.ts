// What an earlier process left behind of missions: begun again where no run will ask for it, else ended with a reason.
import { errorMessage } from '#base/errors.ts';
import { maxLives } from '#engine/runs/resume-runs.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import { type Instance, isOpen } from '#engine/teams/instance-rows.ts';
import type { Mission } from '#engine/teams/mission-rows.ts';
import { runKeyOf } from './instance-runs.ts';
import { reopen } from './reopen.ts';
import type { Spawner } from './spawn.ts';
import type { TeamParts } from './team-parts.ts';

const stopped = 'The program was stopped.';

/** Resolves when all that is left is begun or ended; call it once, before anything is spawned. */
export function createResume(
  parts: TeamParts & { runs: () => RunTables['runs']; start: Spawner['start'] },
): () => Promise<void> {
  const { missions, instances, events, clock, log, runs, start } = parts;
  const endMission = ({ id }: Mission): boolean =>
    missions.end(id, { status: 'interrupted', reason: stopped, at: clock.now() });

  /** Of a mission that no run began: nobody else asks for its instances again. */
  const revive = (): Instance[] =>
    events.commit(() => {
      const again: Instance[] = [];
      for (const mission of missions.active()) {
        const { runID } = mission;
        if (runID !== undefined) {
          if (runs().get(runID)?.status !== 'running') endMission(mission);
          continue;
        }
        const left = instances.ofMission(mission.id);
        for (const instance of left.filter(
          ({ status, parentID }) => status === 'interrupted' && parentID === undefined,
        )) {
          const lives = runs().answersOfKey(runKeyOf(instance.id)).length;
          const queued = lives < maxLives ? reopen(parts, instance, undefined) : undefined;
          if (queued !== undefined) again.push(queued);
        }
        if (!instances.ofMission(mission.id).some(isOpen)) endMission(mission);
      }
      return again;
    });

  return async () => {
    events.commit(() => {
      for (const { id } of instances.open())
        instances.end(id, { status: 'interrupted', discarded: false, error: stopped, at: clock.now() });
    });
    for (const instance of revive())
      start(instance).catch((error: unknown) =>
        log.error({ instance: instance.id, error: errorMessage(error) }, 'an agent could not be begun again'),
      );
  };
}
