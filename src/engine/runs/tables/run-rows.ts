// The runs table. That a session has one running run at most, and a run one end, is a constraint here in SQL. Called inside transactions.
import { createLruCache } from '#base/caches/lru-cache.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';
import { createOutdatedAnswers } from './outdated-answers.ts';
import {
  type ArchiveStatus,
  type InsertRow,
  type NewRun,
  type RunEnd,
  type RunRow,
  runFromRow,
  runToRow,
  type StoredRun,
} from './run-row.ts';

export interface RunRows {
  /** The run as it stands then. */
  insert(run: NewRun): StoredRun;
  get(runID: string): StoredRun | undefined;
  /** Who asked, and where; undefined where no chat did. */
  originOf(runID: string): PromptOrigin | undefined;
  /** The newest run of the key. */
  ofKey(idempotencyKey: string): StoredRun | undefined;
  /** The ids of the assistant's messages of all runs of the key, oldest first. */
  answersOfKey(idempotencyKey: string): string[];
  running(sessionID: string): StoredRun | undefined;
  newest(sessionID: string): StoredRun | undefined;
  /** The id of the next run for the same message, which resumes this one. */
  resumedBy(runID: string): string | undefined;
  allRunning(): StoredRun[];
  /**
   * Ids of the interrupted runs that no chat and no mission began, in which a tool was called and that wait for nobody: the newest of their
   * sessions, that no revert set aside, with fewer than so many runs for their message; oldest first.
   */
  leftBehind(lives: number): string[];
  /** False when it had ended before: the first end stays. */
  end(runID: string, end: RunEnd): boolean;
  /** Notes the delivery; the first one stays. */
  deliver(runID: string, deliveredAtMs: number, nativeIDs: readonly string[]): void;
  /** Undefined for a run whose exchange is to be archived again. */
  setArchived(runID: string, archived: ArchiveStatus | undefined): void;
  /** Notes that memory must not store its answer; `archived` becomes undefined where its exchange is to be archived again. */
  setOutdated(runID: string, archived?: ArchiveStatus): void;
  /** The same for a run whose author has put other words in: these are stored also where they were forgotten before. */
  setReworded(runID: string): void;
  /** Takes its text out, and notes that its exchange is to be archived again. */
  dropText(runID: string): void;
  /** Runs that began at that time or later and have answered, with the raw lists of what they were shown; oldest first. */
  since(atMs: number): IterableIterator<LaterRun>;
  /** The passages of memory that these runs, which have ended, were shown, each once. */
  recalledIn(runIDs: readonly string[]): string[];
  /** Answers to words that were taken back which the run may have been shown, in its view or among what was just said there: their texts. */
  outdatedFor(run: Pick<StoredRun, 'seenRuns' | 'origin' | 'startedAtMs'>): string[];
  /** Delivered, but not archived and not skipped; oldest first. */
  toArchive(): StoredRun[];
  /** Another model took over. */
  setModel(runID: string, model: { providerID: string; modelID: string }): void;
  idsOf(sessionID: string): string[];
  /** Oldest first. */
  ofSession(sessionID: string): StoredRun[];
  /** The memories in which runs of the session write; null for one of an earlier version. */
  partitionsOf(sessionID: string): (string | null)[];
  removeSession(sessionID: string): void;
}

/** Characters of recalled passages that are kept, and what a run takes besides, in the same unit: some 2 MB at most. */
const maxCachedChars = 1_000_000;
const ofRun = 100;

function charsOf(passages: readonly string[]): number {
  return passages.reduce((sum, passage) => sum + passage.length, ofRun);
}

/** A run with what it wrote, as far as the words of another one may be in it. */
export interface LaterRun {
  runID: string;
  userMessageID: string;
  text: string;
  /** What it gave to tools, as JSON. */
  calls: string;
  /** Whose what was asked is; null where no chat asked. */
  audience: string | null;
  /** Lists as JSON. */
  seenRuns: string;
  recalled: string;
}

/** The passages that a run which has ended was shown. */
function createRecalledBy(database: Sqlite): (runID: string) => readonly string[] {
  const recalled = database.prepare<[string], string>('SELECT recalled FROM runs WHERE id = ?').pluck();
  const recalledCache = createLruCache<string, readonly string[]>(maxCachedChars, charsOf);
  return (runID) => {
    const known = recalledCache.get(runID);
    if (known !== undefined) return known;
    const passages: string[] = JSON.parse(recalled.get(runID) ?? '[]');
    recalledCache.set(runID, passages);
    return passages;
  };
}

