// An instance whose process died, asked for again: it runs again with what is left of its budget and of the mission's.

import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import { leftOf, spentDimension, tightestOf } from '#engine/teams/budget.ts';
import { countedOf } from '#engine/teams/counted.ts';
import { heldOf } from '#engine/teams/decide.ts';
import type { Instance } from '#engine/teams/instance-rows.ts';
import type { Budget } from '#engine/wire/teams/team-policy.ts';
import { takesAgents } from './mission-for.ts';
import { exhaustedEvent } from './team-events.ts';
import type { TeamParts } from './team-parts.ts';

/** The instance, queued again; undefined where it is not: one that has nothing left is reported as that. Inside a transaction. */
export function reopen(
  { missions, instances, events, clock }: Pick<TeamParts, 'missions' | 'instances' | 'events' | 'clock'>,
  known: Instance,
  run: StoredRun | undefined,
): Instance | undefined {
  const mission = missions.get(known.missionID);
  const isItsRun = run !== undefined && run.userMessageID === mission?.messageID;
  if (mission === undefined || !takesAgents(mission, isItsRun)) return undefined;
  const others = instances.ofMission(mission.id).filter(({ id }) => id !== known.id);
  const left = leftOf(leftOf(mission.budget, heldOf(others.map(countedOf))), known.spent);
  const rest = tightestOf(leftOf(known.granted, known.spent), left);
  const empty = spentDimension(rest);
  if (empty !== undefined) {
    const place = { mission, instance: known, at: clock.now() };
    if (instances.exhaust(known.id, empty)) events.commit((record) => record(exhaustedEvent(place, empty)));
    return undefined;
  }
  if (mission.status !== 'active') missions.resume(mission.id, isItsRun ? run.runID : undefined);
  const granted: Budget = {};
  for (const key of Object.keys(rest) as (keyof Budget)[]) granted[key] = known.spent[key] + (rest[key] ?? 0);
  instances.reopen(known.id, granted);
  return instances.get(known.id);
}
