// The runs table. That a session has one running run at most, and a run one end, is stated here in SQL. Called inside transactions.
import { defined } from '#base/json.ts';
import { createLruCache } from '#base/lru-cache.ts';
import type { Sqlite } from '#base/sqlite.ts';
import { openSession } from '#engine/sessions/session-filter.ts';
import type { Run } from '#engine/wire/contract.ts';
import type { Page } from '#engine/wire/filters.ts';
import type { PromptOrigin, RunSettings } from '#engine/wire/prompt.ts';
import type { RunFilter } from '#engine/wire/service.ts';

export type ArchiveStatus = 'stored' | 'duplicate' | 'nothing to store' | 'skipped';

export interface StoredRun extends Run {
  userMessageID: string;
  assistantMessageID: string;
  idempotencyKey?: string | undefined;
  origin?: PromptOrigin | undefined;
  /** Passages of memory that the model was shown. */
  recalled: string[];
  /** Runs whose answers it was shown: what those had recalled may be in them. */
  seenRuns: string[];
  deliveredAtMs?: number | undefined;
  /** The platform's ids of the parts that were delivered. */
  nativeIDs?: string[] | undefined;
  archived?: ArchiveStatus | undefined;
  /** Whether the person can be asked while it works. */
  canAsk: boolean;
  /** Names or patterns; all tools of the agent when absent. */
  toolAllowlist?: string[] | undefined;
  settings?: RunSettings | undefined;
  /** Of the request that its key represents; absent where the same key may come with other words (a gateway's). */
  requestHash?: string | undefined;
}

export interface NewRun {
  runID: string;
  sessionID: string;
  userMessageID: string;
  assistantMessageID: string;
  idempotencyKey?: string | undefined;
  origin?: PromptOrigin | undefined;
  canAsk: boolean;
  toolAllowlist?: readonly string[] | undefined;
  settings?: RunSettings | undefined;
  requestHash?: string | undefined;
  agent?: string | undefined;
  model: { providerID: string; modelID: string };
  startedAtMs: number;
}

export interface RunEnd {
  status: Exclude<Run['status'], 'running'>;
  finishedAtMs: number;
  text: string;
  failure?: Run['failure'];
  recalled: readonly string[];
  seenRuns: readonly string[];
}

interface Row {
  id: string;
  session_id: string;
  user_message_id: string;
  assistant_message_id: string;
  idempotency_key: string | null;
  status: Run['status'];
  origin: string | null;
  text: string;
  failure: string | null;
  recalled: string;
  seen_runs: string;
  started_at_ms: number;
  finished_at_ms: number | null;
  delivered_at_ms: number | null;
  native_ids: string | null;
  archived: ArchiveStatus | null;
  agent: string | null;
  provider_id: string | null;
  model_id: string | null;
  can_ask: number;
  tool_allowlist: string | null;
  settings: string | null;
  request_hash: string | null;
}

interface FilterParameters {
  session: string | null;
  status: string | null;
  open: number | null;
}

type InsertRow = Omit<
  Row,
  | 'status'
  | 'text'
  | 'failure'
  | 'recalled'
  | 'seen_runs'
  | 'finished_at_ms'
  | 'delivered_at_ms'
  | 'native_ids'
  | 'archived'
>;

export interface RunRows {
  insert(run: NewRun): void;
  get(runID: string): StoredRun | undefined;
  /** The newest run of the key. */
  ofKey(idempotencyKey: string): StoredRun | undefined;
  /** The ids of the assistant's messages of all runs of the key, oldest first. */
  answersOfKey(idempotencyKey: string): string[];
  running(sessionID: string): StoredRun | undefined;
  newest(sessionID: string): StoredRun | undefined;
  allRunning(): StoredRun[];
  /** False when it had ended before: the first end stays. */
  end(runID: string, end: RunEnd): boolean;
  /** Notes the delivery; the first one stays. */
  deliver(runID: string, deliveredAtMs: number, nativeIDs: readonly string[]): void;
  /** Undefined for a run whose exchange is to be archived again. */
  setArchived(runID: string, archived: ArchiveStatus | undefined): void;
  /** The passages of memory that these runs, which have ended, were shown, each once. */
  recalledIn(runIDs: readonly string[]): string[];
  /** Delivered, but not archived and not skipped; oldest first. */
  toArchive(): StoredRun[];
  /** Newest first. */
  page(filter: RunFilter, page: Page): StoredRun[];
  count(filter: RunFilter): number;
  /** Another model took over. */
  setModel(runID: string, model: { providerID: string; modelID: string }): void;
  idsOf(sessionID: string): string[];
  /** Oldest first. */
  ofSession(sessionID: string): StoredRun[];
  removeSession(sessionID: string): void;
}

