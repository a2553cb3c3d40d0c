// The missions table: what began a mission, its budget, and how it ended, once. Called inside transactions.
import { defined } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';
import type { MissionStatus, SpawnSource } from '#engine/wire/teams/team.ts';
import type { TeamService } from '#engine/wire/teams/team-operations.ts';
import type { Budget, Dimension } from '#engine/wire/teams/team-policy.ts';

export interface Mission {
  id: string;
  source: SpawnSource;
  /** The run that began it, its session, and the message that it answers: the same for a run that was begun again. */
  sessionID?: string | undefined;
  runID?: string | undefined;
  messageID?: string | undefined;
  /** The agent of that run. */
  agent?: string | undefined;
  /** Where that run was asked: the memory scope of every instance. */
  origin?: PromptOrigin | undefined;
  canAsk: boolean;
  budget: Budget;
  warnings: string[];
  status: MissionStatus;
  reason?: string | undefined;
  exhausted?: Dimension | undefined;
  createdAtMs: number;
  endedAtMs?: number | undefined;
}

interface Row {
  id: string;
  source: SpawnSource;
  session_id: string | null;
  run_id: string | null;
  message_id: string | null;
  agent: string | null;
  origin: string | null;
  can_ask: number;
  budget: string;
  warnings: string;
  status: MissionStatus;
  reason: string | null;
  exhausted: Dimension | null;
  created_at_ms: number;
  ended_at_ms: number | null;
}

export interface MissionRows {
  insert(mission: Mission): void;
  get(id: string): Mission | undefined;
  /** The mission of the run that answers this message, whichever time it is begun. */
  ofMessage(messageID: string): Mission | undefined;
  ofRun(runID: string): Mission | undefined;
  /** Newest first. */
  page(filter: Parameters<TeamService['missions']>[0], limit: number): Mission[];
  active(): Mission[];
  /** Makes it active again: under this run, where one is named. */
  resume(id: string, runID: string | undefined): void;
  /** False when it had ended before: the first end stays. */
  end(id: string, end: { status: Exclude<MissionStatus, 'active'>; reason: string; at: number }): boolean;
  /** False when that was noted before. */
  exhaust(id: string, dimension: Dimension): boolean;
  /** The missions of a session, with their instances. */
  removeSession(sessionID: string): void;
  /** Removes one mission with its instances. */
  remove(id: string): void;
}

/** Statements over the engine's open database. */
export function createMissionRows(database: Sqlite): MissionRows {
  const insert = database.prepare<Row>(
    `INSERT INTO team_missions (id, source, session_id, run_id, message_id, agent, origin, can_ask, budget, warnings,
       status, reason, exhausted, created_at_ms, ended_at_ms)
     VALUES (:id, :source, :session_id, :run_id, :message_id, :agent, :origin, :can_ask, :budget, :warnings,
       :status, :reason, :exhausted, :created_at_ms, :ended_at_ms)`,
  );
  const byID = database.prepare<[string], Row>('SELECT * FROM team_missions WHERE id = ?');
  const byMessage = database.prepare<[string], Row>('SELECT * FROM team_missions WHERE message_id = ?');
  const byRun = database.prepare<[string], Row>('SELECT * FROM team_missions WHERE run_id = ?');
  const active = database.prepare<[], Row>(
    "SELECT * FROM team_missions WHERE status = 'active' ORDER BY position",
  );
  const page = database.prepare<
    { id: string | null; session: string | null; run: string | null; status: string | null; limit: number },
    Row
  >(
    `SELECT * FROM team_missions WHERE (:id IS NULL OR id = :id) AND (:session IS NULL OR session_id = :session)
       AND (:run IS NULL OR run_id = :run) AND (:status IS NULL OR status = :status)
     ORDER BY position DESC LIMIT :limit`,
  );
  const resume = database.prepare<[string | null, string]>(
    `UPDATE team_missions SET status = 'active', reason = NULL, ended_at_ms = NULL, run_id = coalesce(?, run_id)
     WHERE id = ?`,
  );
  const end = database.prepare<[string, string, number, string]>(
    "UPDATE team_missions SET status = ?, reason = ?, ended_at_ms = ? WHERE id = ? AND status = 'active'",
  );
  const exhaust = database.prepare<[Dimension, string]>(
    'UPDATE team_missions SET exhausted = ? WHERE id = ? AND exhausted IS NULL',
  );
  const removeInstances = database.prepare<[string]>(
    'DELETE FROM team_instances WHERE mission_id IN (SELECT id FROM team_missions WHERE session_id = ?)',
  );
  const remove = database.prepare<[string]>('DELETE FROM team_missions WHERE session_id = ?');
  const removeInstancesOf = database.prepare<[string]>('DELETE FROM team_instances WHERE mission_id = ?');
  const removeOne = database.prepare<[string]>('DELETE FROM team_missions WHERE id = ?');
  const one = (row: Row | undefined): Mission | undefined => row && fromRow(row);
  return {
    insert(mission) {
      insert.run(toRow(mission));
    },
    get: (id) => one(byID.get(id)),
    ofMessage: (messageID) => one(byMessage.get(messageID)),
    ofRun: (runID) => one(byRun.get(runID)),
    page: ({ missionID, sessionID, runID, status }, limit) =>
      page
        .all({
          id: missionID ?? null,
          session: sessionID ?? null,
          run: runID ?? null,
          status: status ?? null,
          limit,
        })
        .map(fromRow),
    active: () => active.all().map(fromRow),
    resume(id, runID) {
      resume.run(runID ?? null, id);
    },
    end: (id, { status, reason, at }) => end.run(status, reason, at, id).changes === 1,
    exhaust: (id, dimension) => exhaust.run(dimension, id).changes === 1,
    remove(id) {
      removeInstancesOf.run(id);
      removeOne.run(id);
    },
    removeSession(sessionID) {
      removeInstances.run(sessionID);
      remove.run(sessionID);
    },
  };
}

function toRow(mission: Mission): Row {
  return {
    id: mission.id,
    source: mission.source,
    session_id: mission.sessionID ?? null,
    run_id: mission.runID ?? null,
    message_id: mission.messageID ?? null,
    agent: mission.agent ?? null,
    origin: mission.origin === undefined ? null : JSON.stringify(mission.origin),
    can_ask: Number(mission.canAsk),
    budget: JSON.stringify(mission.budget),
    warnings: JSON.stringify(mission.warnings),
    status: mission.status,
    reason: mission.reason ?? null,
    exhausted: mission.exhausted ?? null,
    created_at_ms: mission.createdAtMs,
    ended_at_ms: mission.endedAtMs ?? null,
  };
}

function fromRow(row: Row): Mission {
  return {
    id: row.id,
    source: row.source,
    canAsk: row.can_ask === 1,
    budget: JSON.parse(row.budget),
    warnings: JSON.parse(row.warnings),
    status: row.status,
    createdAtMs: row.created_at_ms,
    ...defined({
      sessionID: row.session_id ?? undefined,
      runID: row.run_id ?? undefined,
      messageID: row.message_id ?? undefined,
      agent: row.agent ?? undefined,
      origin: row.origin === null ? undefined : JSON.parse(row.origin),
      reason: row.reason ?? undefined,
      exhausted: row.exhausted ?? undefined,
      endedAtMs: row.ended_at_ms ?? undefined,
    }),
  };
}
