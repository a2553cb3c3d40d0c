// Spawn requests that wait for a person: those of clients in a separate table, those of runs among what runs ask.
import { ParleyError } from '#base/errors.ts';
import type { Permissions } from '#engine/permissions/permissions.ts';
import type { StoredRequest } from '#engine/permissions/request-rows.ts';
import type { Requests } from '#engine/permissions/requests.ts';
import type { StoredApproval } from '#engine/teams/approval-rows.ts';
import { allTemplates } from '#engine/teams/shipped-templates.ts';
import { type SpawnApproval, type SpawnRequest, toBudget } from '#engine/wire/teams/team.ts';
import type { TeamService } from '#engine/wire/teams/team-operations.ts';
import type { TeamSettings } from '#engine/wire/teams/team-policy.ts';
import type { SpawnInput } from './prepare.ts';
import type { Spawner } from './spawn.ts';
import type { TeamParts } from './team-parts.ts';

export interface Approvals extends Pick<TeamService, 'approveSpawn' | 'denySpawn'> {
  /** Stores what waits; the same key waits once. */
  wait(request: SpawnRequest, idempotencyKey: string | undefined): StoredApproval;
  pending(): SpawnApproval[];
  /** Those of the runs and missions that these messages began. */
  pendingOf(messageIDs: readonly string[]): SpawnApproval[];
}

interface ApprovalParts extends TeamParts {
  spawner: Spawner;
  requests: Pick<Requests, 'pending'>;
  permissions: Pick<Permissions, 'reply'>;
  settings: () => TeamSettings | undefined;
  /** How long an approval can be given. */
  waitMs: () => number;
}

const spawnTool = 'spawn_agent';

/** The request as it is decided. */
export function inputOf(request: SpawnRequest, idempotencyKey: string | undefined): SpawnInput {
  const { prompt, budget_override, parent_role, source = 'ui_action', ...rest } = request;
  const budget = budget_override && toBudget(budget_override);
  return { ...rest, source, parentRole: parent_role, task: prompt, budget, idempotencyKey };
}

