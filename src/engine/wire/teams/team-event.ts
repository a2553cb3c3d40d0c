// What is reported about teams, in the same log as everything else. All of a mission is filed under the run that began it.
import type { DenyCode, InstanceStatus, SpawnSource, WireSpent } from './team.ts';
import type { TeamRole } from './team-policy.ts';

/** What every event of a team says. Without a run that began the mission, session and run are the instance's own, or absent. */
export interface TeamEvent {
  sessionID: string | null;
  messageID: string | null;
  runID: string | null;
  missionID: string;
  instanceID?: string;
  parentInstanceID?: string;
  timestampMs: number;
  source: SpawnSource;
}

interface OfInstance extends TeamEvent {
  instanceID: string;
  templateID: string;
  display_name: string;
  role: TeamRole;
  status: InstanceStatus;
  instanceSessionID: string;
  instanceRunID: string | null;
}

interface OfEnd extends OfInstance {
  usage: WireSpent;
  /** Its budget was used up: what it had until then is its result. */
  partial: boolean;
  discarded: boolean;
  error?: string;
}

export interface TeamEventPayloads {
  'agent_team.spawn.requested': TeamEvent & { requestedRole: TeamRole; templateID: string };
  'agent_team.spawn.approved': TeamEvent & {
    instanceID: string;
    requestedRole: TeamRole;
    templateID: string;
  };
  'agent_team.spawn.denied': TeamEvent & {
    requestedRole: TeamRole;
    templateID: string;
    code: DenyCode;
    error: string;
    requiresUserApproval: boolean;
    approvalID?: string;
  };
  'agent_team.instance.started': OfInstance & { task: string };
  'agent_team.instance.completed': OfEnd;
  'agent_team.instance.failed': OfEnd;
  'agent_team.instance.cancelled': OfEnd;
  'agent_team.budget.usage': TeamEvent & { instanceID: string; usage: WireSpent };
  'agent_team.budget.exhausted': TeamEvent & { instanceID: string; limit: string };
  'agent_team.mission.budget.exhausted': TeamEvent & { limit: string };
  'agent_team.capability.denied': TeamEvent & { instanceID: string; tool: string };
}
