// The instances table: who was started with which rights and budget, and how it ended, once. Called inside transactions.
import { defined } from '#base/json.ts';
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { InstanceStatus, SpawnSource } from '#engine/wire/teams/team.ts';
import type { Budget, Dimension, Spent, TeamRole } from '#engine/wire/teams/team-policy.ts';

/** How an instance answers: what its template and its parent's rights came to when it was started. */
interface InstanceProfile {
  systemPrompt: string;
  model?: { providerID: string; modelID: string } | undefined;
  /** Full names; it has these tools and no other. */
  tools: string[];
  memory: 'full' | 'recall' | 'off';
  /** The agent whose own memory it reads and writes; absent: what all agents share. */
  partition?: string | undefined;
  /** The skills whose files it may read. */
  skills: { id: string; folder: string; files: string[] }[];
}

export interface Instance {
  id: string;
  missionID: string;
  parentID?: string | undefined;
  /** 1 for what the run that began the mission has started. */
  depth: number;
  idempotencyKey: string;
  requestHash: string;
  source: SpawnSource;
  templateID: string;
  displayName: string;
  role: TeamRole;
  task: string;
  justification?: string | undefined;
  profile: InstanceProfile;
  skillHash?: string | undefined;
  sessionID: string;
  runID?: string | undefined;
  granted: Budget;
  spent: Spent;
  /** Whether something says what its tokens cost. */
  isPriced: boolean;
  status: InstanceStatus;
  /** It is to be cancelled: what it still says is not passed on. */
  stopping: boolean;
  discarded: boolean;
  exhausted?: Dimension | undefined;
  error?: string | undefined;
  createdAtMs: number;
  endedAtMs?: number | undefined;
}

interface Row {
  id: string;
  mission_id: string;
  parent_id: string | null;
  depth: number;
  idempotency_key: string;
  request_hash: string;
  source: SpawnSource;
  template_id: string;
  display_name: string;
  role: TeamRole;
  task: string;
  justification: string | null;
  profile: string;
  skill_hash: string | null;
  session_id: string;
  run_id: string | null;
  granted: string;
  spent: string;
  priced: number;
  status: InstanceStatus;
  stopping: number;
  discarded: number;
  exhausted: Dimension | null;
  error: string | null;
  created_at_ms: number;
  ended_at_ms: number | null;
}

interface InstanceEnd {
  status: Exclude<InstanceStatus, 'queued' | 'running'>;
  discarded: boolean;
  error?: string | undefined;
  at: number;
}

export interface InstanceRows {
  insert(instance: Instance): void;
  get(id: string): Instance | undefined;
  ofKey(idempotencyKey: string): Instance | undefined;
  ofSession(sessionID: string): Instance | undefined;
  /** In the order in which they were started. */
  ofMission(missionID: string): Instance[];
  open(): Instance[];
  started(id: string, runID: string): void;
  /** It is to run again, with what it is granted now. */
  reopen(id: string, granted: Budget): void;
  spend(id: string, spent: Spent): void;
  /** False when that was noted before. */
  exhaust(id: string, dimension: Dimension): boolean;
  stop(id: string): void;
  /** False when it had ended before: the first end stays. */
  end(id: string, end: InstanceEnd): boolean;
}

