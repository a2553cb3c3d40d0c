// Starting an instance: the request is decided and its budget reserved in one transaction, then it runs in a separate session.
import { codeOf, errorMessage } from '#base/errors.ts';
import type { Secrets } from '#base/secrets.ts';
import type { RecordEvent } from '#engine/events/event-log.ts';
import type { Runs } from '#engine/runs/runs.ts';
import { refuseOtherRequest, requestHashOf } from '#engine/sessions/same-request.ts';
import type { SessionRows } from '#engine/sessions/session-rows.ts';
import { countedOf } from '#engine/teams/counted.ts';
import { decideSpawn, type SpawnVerdict } from '#engine/teams/decide.ts';
import type { Instance } from '#engine/teams/instance-rows.ts';
import type { Mission } from '#engine/teams/mission-rows.ts';
import type { SpawnOutcome } from '#engine/wire/teams/team.ts';
import type { AfterEnd } from './after-end.ts';
import { runKeyOf } from './instance-runs.ts';
import { missionFor } from './mission-for.ts';
import type { Prepared, SpawnInput } from './prepare.ts';
import { reopen } from './reopen.ts';
import {
  approvedEvent,
  deniedEvent,
  endedEvent,
  missionExhaustedEvent,
  requestedEvent,
} from './team-events.ts';
import type { TeamParts } from './team-parts.ts';
import { startedOutcome, writeInstance } from './write-instance.ts';

interface SpawnParts extends TeamParts {
  sessions: Pick<SessionRows, 'insert' | 'get'>;
  prompt: Runs['prompt'];
  prepare(input: SpawnInput): Promise<Prepared>;
  afterEnd: Pick<AfterEnd, 'ended'>;
  /** Masks the secrets of the config. */
  secrets: Pick<Secrets, 'maskAll'>;
}

/** What was decided, and the instance that is to be started. */
type Decided = { outcome: SpawnOutcome; start?: Instance | undefined };

export interface Spawner {
  /** Decides, and starts. `settle` shares the transaction of the decision, and may refuse it by throwing. */
  spawn(input: SpawnInput, settle?: () => void): Promise<SpawnOutcome>;
  /** Starts an instance that is queued. */
  start(instance: Instance): Promise<void>;
}

/** The one place where instances come from. */
export function createSpawner(parts: SpawnParts): Spawner {
  const { missions, instances, events, clock, log } = parts;

  const start = async (instance: Instance): Promise<void> => {
    const mission = missions.get(instance.missionID);
    const body = {
      parts: [{ type: 'text' as const, text: instance.task }],
      origin: mission?.origin,
      canAsk: mission?.canAsk ?? false,
    };
    const how = { idempotencyKey: runKeyOf(instance.id), retryInterrupted: true };
    try {
      const begun = await parts.prompt(instance.sessionID, body, how);
      if (begun.status === 'replayed') endUnstarted(instance, 'Its run has ended before.');
    } catch (error) {
      if (codeOf(error) === 'engine_closed') return; // the next start finds it
      log.error({ instance: instance.id, error: errorMessage(error) }, 'an agent could not be started');
      endUnstarted(instance, errorMessage(error));
    }
  };
  const endUnstarted = (instance: Instance, error: string): void =>
    events.commit((record) => {
      const at = clock.now();
      if (!instances.end(instance.id, { status: 'failed', discarded: false, error, at })) return;
      const [ended, mission] = [instances.get(instance.id), missions.get(instance.missionID)];
      if (ended === undefined || mission === undefined) return;
      record(endedEvent({ mission, instance: ended, at }));
      parts.afterEnd.ended(mission.id, { interrupted: false, record });
    });

  return {
    start,
    async spawn(request, settle = () => {}) {
      const { task, justification } = parts.secrets.maskAll({
        task: request.task,
        justification: request.justification,
      });
      const input = { ...request, task, justification };
      const prepared = await parts.prepare(input);
      const { outcome, start: queued } = await events.together((record): Decided => {
        settle();
        return decide(parts, { input, prepared, record });
      });
      if (queued === undefined) return outcome;
      await start(queued);
      const now = instances.get(queued.id) ?? queued;
      return outcome.ok
        ? { ...outcome, status: now.status, ...(now.runID === undefined ? {} : { runID: now.runID }) }
        : outcome;
    },
  };
}

/** Inside the transaction: nothing that it reads can change before its reservation is written. */
function decide(
  parts: SpawnParts,
  { input, prepared, record }: { input: SpawnInput; prepared: Prepared; record: RecordEvent },
): Decided {
  const { missions, instances, clock } = parts;
  const requestHash = requestHashOf([
    prepared.template.templateID,
    prepared.task,
    input.missionID,
    input.parentInstanceID,
  ]);
  const known = instances.ofKey(prepared.key);
  if (known !== undefined) {
    refuseOtherRequest(known.requestHash, requestHash);
    const queued = known.status === 'interrupted' ? reopen(parts, known, prepared.run) : undefined;
    return { outcome: startedOutcome(queued ?? known, [], true), start: queued };
  }
  const found = missionFor(parts, input, prepared);
  const { mission, parent } = found;
  const all = instances.ofMission(mission.id);
  const verdict = decideSpawn({
    policy: prepared.policy,
    template: prepared.template,
    skills: prepared.skills,
    parentRole: parent?.role ?? input.parentRole ?? 'orchestrator',
    justification: input.justification,
    wanted: input.budget ?? {},
    approved: input.approved === true,
    missionBudget: mission.budget,
    instances: all.map(countedOf),
    parentID: parent?.id,
  });
  const at = clock.now();
  const place = { mission, at };
  const requested = {
    requestedRole: prepared.template.role,
    templateID: prepared.template.templateID,
    source: input.source,
  };
  record(requestedEvent(place, requested));
  if (verdict.status === 'denied')
    return { outcome: deny(parts, { verdict, place, requested, found, record }) };
  if (found.isNew) missions.insert(mission);
  else if (mission.status !== 'active') missions.resume(mission.id, mission.runID);
  const granted = { budget: verdict.budget, requestHash };
  const instance = writeInstance(parts, { input, prepared, mission, parent, ...granted, record });
  record(approvedEvent({ ...place, instance }, requested));
  const warnings = found.isNew ? mission.warnings : prepared.warnings;
  return { outcome: startedOutcome(instance, warnings, false), start: instance };
}

function deny(
  { missions }: SpawnParts,
  {
    verdict,
    place,
    requested,
    found,
    record,
  }: {
    verdict: Extract<SpawnVerdict, { status: 'denied' }>;
    place: { mission: Mission; at: number };
    requested: Parameters<typeof deniedEvent>[1];
    found: { isNew: boolean };
    record: RecordEvent;
  },
): SpawnOutcome {
  const { code, error, usedUp: empty } = verdict;
  const requiresUserApproval = code === 'spawn_requires_approval';
  record(deniedEvent(place, requested, { code, error, requiresUserApproval }));
  if (empty !== undefined && !found.isNew && missions.exhaust(place.mission.id, empty))
    record(missionExhaustedEvent(place, empty));
  const missionID = found.isNew ? {} : { missionID: place.mission.id };
  return { ok: false, code, error, requiresUserApproval, ...missionID };
}
