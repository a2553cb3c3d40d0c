// Which mission a spawn request belongs to, and whether that still takes agents. Inside the transaction of the decision.
import { ParleyError } from '#base/errors.ts';
import { type Instance, isOpen } from '#engine/teams/instance-rows.ts';
import type { Mission } from '#engine/teams/mission-rows.ts';
import type { Prepared, SpawnInput } from './prepare.ts';
import type { TeamParts } from './team-parts.ts';

interface FoundMission {
  mission: Mission;
  /** It is not stored yet. */
  isNew: boolean;
  parent: Instance | undefined;
}

/**
 * The mission of the parent, the named one, that of the run, or a new one. A ParleyError `instance_not_found` for a parent that does not
 * run, `invalid_spawn` for one of another mission, `mission_ended` where no agent is started any more.
 */
export function missionFor(
  { missions, instances, clock, newId }: TeamParts,
  input: Pick<SpawnInput, 'missionID' | 'parentInstanceID' | 'source'>,
  { run, policy, warnings }: Pick<Prepared, 'run' | 'policy' | 'warnings'>,
): FoundMission {
  const { parentInstanceID } = input;
  const parent = parentInstanceID === undefined ? undefined : instances.get(parentInstanceID);
  if (parentInstanceID !== undefined && (parent === undefined || !isOpen(parent)))
    throw parentEnded(parentInstanceID);
  const id = input.missionID ?? parent?.missionID;
  if (parent !== undefined && id !== parent.missionID)
    throw new ParleyError(
      'invalid_spawn',
      `The parent ${parent.id} belongs to the mission ${parent.missionID}.`,
    );
  const known = id === undefined ? run && missions.ofMessage(run.userMessageID) : missions.get(id);
  if (known !== undefined) {
    const isItsRun = run !== undefined && run.userMessageID === known.messageID;
    if (!takesAgents(known, isItsRun)) throw missionEnded(known);
    return { mission: isItsRun ? { ...known, runID: run.runID } : known, isNew: false, parent };
  }
  const mission: Mission = {
    id: id ?? newId('mis'),
    source: input.source,
    sessionID: run?.sessionID,
    runID: run?.runID,
    messageID: run?.userMessageID,
    agent: run?.agent,
    origin: run?.origin,
    canAsk: run?.canAsk ?? true,
    budget: policy.status === 'usable' ? policy.policy.missionBudget : {},
    warnings: [...warnings],
    status: 'active',
    createdAtMs: clock.now(),
  };
  return { mission, isNew: true, parent };
}

/** An ended mission continues where its run was begun again, or where no run began it; never once it was cancelled. */
export function takesAgents({ status, runID }: Mission, isItsRun: boolean): boolean {
  if (status === 'active') return true;
  if (status === 'cancelled') return false;
  return runID === undefined || (isItsRun && status === 'interrupted');
}

function parentEnded(id: string): ParleyError {
  return new ParleyError('instance_not_found', `There is no running agent ${JSON.stringify(id)}.`, {
    hint: 'List the agents of the mission.',
  });
}

function missionEnded({ id, status }: Mission): ParleyError {
  return new ParleyError('mission_ended', `The mission ${id} is ${status}: no agent is started in it.`, {
    hint: 'Start another mission.',
  });
}
