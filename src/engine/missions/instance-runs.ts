// The runs of instances: bounded while they work, and settled in the transaction in which they end. A mission ends with the run that began it.
import { ParleyError } from '#base/errors.ts';
import type { Agent } from '#engine/context/agents.ts';
import type { RecordEvent } from '#engine/events/event-log.ts';
import type { Instances, RunInstance } from '#engine/runs/instance.ts';
import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import type { RunObserver, RunTables } from '#engine/runs/tables/run-tables.ts';
import { type Instance, isOpen } from '#engine/teams/instance-rows.ts';
import { type CostOf, createMeter, type Meter } from '#engine/teams/meter.ts';
import type { Mission } from '#engine/teams/mission-rows.ts';
import { type AfterEnd, allFailed, failedMission } from './after-end.ts';
import { type CancelTree, childrenOf } from './cancel-tree.ts';
import { reopen } from './reopen.ts';
import { capabilityEvent, endedEvent, exhaustedEvent, startedEvent, usageEvent } from './team-events.ts';
import type { TeamParts } from './team-parts.ts';

export interface InstanceRuns {
  instances: Instances;
  observer: RunObserver;
}

type EndStatus = Parameters<RunObserver['ended']>[1];

/** The key of an instance's one run. */
export function runKeyOf(instanceID: string): string {
  return `agent:${instanceID}`;
}

