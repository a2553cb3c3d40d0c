// A new instance in its tables: its session, its rights, what is reserved for it. Inside the transaction of its decision.
import { truncate } from '#base/text.ts';
import type { RecordEvent } from '#engine/events/event-log.ts';
import type { SessionRows } from '#engine/sessions/session-rows.ts';
import { titleLimit, updatedEvent } from '#engine/sessions/sessions.ts';
import { nothingSpent } from '#engine/teams/budget.ts';
import type { Instance } from '#engine/teams/instance-rows.ts';
import type { Mission } from '#engine/teams/mission-rows.ts';
import { limitOf, type Spawned } from '#engine/wire/teams/team.ts';
import type { Budget } from '#engine/wire/teams/team-policy.ts';
import type { Prepared, SpawnInput } from './prepare.ts';
import { instancePrompt } from './profile.ts';
import { toolsFor } from './rights.ts';
import type { TeamParts } from './team-parts.ts';

/** Writes the session and the instance, queued. */
export function writeInstance(
  { sessions, instances, clock, newId }: TeamParts & { sessions: Pick<SessionRows, 'insert' | 'get'> },
  {
    input,
    prepared,
    mission,
    parent,
    budget,
    requestHash,
    record,
  }: {
    input: SpawnInput;
    prepared: Prepared;
    mission: Mission;
    parent: Instance | undefined;
    budget: Budget;
    requestHash: string;
    record: RecordEvent;
  },
): Instance {
  const { template, task, rights, policy, model } = prepared;
  const skills = prepared.skills.status === 'usable' ? prepared.skills.skills : [];
  const edges = policy.status === 'usable' ? policy.policy.edges : {};
  const id = newId('agt');
  const now = clock.now();
  const parentSession = parent?.sessionID ?? mission.sessionID;
  const above = parentSession === undefined ? undefined : sessions.get(parentSession);
  const session = {
    id: newId('ses'),
    title: truncate(`${template.displayName}: ${task.replace(/\s+/g, ' ')}`, titleLimit),
    projectID: above?.projectID,
    directory: above?.directory,
    workspaceRoot: above?.workspaceRoot,
    parentID: parentSession,
    sourceKind: 'api' as const,
    sourceMetadata: { missionID: mission.id, instanceID: id, templateID: template.templateID },
    createdAtMs: now,
    updatedAtMs: now,
  };
  sessions.insert(session);
  record(updatedEvent(session));
  const instance: Instance = {
    id,
    missionID: mission.id,
    parentID: parent?.id,
    depth: (parent?.depth ?? 0) + 1,
    idempotencyKey: prepared.key,
    requestHash,
    source: input.source,
    templateID: template.templateID,
    displayName: template.displayName,
    role: template.role,
    task,
    justification: input.justification,
    profile: {
      systemPrompt: instancePrompt(template, { skills, budget }),
      model,
      tools: toolsFor(template, rights, edges),
      memory: rights.memory,
      partition: rights.partition,
      skills: skills.map(({ id: skill, folder, files }) => ({ id: skill, folder, files })),
    },
    skillHash: prepared.skills.status === 'usable' ? prepared.skills.skillHash : undefined,
    sessionID: session.id,
    granted: budget,
    spent: nothingSpent,
    isPriced: prepared.isPriced,
    status: 'queued',
    stopping: false,
    discarded: false,
    createdAtMs: now,
  };
  instances.insert(instance);
  return instance;
}

/** The answer to a request that has an instance. */
export function startedOutcome(instance: Instance, warnings: readonly string[], isReplay: boolean): Spawned {
  const { id, missionID, sessionID, runID, status, skillHash, granted } = instance;
  return {
    ok: true,
    missionID,
    instanceID: id,
    sessionID,
    ...(runID === undefined ? {} : { runID }),
    status,
    ...(skillHash === undefined ? {} : { skillHash }),
    budget: limitOf(granted),
    warnings: [...warnings],
    ...(isReplay ? { idempotentReplay: true as const } : {}),
  };
}
