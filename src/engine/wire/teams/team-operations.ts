// The operations on agents and their missions, with Tandem's routes and shapes.
import { z } from 'zod';
import { noFields, optionalID } from '#engine/operations/fields.ts';
import { operation, type ServiceOf } from '#engine/operations/operation.ts';
import {
  instanceStatuses,
  missionStatuses,
  spawnApproval,
  spawnDenied,
  spawned,
  spawnRequest,
  wireInstance,
  wireMission,
  wireTemplate,
} from './team.ts';

const reason = z.string().min(1).max(500).optional();
const denied = { about: 'Denied, with the reason and its code', schema: spawnDenied };
const passedOn = z.object({ ok: z.literal(true), approvalID: z.string() });
const ofApproval = z.object({ approvalID: z.string(), reason });

/** What clients ask of agents: `client.agentTeams`. */
export const teamOperations = {
  teamTemplates: operation({
    effect: 'read',
    method: 'GET',
    path: '/agent-team/templates',
    summary: 'The agents that may be started',
    about: 'Templates',
    input: noFields,
    output: z.array(wireTemplate),
    under: 'templates',
    call: 'templates',
    unaudited: 'shows no words',
  }),
  instances: operation({
    effect: 'read',
    method: 'GET',
    path: '/agent-team/instances',
    summary: 'The agents of the newest 100 missions, or of one',
    about: 'Agents',
    input: z.object({
      missionID: optionalID,
      parentInstanceID: optionalID,
      status: z.enum(instanceStatuses).optional(),
    }),
    output: z.array(wireInstance),
    under: 'instances',
    call: 'instances',
  }),
  spawnApprovals: operation({
    effect: 'read',
    method: 'GET',
    path: '/agent-team/approvals',
    summary: 'Spawn requests that wait for a person, oldest first',
    about: 'Requests',
    input: noFields,
    output: z.array(spawnApproval),
    under: 'spawnApprovals',
    call: 'approvals',
  }),
  /**
   * Decides about a request and reserves its budget in one transaction, then starts the instance. The same key gives the same
   * instance. A ParleyError `unknown_template`, `invalid_spawn`, `instance_not_found`, `mission_ended` for what cannot be meant.
   */
  spawn: operation({
    effect: 'add',
    method: 'POST',
    path: '/agent-team/spawn',
    summary: 'Starts an agent, if the policy allows it and the budget of its mission has room for it',
    about: 'Started',
    input: spawnRequest,
    output: z.union([spawned, spawnDenied]),
    denied,
    startsWork: true,
    call: 'spawn',
  }),
  /** A ParleyError `approval_not_found`, or `approval_settled` when it has expired or was decided. */
  approveSpawn: operation({
    effect: 'add',
    method: 'POST',
    path: '/agent-team/approvals/spawn/:approvalID/approve',
    summary: 'Approves a spawn request, once; it is then decided as if it came now',
    about: 'Started, or passed on to the run that asked',
    input: ofApproval,
    output: z.union([spawned, passedOn, spawnDenied]),
    denied,
    call: 'approve',
    first: 'approvalID',
  }),
  /** The same errors. */
  denySpawn: operation({
    effect: 'change',
    method: 'POST',
    path: '/agent-team/approvals/spawn/:approvalID/deny',
    summary: 'Refuses a spawn request, once',
    about: 'Refused',
    input: ofApproval,
    output: passedOn,
    call: 'deny',
    first: 'approvalID',
  }),
  /** A ParleyError `instance_not_found`. */
  cancelInstance: operation({
    effect: 'change',
    method: 'POST',
    path: '/agent-team/instance/:instanceID/cancel',
    summary: 'Stops an agent with all that it has started',
    about: 'As it is now',
    input: z.object({ instanceID: z.string(), reason }),
    output: wireInstance,
    under: 'instance',
    call: 'cancel',
    first: 'instanceID',
  }),
};

/** What clients ask of missions: `client.missions`. */
export const missionOperations = {
  missions: operation({
    effect: 'read',
    method: 'GET',
    path: '/agent-team/missions',
    summary: 'Missions with their agents, newest first; at most 100',
    about: 'Missions',
    input: z.object({
      missionID: optionalID,
      sessionID: optionalID,
      runID: optionalID,
      status: z.enum(missionStatuses).optional(),
    }),
    output: z.array(wireMission),
    under: 'missions',
    call: 'list',
  }),
  /** A ParleyError `mission_not_found`. */
  cancelMission: operation({
    effect: 'change',
    method: 'POST',
    path: '/agent-team/mission/:missionID/cancel',
    summary: 'Stops a mission: its agents, and the run that waits for them',
    about: 'As it is now',
    input: z.object({ missionID: z.string(), reason }),
    output: wireMission,
    under: 'mission',
    call: 'cancel',
    first: 'missionID',
  }),
};

export type TeamService = ServiceOf<typeof teamOperations & typeof missionOperations>;