/** The runs over the tables of missions; `runs` are those of the engine. */
export function createInstanceRuns(
  parts: TeamParts & {
    runs: () => Pick<RunTables['runs'], 'get' | 'setArchived'>;
    costOf(instance: Instance): CostOf;
    cancelTree: CancelTree;
    afterEnd: Pick<AfterEnd, 'ended'>;
    cancelRun(runID: string): Promise<boolean>;
    /** Starts an instance that is queued. */
    start(instance: Instance): Promise<void>;
  },
): InstanceRuns {
  const { missions, instances, events, clock, cancelTree } = parts;
  const working = new Map<string, { meter: Meter; workedMs: () => number }>();

  const missionOf = ({ missionID }: Instance): Mission => {
    const mission = missions.get(missionID);
    if (mission === undefined) throw new Error(`mission ${missionID} is missing`);
    return mission;
  };
  const placeOf = (instance: Instance) => ({ mission: missionOf(instance), instance, at: clock.now() });
  const again = (id: string): Instance => {
    const instance = instances.get(id);
    if (instance === undefined) throw new Error(`instance ${id} is missing`);
    return instance;
  };

  const settle = (run: StoredRun, instance: Instance, status: EndStatus, record: RecordEvent): void => {
    const work = working.get(run.runID);
    if (work !== undefined) instances.spend(instance.id, work.meter.spent(work.workedMs()));
    events.afterCommit(() => working.delete(run.runID));
    const { failure, text = '' } = parts.runs().get(run.runID) ?? {};
    const { exhausted } = again(instance.id);
    // what it had when its budget was used up is a result, also where the model wanted more than that left it
    const isPartial = endOf(status) === 'failed' && exhausted !== undefined && text.trim() !== '';
    const ended = isPartial ? 'completed' : endOf(status);
    const discarded = instance.stopping && ended === 'completed';
    const error = isPartial ? undefined : failure?.message;
    const end = { status: ended, discarded, error, at: clock.now() };
    if (!instances.end(instance.id, end)) return;
    // what it said is for its parent, whose answer is remembered; one that may run again needs its words as they are
    if (status !== 'interrupted') parts.runs().setArchived(run.runID, 'skipped');
    record(endedEvent(placeOf(again(instance.id))));
    cancelTree(childrenOf(instances.ofMission(instance.missionID), instance.id), {
      reason: 'The agent that started it has ended.',
      record,
    });
    parts.afterEnd.ended(instance.missionID, { interrupted: status === 'interrupted', record });
  };

  const endMission = (mission: Mission, status: EndStatus, record: RecordEvent): void => {
    const all = instances.ofMission(mission.id);
    const [ended, reason] = status === 'completed' && allFailed(all) ? failedMission : missionEnds[status];
    if (!missions.end(mission.id, { status: ended, reason, at: clock.now() })) return;
    const open = all.filter(isOpen);
    if (status !== 'interrupted')
      cancelTree(open, { reason: 'The run that began the mission has ended.', record });
  };

  return {
    instances: {
      agentOf(sessionID, idempotencyKey) {
        const instance = instances.ofSession(sessionID);
        if (instance === undefined) return undefined;
        if (idempotencyKey !== runKeyOf(instance.id)) throw notYours(instance);
        return agentOf(instance);
      },
      begin(run, workedMs): RunInstance | undefined {
        const instance = instances.ofSession(run.sessionID);
        if (instance === undefined) return undefined;
        const meter = createMeter({
          granted: instance.granted,
          before: instance.spent,
          costOf: parts.costOf(instance),
          exhausted: (dimension) =>
            events.commit((record) => {
              if (instances.exhaust(instance.id, dimension))
                record(exhaustedEvent(placeOf(again(instance.id)), dimension));
            }),
        });
        working.set(run.runID, { meter, workedMs });
        return {
          meter,
          leaveOf: missionOf(instance).agent,
          shownIn() {
            const { sessionID, runID } = missionOf(instance);
            if (sessionID === undefined || runID === undefined) return undefined;
            return { sessionID, runID, requester: instance.displayName };
          },
          count: () => events.commit(() => instances.spend(instance.id, meter.spent(workedMs()))),
          denied: (tool) => events.commit((record) => record(capabilityEvent(placeOf(instance), tool))),
          note: () =>
            events.commit((record) => {
              if (!isOpen(again(instance.id))) return;
              instances.spend(instance.id, meter.spent(workedMs()));
              record(usageEvent(placeOf(again(instance.id))));
            }),
        };
      },
    },
    observer: {
      begun(run, record) {
        const instance = instances.ofSession(run.sessionID);
        if (instance === undefined) return;
        if (!isOpen(instance)) {
          // it was cancelled while its run was about to begin
          events.afterCommit(() => setImmediate(() => void parts.cancelRun(run.runID)));
          return;
        }
        instances.started(instance.id, run.runID);
        record(startedEvent(placeOf(again(instance.id))));
      },
      resumed(run) {
        const instance = instances.ofSession(run.sessionID);
        const mission = instance === undefined ? missions.ofMessage(run.userMessageID) : missionOf(instance);
        if (mission === undefined) return;
        for (const child of instances.ofMission(mission.id)) {
          const isOfRun = child.parentID === instance?.id && child.status === 'interrupted';
          const queued = isOfRun ? reopen(parts, child, run) : undefined;
          if (queued !== undefined) events.afterCommit(() => setImmediate(() => void parts.start(queued))); // which reports what goes wrong
        }
      },
      ended(run, status, record) {
        const instance = instances.ofSession(run.sessionID);
        if (instance !== undefined) settle(run, instance, status, record);
        const mission = missions.ofRun(run.runID);
        if (mission !== undefined) endMission(mission, status, record);
      },
    },
  };
}

/** How an instance answers. */
function agentOf({ displayName, profile }: Instance): Agent {
  const { systemPrompt, model, tools, memory, partition } = profile;
  const own = partition === undefined ? {} : { partition: 'own' as const, partitionOwner: partition };
  return { name: displayName, systemPrompt, model, tools, memory, ...own };
}

function endOf(status: EndStatus): 'completed' | 'failed' | 'cancelled' | 'interrupted' {
  return status === 'error' || status === 'timeout' ? 'failed' : status;
}

const missionEnds = {
  completed: ['completed', 'The run that began it has answered.'],
  cancelled: ['cancelled', 'The run that began it was cancelled.'],
  timeout: ['failed', 'The run that began it took too long.'],
  error: ['failed', 'The run that began it failed.'],
  interrupted: [
    'interrupted',
    'The program was stopped. It continues once the run that began it is begun again; until then nothing of it runs.',
  ],
} as const satisfies Record<EndStatus, readonly [Mission['status'], string]>;

function notYours({ displayName, missionID }: Instance): ParleyError {
  return new ParleyError(
    'instance_session',
    `This session belongs to the agent ${JSON.stringify(displayName)} of the mission ${missionID}.`,
    { hint: 'Prompt the session that began the mission, or start another agent.' },
  );
}
