// The events of a mission, each filed under the run that began it. Pure.
import { truncate } from '#base/text.ts';
import type { EventDraft } from '#engine/events/event-store.ts';
import { nameOf } from '#engine/teams/budget.ts';
import type { Instance } from '#engine/teams/instance-rows.ts';
import type { Mission } from '#engine/teams/mission-rows.ts';
import { type DenyCode, type SpawnSource, spentOf } from '#engine/wire/teams/team.ts';
import type { TeamEvent } from '#engine/wire/teams/team-event.ts';
import type { Dimension, TeamRole } from '#engine/wire/teams/team-policy.ts';

const taskChars = 200;

/** Where an event belongs, and when it happened. */
interface EventPlace {
  mission: Pick<Mission, 'id' | 'sessionID' | 'runID' | 'messageID' | 'source'>;
  instance?: Pick<Instance, 'id' | 'parentID' | 'sessionID' | 'runID' | 'source'> | undefined;
  at: number;
}

function common({ mission, instance, at }: EventPlace): TeamEvent {
  const { id: missionID, sessionID, runID, messageID } = mission;
  const own = sessionID === undefined ? instance : undefined;
  return {
    sessionID: sessionID ?? own?.sessionID ?? null,
    messageID: messageID ?? null,
    runID: runID ?? own?.runID ?? null,
    missionID,
    ...(instance === undefined ? {} : { instanceID: instance.id }),
    ...(instance?.parentID === undefined ? {} : { parentInstanceID: instance.parentID }),
    timestampMs: at,
    source: instance?.source ?? mission.source,
  };
}

/** What was asked for. */
interface Requested {
  requestedRole: TeamRole;
  templateID: string;
  source: SpawnSource;
}

export function requestedEvent(place: EventPlace, { source, ...requested }: Requested): EventDraft {
  return { type: 'agent_team.spawn.requested', properties: { ...common(place), ...requested, source } };
}

export function approvedEvent(
  place: EventPlace & { instance: Instance },
  { source, ...requested }: Requested,
): EventDraft {
  const properties = { ...common(place), ...requested, source, instanceID: place.instance.id };
  return { type: 'agent_team.spawn.approved', properties };
}

export function deniedEvent(
  place: EventPlace,
  { source, ...requested }: Requested,
  why: { code: DenyCode; error: string; requiresUserApproval: boolean; approvalID?: string },
): EventDraft {
  return { type: 'agent_team.spawn.denied', properties: { ...common(place), ...requested, source, ...why } };
}

type InstancePlace = EventPlace & { instance: Instance };

function ofInstance(place: InstancePlace) {
  const { id, templateID, displayName, role, status, sessionID, runID } = place.instance;
  return {
    ...common(place),
    instanceID: id,
    templateID,
    display_name: displayName,
    role,
    status,
    instanceSessionID: sessionID,
    instanceRunID: runID ?? null,
  };
}

export function startedEvent(place: InstancePlace): EventDraft {
  const task = truncate(place.instance.task, taskChars);
  return { type: 'agent_team.instance.started', properties: { ...ofInstance(place), task } };
}

/** How the instance ended; one whose process died counts as failed until it runs again. */
export function endedEvent(place: InstancePlace): EventDraft {
  const { spent, isPriced, exhausted, discarded, error, status } = place.instance;
  const properties = {
    ...ofInstance(place),
    usage: spentOf(spent, isPriced),
    partial: exhausted !== undefined,
    discarded,
    ...(error === undefined ? {} : { error }),
  };
  if (status === 'completed') return { type: 'agent_team.instance.completed', properties };
  if (status === 'cancelled') return { type: 'agent_team.instance.cancelled', properties };
  return { type: 'agent_team.instance.failed', properties };
}

export function usageEvent(place: InstancePlace): EventDraft {
  const { id, spent, isPriced } = place.instance;
  const properties = { ...common(place), instanceID: id, usage: spentOf(spent, isPriced) };
  return { type: 'agent_team.budget.usage', properties };
}

export function exhaustedEvent(place: InstancePlace, dimension: Dimension): EventDraft {
  const properties = { ...common(place), instanceID: place.instance.id, limit: nameOf(dimension) };
  return { type: 'agent_team.budget.exhausted', properties };
}

export function missionExhaustedEvent(place: EventPlace, dimension: Dimension): EventDraft {
  const properties = { ...common(place), limit: nameOf(dimension) };
  return { type: 'agent_team.mission.budget.exhausted', properties };
}

export function capabilityEvent(place: InstancePlace, tool: string): EventDraft {
  const properties = { ...common(place), instanceID: place.instance.id, tool: truncate(tool, 100) };
  return { type: 'agent_team.capability.denied', properties };
}
