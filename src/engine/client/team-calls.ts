// The client's calls about teams and missions, as the routes have them.
import type {
  MissionFilter,
  SpawnApproval,
  Spawned,
  SpawnRequest,
  WireInstance,
  WireMission,
  WireTemplate,
} from '#engine/wire/teams/team.ts';
import type { Verbs } from './request.ts';

/** `agentTeams` and `missions` of the client. */
export function teamCalls({ get, post }: Pick<Verbs, 'get' | 'post'>) {
  const to = (path: string, id: string, word: string, reason?: string): [string, object] => [
    `/agent-team/${path}/${encodeURIComponent(id)}/${word}`,
    reason === undefined ? {} : { reason },
  ];
  const list = async (filter: MissionFilter = {}): Promise<WireMission[]> =>
    (await get<{ missions: WireMission[] }>('/agent-team/missions', { ...filter })).missions;
  return {
    agentTeams: {
      templates: async () => (await get<{ templates: WireTemplate[] }>('/agent-team/templates')).templates,
      instances: async (filter: { missionID?: string; parentInstanceID?: string; status?: string } = {}) =>
        (await get<{ instances: WireInstance[] }>('/agent-team/instances', filter)).instances,
      approvals: async () =>
        (await get<{ spawnApprovals: SpawnApproval[] }>('/agent-team/approvals')).spawnApprovals,
      /** What is denied is a ParleyClientError with the status 403 and the code of the reason. */
      spawn: (request: SpawnRequest, more: { idempotencyKey?: string | undefined } = {}) =>
        post<Spawned>('/agent-team/spawn', request, more),
      approve: (id: string, reason?: string) =>
        post<Spawned | { ok: true; approvalID: string }>(...to('approvals/spawn', id, 'approve', reason)),
      deny: (id: string, reason?: string) =>
        post<{ ok: true; approvalID: string }>(...to('approvals/spawn', id, 'deny', reason)),
      cancel: async (instanceID: string, reason?: string) =>
        (await post<{ instance: WireInstance }>(...to('instance', instanceID, 'cancel', reason))).instance,
    },
    missions: {
      list,
      /** Undefined where there is none. */
      get: async (missionID: string): Promise<WireMission | undefined> => (await list({ missionID }))[0],
      cancel: async (missionID: string, reason?: string) =>
        (await post<{ mission: WireMission }>(...to('mission', missionID, 'cancel', reason))).mission,
    },
  };
}
