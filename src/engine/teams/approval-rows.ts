// Spawn requests of clients that wait for a person, and what was decided, once. Called inside transactions.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { SpawnRequest } from '#engine/wire/teams/team.ts';
import type { TeamRole } from '#engine/wire/teams/team-policy.ts';

export interface StoredApproval {
  id: string;
  request: SpawnRequest;
  idempotencyKey?: string | undefined;
  /** Of the agent that would be started. */
  role: TeamRole;
  state: 'pending' | 'approved' | 'denied' | 'expired';
  requestedAtMs: number;
  expiresAtMs: number;
}

interface Row {
  id: string;
  request: string;
  idempotency_key: string | null;
  role: TeamRole;
  state: StoredApproval['state'];
  requested_at_ms: number;
  expires_at_ms: number;
}

export interface ApprovalRows {
  insert(approval: StoredApproval): void;
  get(id: string): StoredApproval | undefined;
  ofKey(idempotencyKey: string): StoredApproval | undefined;
  /** Oldest first. */
  pending(): StoredApproval[];
  /** False when it was settled before: the first decision stays. What was to be done is removed: an instance has it, or nobody needs it. */
  settle(
    id: string,
    to: { state: Exclude<StoredApproval['state'], 'pending'>; reason?: string | undefined; at: number },
  ): boolean;
  /** Removes all that were asked for this mission or an agent of it, decided or not. */
  removeOf(missionID: string): void;
}

/** Statements over the engine's open database. */
export function createApprovalRows(database: Sqlite): ApprovalRows {
  const insert = database.prepare<Row>(
    `INSERT INTO team_approvals (id, request, idempotency_key, role, state, requested_at_ms, expires_at_ms)
     VALUES (:id, :request, :idempotency_key, :role, :state, :requested_at_ms, :expires_at_ms)`,
  );
  const byID = database.prepare<[string], Row>('SELECT * FROM team_approvals WHERE id = ?');
  const byKey = database.prepare<[string], Row>('SELECT * FROM team_approvals WHERE idempotency_key = ?');
  const pending = database.prepare<[], Row>(
    "SELECT * FROM team_approvals WHERE state = 'pending' ORDER BY position",
  );
  const settle = database.prepare<[string, string | null, number, string]>(
    `UPDATE team_approvals SET state = ?, reason = ?, settled_at_ms = ?,
       request = json_remove(request, '$.prompt', '$.justification') WHERE id = ? AND state = 'pending'`,
  );
  const removeOf = database.prepare<{ mission: string }>(
    `DELETE FROM team_approvals WHERE json_extract(request, '$.missionID') = :mission
       OR json_extract(request, '$.parentInstanceID') IN (SELECT id FROM team_instances WHERE mission_id = :mission)`,
  );
  const one = (row: Row | undefined): StoredApproval | undefined => row && fromRow(row);
  return {
    insert(approval) {
      insert.run({
        id: approval.id,
        request: JSON.stringify(approval.request),
        idempotency_key: approval.idempotencyKey ?? null,
        role: approval.role,
        state: approval.state,
        requested_at_ms: approval.requestedAtMs,
        expires_at_ms: approval.expiresAtMs,
      });
    },
    get: (id) => one(byID.get(id)),
    ofKey: (key) => one(byKey.get(key)),
    pending: () => pending.all().map(fromRow),
    settle: (id, { state, reason, at }) => settle.run(state, reason ?? null, at, id).changes === 1,
    removeOf: (mission) => void removeOf.run({ mission }),
  };
}

function fromRow(row: Row): StoredApproval {
  return {
    id: row.id,
    request: JSON.parse(row.request),
    role: row.role,
    state: row.state,
    requestedAtMs: row.requested_at_ms,
    expiresAtMs: row.expires_at_ms,
    ...(row.idempotency_key === null ? {} : { idempotencyKey: row.idempotency_key }),
  };
}