/** Characters of recalled passages that are stored, and what a run takes also, in the same measure: some 2 MB at most. */
const maxKeptChars = 1_000_000;
const ofRun = 100;

function charsOf(passages: readonly string[]): number {
  return passages.reduce((sum, passage) => sum + passage.length, ofRun);
}

/** Statements over a database with the schemas of run-schema.ts. */
export function createRunRows(database: Sqlite): RunRows {
  const insert = database.prepare<InsertRow>(
    `INSERT INTO runs (id, session_id, user_message_id, assistant_message_id, idempotency_key, status, origin, started_at_ms,
       agent, provider_id, model_id, can_ask, tool_allowlist, settings, request_hash)
     VALUES (:id, :session_id, :user_message_id, :assistant_message_id, :idempotency_key, 'running', :origin,
       :started_at_ms, :agent, :provider_id, :model_id, :can_ask, :tool_allowlist, :settings, :request_hash)`,
  );
  const byID = database.prepare<[string], Row>('SELECT * FROM runs WHERE id = ?');
  const byKey = database.prepare<[string], Row>(
    'SELECT * FROM runs WHERE idempotency_key = ? ORDER BY position DESC LIMIT 1',
  );
  const answersOfKey = database
    .prepare<[string], string>(
      'SELECT assistant_message_id FROM runs WHERE idempotency_key = ? ORDER BY position',
    )
    .pluck();
  const running = database.prepare<[string], Row>(
    "SELECT * FROM runs WHERE session_id = ? AND status = 'running'",
  );
  const allRunning = database.prepare<[], Row>(
    // the plus holds SQLite from reading every run that ever was, in their order, instead of the index of these few
    "SELECT * FROM runs WHERE status = 'running' ORDER BY +position",
  );
  const end = database.prepare<[string, number, string, string | null, string, string, string]>(
    `UPDATE runs SET status = ?, finished_at_ms = ?, text = ?, failure = ?, recalled = ?, seen_runs = ?
     WHERE id = ? AND status = 'running'`,
  );
  const deliver = database.prepare<[number, string, string]>(
    'UPDATE runs SET delivered_at_ms = ?, native_ids = ? WHERE id = ? AND delivered_at_ms IS NULL',
  );
  const archive = database.prepare<[ArchiveStatus | null, string]>(
    'UPDATE runs SET archived = ? WHERE id = ?',
  );
  const recalled = database.prepare<[string], string>('SELECT recalled FROM runs WHERE id = ?').pluck();
  const keptRecalled = createLruCache<string, readonly string[]>(maxKeptChars, charsOf);
  /** A run that has ended was shown what it was shown. */
  const recalledBy = (runID: string): readonly string[] => {
    const known = keptRecalled.get(runID);
    if (known !== undefined) return known;
    const passages: string[] = JSON.parse(recalled.get(runID) ?? '[]');
    keptRecalled.set(runID, passages);
    return passages;
  };
  const toArchive = database.prepare<[], Row>(
    'SELECT * FROM runs WHERE delivered_at_ms IS NOT NULL AND archived IS NULL ORDER BY position',
  );
  const matching = `(:session IS NULL OR session_id = :session) AND (:status IS NULL OR status = :status)
    AND (:open IS NULL OR ${openSession('runs.session_id')})`;
  const page = database.prepare<FilterParameters & Page, Row>(
    `SELECT * FROM runs WHERE ${matching} ORDER BY position DESC LIMIT :limit OFFSET :offset`,
  );
  const count = database.prepare<FilterParameters, { n: number }>(
    `SELECT count(*) AS n FROM runs WHERE ${matching}`,
  );
  const setModel = database.prepare<[string, string, string]>(
    'UPDATE runs SET provider_id = ?, model_id = ? WHERE id = ?',
  );
  const idsOf = database.prepare<[string], { id: string }>('SELECT id FROM runs WHERE session_id = ?');
  const ofSession = database.prepare<[string], Row>(
    'SELECT * FROM runs WHERE session_id = ? ORDER BY position',
  );
  const removeSession = database.prepare<[string]>('DELETE FROM runs WHERE session_id = ?');
  const parametersOf = ({ sessionID, status, open }: RunFilter): FilterParameters => ({
    session: sessionID ?? null,
    status: status ?? null,
    open: open === undefined ? null : 1,
  });
  const one = (row: Row | undefined): StoredRun | undefined => (row === undefined ? undefined : fromRow(row));
  return {
    insert(run) {
      insert.run(toRow(run));
    },
    get: (runID) => one(byID.get(runID)),
    ofKey: (key) => one(byKey.get(key)),
    answersOfKey: (key) => answersOfKey.all(key),
    running: (sessionID) => one(running.get(sessionID)),
    newest: (sessionID) =>
      one(page.get({ session: sessionID, status: null, open: null, limit: 1, offset: 0 })),
    allRunning: () => allRunning.all().map(fromRow),
    end(runID, { status, finishedAtMs, text, failure, ...shown }) {
      const failed = failure === undefined ? null : JSON.stringify(failure);
      const [recalled, seenRuns] = [JSON.stringify(shown.recalled), JSON.stringify(shown.seenRuns)];
      return end.run(status, finishedAtMs, text, failed, recalled, seenRuns, runID).changes === 1;
    },
    deliver(runID, deliveredAtMs, nativeIDs) {
      deliver.run(deliveredAtMs, JSON.stringify(nativeIDs), runID);
    },
    setArchived(runID, archived) {
      archive.run(archived ?? null, runID);
    },
    recalledIn: (runIDs) => [...new Set(runIDs.flatMap(recalledBy))],
    toArchive: () => toArchive.all().map(fromRow),
    page: (filter, wanted) => page.all({ ...parametersOf(filter), ...wanted }).map(fromRow),
    count: (filter) => count.get(parametersOf(filter))?.n ?? 0,
    setModel(runID, { providerID, modelID }) {
      setModel.run(providerID, modelID, runID);
    },
    idsOf: (sessionID) => idsOf.all(sessionID).map(({ id }) => id),
    ofSession: (sessionID) => ofSession.all(sessionID).map(fromRow),
    removeSession(sessionID) {
      removeSession.run(sessionID);
    },
  };
}