/** Who asked for a run, and where, without all that it was shown. */
function createOriginOf(database: Sqlite): RunRows['originOf'] {
  const origin = database.prepare<[string], string | null>('SELECT origin FROM runs WHERE id = ?').pluck();
  return (runID) => JSON.parse(origin.get(runID) ?? 'null') ?? undefined;
}

/** The id of the next run for the message of a run. */
function createResumedBy(database: Sqlite): (runID: string) => string | undefined {
  const next = database
    .prepare<[string], string>(
      `SELECT later.id FROM runs JOIN runs AS later USING (session_id, user_message_id)
       WHERE runs.id = ? AND later.position > runs.position ORDER BY later.position LIMIT 1`,
    )
    .pluck();
  return (runID) => next.get(runID);
}

/** See `leftBehind`. */
function createLeftBehind(database: Sqlite): RunRows['leftBehind'] {
  const left = database
    .prepare<[number], string>(
      `SELECT id FROM runs WHERE status = 'interrupted' AND origin IS NULL
         AND position = (SELECT max(position) FROM runs AS newest WHERE newest.session_id = runs.session_id)
         AND EXISTS (SELECT 1 FROM messages JOIN parts ON parts.message_id = messages.id
           WHERE messages.id = runs.assistant_message_id AND reverted_at_ms IS NULL AND parts.type = 'tool')
         AND NOT EXISTS (SELECT 1 FROM requests
           WHERE state = 'pending' AND (requests.user_message_id = runs.user_message_id OR shown_run_id = runs.id))
         AND NOT EXISTS (SELECT 1 FROM team_instances WHERE team_instances.session_id = runs.session_id)
         AND (SELECT count(*) FROM runs AS life
           WHERE life.session_id = runs.session_id AND life.user_message_id = runs.user_message_id) < ?
       ORDER BY position`,
    )
    .pluck();
  return (lives) => left.all(lives);
}