/** The approvals over their table. */
export function createApprovals(parts: ApprovalParts): Approvals {
  const { approvals, events, clock, newId, spawner, requests, permissions } = parts;
  const roleOf = (templateID: string) =>
    allTemplates(parts.settings()?.templates ?? []).find((each) => each.templateID === templateID)?.role ??
    'worker';

  /** What nobody decided in time is over. */
  const expire = (): void => {
    const over = approvals.pending().filter(({ expiresAtMs }) => expiresAtMs <= clock.now());
    if (over.length === 0) return;
    events.commit(() => {
      for (const { id } of over) approvals.settle(id, { state: 'expired', at: clock.now() });
    });
  };

  /** What waits, with the message whose run or mission it belongs to; a client's own mission has none. */
  const waiting = (): { approval: SpawnApproval; messageID: string | undefined }[] => {
    expire();
    const missionOf = (instanceID: string | undefined): string | undefined =>
      instanceID === undefined ? undefined : parts.instances.get(instanceID)?.missionID;
    const begunWith = (missionID: string | undefined): string | undefined =>
      missionID === undefined ? undefined : parts.missions.get(missionID)?.messageID;
    const ofClients = approvals.pending().map((each) => {
      const { missionID, parentInstanceID } = each.request;
      return { approval: wireApproval(each), messageID: begunWith(missionID ?? missionOf(parentInstanceID)) };
    });
    const ofRuns = requests.pending('permission').filter(({ tool }) => tool === spawnTool);
    return [
      ...ofClients,
      ...ofRuns.map((each) => {
        const agent = parts.instances.ofSession(each.sessionID);
        const messageID = agent === undefined ? each.userMessageID : begunWith(agent.missionID);
        return { approval: wireOfRun(each, roleOf), messageID };
      }),
    ].sort((a, b) => a.approval.requestedAtMs - b.approval.requestedAtMs);
  };

  /** What can still be decided; undefined for what a run asks itself. */
  const open = (id: string): StoredApproval | undefined => {
    const stored = approvals.get(id);
    if (stored === undefined) {
      const isAsked = requests
        .pending('permission')
        .some((each) => each.id === id && each.tool === spawnTool);
      if (isAsked) return undefined;
      throw unknownApproval(id);
    }
    expire();
    const now = approvals.get(id) ?? stored;
    if (now.state === 'pending') return now;
    throw settled(now);
  };
  /** The run that waits is given its answer, and starts the agent itself. */
  const passOn = (approvalID: string, reply: 'once' | 'reject'): { ok: true; approvalID: string } => {
    permissions.reply(approvalID, reply);
    return { ok: true, approvalID };
  };
  const settle = (
    stored: StoredApproval,
    { state, reason }: { state: 'approved' | 'denied'; reason: string | undefined },
  ): void => {
    if (!approvals.settle(stored.id, { state, reason, at: clock.now() }))
      throw settled(approvals.get(stored.id) ?? stored);
  };

  return {
    wait(request, idempotencyKey) {
      expire();
      return events.commit(() => {
        const known = idempotencyKey === undefined ? undefined : approvals.ofKey(idempotencyKey);
        if (known !== undefined) return known;
        const now = clock.now();
        const approval: StoredApproval = {
          id: newId('spa'),
          request,
          idempotencyKey,
          role: roleOf(request.templateID),
          state: 'pending',
          requestedAtMs: now,
          expiresAtMs: now + parts.waitMs(),
        };
        approvals.insert(approval);
        return approval;
      });
    },
    pending: () => waiting().map(({ approval }) => approval),
    pendingOf(messageIDs) {
      const ids = new Set(messageIDs);
      return waiting().flatMap(({ approval, messageID }) =>
        messageID !== undefined && ids.has(messageID) ? [approval] : [],
      );
    },
    async approveSpawn({ approvalID, reason }) {
      const stored = open(approvalID);
      if (stored === undefined) return passOn(approvalID, 'once');
      const input = { ...inputOf(stored.request, stored.idempotencyKey ?? stored.id), approved: true };
      return spawner.spawn(input, () => settle(stored, { state: 'approved', reason }));
    },
    async denySpawn({ approvalID, reason }) {
      const stored = open(approvalID);
      if (stored === undefined) return passOn(approvalID, 'reject');
      events.commit(() => settle(stored, { state: 'denied', reason }));
      return { ok: true, approvalID };
    },
  };
}

function wireApproval({ id, request, role, requestedAtMs, expiresAtMs }: StoredApproval): SpawnApproval {
  const { missionID, templateID, justification, prompt, source = 'ui_action' } = request;
  return {
    approvalID: id,
    ...(missionID === undefined ? {} : { missionID }),
    templateID,
    role,
    ...(justification === undefined ? {} : { justification }),
    task: prompt ?? justification ?? '',
    source,
    requestedAtMs,
    expiresAtMs,
  };
}

function wireOfRun(
  { id, args, requestedAtMs, expiresAtMs }: StoredRequest,
  roleOf: (templateID: string) => SpawnApproval['role'],
): SpawnApproval {
  const read = (key: string): string | undefined => {
    const value: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, key) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const [templateID, justification] = [read('template') ?? '', read('justification')];
  return {
    approvalID: id,
    templateID,
    role: roleOf(templateID),
    ...(justification === undefined ? {} : { justification }),
    task: read('task') ?? '',
    source: 'tool_call',
    requestedAtMs,
    expiresAtMs,
  };
}

function unknownApproval(id: string): ParleyError {
  return new ParleyError('approval_not_found', `Nothing waits for approval under ${JSON.stringify(id)}.`, {
    hint: 'List what waits: GET /agent-team/approvals.',
  });
}

function settled({ state }: StoredApproval): ParleyError {
  const how = state === 'expired' ? 'has expired: nobody decided in time' : `was ${state} already`;
  return new ParleyError('approval_settled', `This request ${how}; nothing is started.`);
}