function toRow(run: NewRun): InsertRow {
  return {
    id: run.runID,
    session_id: run.sessionID,
    user_message_id: run.userMessageID,
    assistant_message_id: run.assistantMessageID,
    idempotency_key: run.idempotencyKey ?? null,
    origin: run.origin === undefined ? null : JSON.stringify(run.origin),
    started_at_ms: run.startedAtMs,
    agent: run.agent ?? null,
    provider_id: run.model.providerID,
    model_id: run.model.modelID,
    can_ask: Number(run.canAsk),
    tool_allowlist: run.toolAllowlist === undefined ? null : JSON.stringify(run.toolAllowlist),
    settings: run.settings === undefined ? null : JSON.stringify(run.settings),
    request_hash: run.requestHash ?? null,
  };
}

function fromRow(row: Row): StoredRun {
  return {
    runID: row.id,
    sessionID: row.session_id,
    userMessageID: row.user_message_id,
    assistantMessageID: row.assistant_message_id,
    status: row.status,
    startedAtMs: row.started_at_ms,
    text: row.text,
    recalled: JSON.parse(row.recalled),
    seenRuns: JSON.parse(row.seen_runs),
    canAsk: row.can_ask === 1,
    ...defined({
      toolAllowlist: row.tool_allowlist === null ? undefined : JSON.parse(row.tool_allowlist),
      settings: row.settings === null ? undefined : JSON.parse(row.settings),
      requestHash: row.request_hash ?? undefined,
      idempotencyKey: row.idempotency_key ?? undefined,
      origin: row.origin === null ? undefined : JSON.parse(row.origin),
      failure: row.failure === null ? undefined : JSON.parse(row.failure),
      finishedAtMs: row.finished_at_ms ?? undefined,
      deliveredAtMs: row.delivered_at_ms ?? undefined,
      nativeIDs: row.native_ids === null ? undefined : JSON.parse(row.native_ids),
      archived: row.archived ?? undefined,
      agent: row.agent ?? undefined,
      model:
        row.provider_id === null || row.model_id === null
          ? undefined
          : { providerID: row.provider_id, modelID: row.model_id },
    }),
  };
}