/** Statements over a database with the schemas of run-schema.ts. */
export function createRunRows(database: Sqlite): RunRows {
  const insert = database.prepare<InsertRow, RunRow>(
    `INSERT INTO runs (id, session_id, user_message_id, assistant_message_id, idempotency_key, status, origin, started_at_ms,
       agent, provider_id, model_id, can_ask, tool_allowlist, settings, request_hash,
       memory_partition)
     VALUES (:id, :session_id, :user_message_id, :assistant_message_id, :idempotency_key, 'running', :origin,
       :started_at_ms, :agent, :provider_id, :model_id, :can_ask, :tool_allowlist, :settings, :request_hash,
       :memory_partition) RETURNING *`,
  );
  const byID = database.prepare<[string], RunRow>('SELECT * FROM runs WHERE id = ?');
  const byKey = database.prepare<[string], RunRow>(
    'SELECT * FROM runs WHERE idempotency_key = ? ORDER BY position DESC LIMIT 1',
  );
  const answersOfKey = database
    .prepare<[string], string>(
      'SELECT assistant_message_id FROM runs WHERE idempotency_key = ? ORDER BY position',
    )
    .pluck();
  const running = database.prepare<[string], RunRow>(
    "SELECT * FROM runs WHERE session_id = ? AND status = 'running'",
  );
  const allRunning = database.prepare<[], RunRow>(
    // the plus keeps SQLite from reading every run that ever was, in their order, instead of the index of these few
    "SELECT * FROM runs WHERE status = 'running' ORDER BY +position",
  );
  const end = database.prepare<
    [string, number, string, string | null, string | null, string, string, string | null, string]
  >(
    `UPDATE runs SET status = ?, finished_at_ms = ?, text = ?, failure = ?, notices = ?, recalled = ?, seen_runs = ?, given = ?
     WHERE id = ? AND status = 'running'`,
  );
  const deliver = database.prepare<[number, string, string]>(
    'UPDATE runs SET delivered_at_ms = ?, native_ids = ? WHERE id = ? AND delivered_at_ms IS NULL',
  );
  const archive = database.prepare<[ArchiveStatus | null, string]>(
    'UPDATE runs SET archived = ?, reworded = 0 WHERE id = ?',
  );
  const dropText = database.prepare<[string]>("UPDATE runs SET text = '', archived = NULL WHERE id = ?");
  const since = database.prepare<[number], LaterRun>(
    `SELECT id AS runID, user_message_id AS userMessageID, text, seen_runs AS seenRuns, recalled,
       json_extract(origin, '$.audience') AS audience,
       coalesce((SELECT group_concat(args, ' ') FROM parts
         WHERE message_id = runs.assistant_message_id AND type = 'tool'), '') AS calls
     FROM runs WHERE started_at_ms >= ? AND status = 'completed'
     ORDER BY position`,
  );
  const outdated = createOutdatedAnswers(database);
  const recalledBy = createRecalledBy(database);
  const toArchive = database.prepare<[], RunRow>(
    'SELECT * FROM runs WHERE delivered_at_ms IS NOT NULL AND archived IS NULL ORDER BY position',
  );
  const newest = database.prepare<[string], RunRow>(
    'SELECT * FROM runs WHERE session_id = ? ORDER BY position DESC LIMIT 1',
  );
  const setModel = database.prepare<[string, string, string]>(
    'UPDATE runs SET provider_id = ?, model_id = ? WHERE id = ?',
  );
  const idsOf = database.prepare<[string], { id: string }>('SELECT id FROM runs WHERE session_id = ?');
  const ofSession = database.prepare<[string], RunRow>(
    'SELECT * FROM runs WHERE session_id = ? ORDER BY position',
  );
  const partitionsOf = database
    .prepare<[string], string | null>(
      'SELECT DISTINCT memory_partition FROM runs INDEXED BY runs_by_partition WHERE session_id = ?',
    )
    .pluck();
  const removeSession = database.prepare<[string]>('DELETE FROM runs WHERE session_id = ?');
  const one = (row: RunRow | undefined): StoredRun | undefined =>
    row === undefined ? undefined : runFromRow(row);
  return {
    insert(run) {
      const row = insert.get(runToRow(run));
      if (row === undefined) throw new Error(`run ${run.runID} was inserted and is not there`);
      return runFromRow(row);
    },
    get: (runID) => one(byID.get(runID)),
    originOf: createOriginOf(database),
    ofKey: (key) => one(byKey.get(key)),
    answersOfKey: (key) => answersOfKey.all(key),
    running: (sessionID) => one(running.get(sessionID)),
    newest: (sessionID) => one(newest.get(sessionID)),
    resumedBy: createResumedBy(database),
    allRunning: () => allRunning.all().map(runFromRow),
    leftBehind: createLeftBehind(database),
    end(runID, { status, finishedAtMs, text, failure, notices = [], ...shown }) {
      const failed = failure === undefined ? null : JSON.stringify(failure);
      const [recalled, seenRuns] = [JSON.stringify(shown.recalled), JSON.stringify(shown.seenRuns)];
      const given = shown.given === undefined ? null : JSON.stringify(shown.given);
      const said = notices.length === 0 ? null : JSON.stringify(notices);
      return (
        end.run(status, finishedAtMs, text, failed, said, recalled, seenRuns, given, runID).changes === 1
      );
    },
    deliver(runID, deliveredAtMs, nativeIDs) {
      deliver.run(deliveredAtMs, JSON.stringify(nativeIDs), runID);
    },
    setArchived: (runID, archived) => void archive.run(archived ?? null, runID),
    setOutdated: outdated.mark,
    setReworded: outdated.reword,
    dropText: (runID) => void dropText.run(runID),
    outdatedFor: outdated.for,
    since: (atMs) => since.iterate(atMs),
    recalledIn: (runIDs) => [...new Set(runIDs.flatMap(recalledBy))],
    toArchive: () => toArchive.all().map(runFromRow),
    setModel: (runID, { providerID, modelID }) => void setModel.run(providerID, modelID, runID),
    idsOf: (sessionID) => idsOf.all(sessionID).map(({ id }) => id),
    ofSession: (sessionID) => ofSession.all(sessionID).map(runFromRow),
    partitionsOf: (sessionID) => partitionsOf.all(sessionID),
    removeSession: (sessionID) => void removeSession.run(sessionID),
  };
}