/** Statements over the engine's open database. */
export function createInstanceRows(database: Sqlite): InstanceRows {
  const insert = database.prepare<Row>(
    `INSERT INTO team_instances (id, mission_id, parent_id, depth, idempotency_key, request_hash, source, template_id,
       display_name, role, task, justification, profile, skill_hash, session_id, run_id, granted, spent, priced, status,
       stopping, discarded, exhausted, error, created_at_ms, ended_at_ms)
     VALUES (:id, :mission_id, :parent_id, :depth, :idempotency_key, :request_hash, :source, :template_id,
       :display_name, :role, :task, :justification, :profile, :skill_hash, :session_id, :run_id, :granted, :spent, :priced,
       :status, :stopping, :discarded, :exhausted, :error, :created_at_ms, :ended_at_ms)`,
  );
  const by = (column: string) =>
    database.prepare<[string], Row>(`SELECT * FROM team_instances WHERE ${column} = ?`);
  const [byID, byKey, bySession] = [by('id'), by('idempotency_key'), by('session_id')];
  const ofMission = database.prepare<[string], Row>(
    'SELECT * FROM team_instances WHERE mission_id = ? ORDER BY position',
  );
  const open = database.prepare<[], Row>(
    "SELECT * FROM team_instances WHERE status IN ('queued', 'running') ORDER BY position",
  );
  const started = database.prepare<[string, string]>(
    "UPDATE team_instances SET status = 'running', run_id = ? WHERE id = ? AND status IN ('queued', 'running')",
  );
  const reopen = database.prepare<[string, string]>(
    `UPDATE team_instances SET status = 'queued', granted = ?, ended_at_ms = NULL, error = NULL, stopping = 0
     WHERE id = ? AND status = 'interrupted'`,
  );
  const spend = database.prepare<[string, string]>('UPDATE team_instances SET spent = ? WHERE id = ?');
  const exhaust = database.prepare<[Dimension, string]>(
    'UPDATE team_instances SET exhausted = ? WHERE id = ? AND exhausted IS NULL',
  );
  const stop = database.prepare<[string]>('UPDATE team_instances SET stopping = 1 WHERE id = ?');
  const end = database.prepare<[string, number, string | null, number, string]>(
    `UPDATE team_instances SET status = ?, discarded = ?, error = ?, ended_at_ms = ?
     WHERE id = ? AND status IN ('queued', 'running')`,
  );
  const some = createRareRows(database, 'team_instances WHERE position > 0');
  const one = (row: Row | undefined): Instance | undefined => row && fromRow(row);
  return {
    insert(instance) {
      some.written();
      insert.run(toRow(instance));
    },
    get: (id) => one(byID.get(id)),
    ofKey: (key) => one(byKey.get(key)),
    ofSession: (sessionID) => (some.exist() ? one(bySession.get(sessionID)) : undefined),
    ofMission: (missionID) => ofMission.all(missionID).map(fromRow),
    open: () => open.all().map(fromRow),
    started(id, runID) {
      started.run(runID, id);
    },
    reopen(id, granted) {
      reopen.run(JSON.stringify(granted), id);
    },
    spend(id, spent) {
      spend.run(JSON.stringify(spent), id);
    },
    exhaust: (id, dimension) => exhaust.run(dimension, id).changes === 1,
    stop(id) {
      stop.run(id);
    },
    end: (id, { status, discarded, error, at }) =>
      end.run(status, Number(discarded), error ?? null, at, id).changes === 1,
  };
}

function toRow(instance: Instance): Row {
  return {
    id: instance.id,
    mission_id: instance.missionID,
    parent_id: instance.parentID ?? null,
    depth: instance.depth,
    idempotency_key: instance.idempotencyKey,
    request_hash: instance.requestHash,
    source: instance.source,
    template_id: instance.templateID,
    display_name: instance.displayName,
    role: instance.role,
    task: instance.task,
    justification: instance.justification ?? null,
    profile: JSON.stringify(instance.profile),
    skill_hash: instance.skillHash ?? null,
    session_id: instance.sessionID,
    run_id: instance.runID ?? null,
    granted: JSON.stringify(instance.granted),
    spent: JSON.stringify(instance.spent),
    priced: Number(instance.isPriced),
    status: instance.status,
    stopping: Number(instance.stopping),
    discarded: Number(instance.discarded),
    exhausted: instance.exhausted ?? null,
    error: instance.error ?? null,
    created_at_ms: instance.createdAtMs,
    ended_at_ms: instance.endedAtMs ?? null,
  };
}

function fromRow(row: Row): Instance {
  return {
    id: row.id,
    missionID: row.mission_id,
    depth: row.depth,
    idempotencyKey: row.idempotency_key,
    requestHash: row.request_hash,
    source: row.source,
    templateID: row.template_id,
    displayName: row.display_name,
    role: row.role,
    task: row.task,
    profile: JSON.parse(row.profile),
    sessionID: row.session_id,
    granted: JSON.parse(row.granted),
    spent: JSON.parse(row.spent),
    isPriced: row.priced === 1,
    status: row.status,
    stopping: row.stopping === 1,
    discarded: row.discarded === 1,
    createdAtMs: row.created_at_ms,
    ...defined({
      parentID: row.parent_id ?? undefined,
      justification: row.justification ?? undefined,
      skillHash: row.skill_hash ?? undefined,
      runID: row.run_id ?? undefined,
      exhausted: row.exhausted ?? undefined,
      error: row.error ?? undefined,
      endedAtMs: row.ended_at_ms ?? undefined,
    }),
  };
}

/** Whether it runs, or is about to. */
export function isOpen({ status }: Pick<Instance, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}
