// The messages table: who said something when, and what its state is. What was written is in part-rows.ts.
import { defined } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { MessagePageQuery } from '#engine/wire/sessions/filters.ts';

interface MessageError {
  code: string;
  message: string;
  ref: string;
}

export interface Message {
  id: string;
  sessionID: string;
  /** Of an answer, the run that wrote it; of a user message, the run that it started first. */
  runID?: string | undefined;
  role: 'user' | 'assistant';
  speaker?: { id: string; name: string } | undefined;
  model?: { providerID: string; modelID: string } | undefined;
  error?: MessageError | undefined;
  createdAtMs: number;
  completedAtMs?: number | undefined;
  /** When a revert set it aside. */
  revertedAtMs?: number | undefined;
}

interface Row {
  id: string;
  session_id: string;
  run_id: string | null;
  role: 'user' | 'assistant';
  speaker: string | null;
  model: string | null;
  error: string | null;
  created_at_ms: number;
  completed_at_ms: number | null;
  reverted_at_ms: number | null;
  idempotency_key: string | null;
  request_hash: string | null;
}

/** The request that appended a message, so that a repeat finds it. */
interface AppendRequest {
  idempotencyKey?: string | undefined;
  requestHash: string;
}

/** Which of the messages that may be sent: those after one message, without another. */
interface Recent {
  after?: string | undefined;
  except?: string | undefined;
}

interface RecentParameters {
  session: string;
  after: string | null;
  except: string | null;
}

export interface MessageRows {
  insert(message: Message, request?: AppendRequest): void;
  /** The message that a request with this key appended, and the hash of that request. */
  ofKey(idempotencyKey: string): (Message & { requestHash: string }) | undefined;
  /** Ends a message; with an error it stays as the record of a failure, and of what was written before it. */
  complete(id: string, end: { atMs: number; error?: MessageError | undefined }): void;
  get(id: string): Message | undefined;
  /** Oldest first, those set aside included. */
  ofSession(sessionID: string): Message[];
  /** The newest that no revert set aside, or those before one of them, oldest first. */
  page(sessionID: string, page: MessagePageQuery): Message[];
  /** How many of a session no revert set aside. */
  count(sessionID: string): number;
  /** These messages, in no order. */
  ofIDs(ids: readonly string[]): Message[];
  /** The newest that may be sent to a model (nothing unfinished), oldest first, without `except`: their ids. */
  recent(sessionID: string, wanted: Recent & { limit: number }): string[];
  /** How many there are that `recent` could give. */
  countSendable(sessionID: string, wanted: Recent): number;
  /** Sets aside everything of the session but these. */
  keepOnly(sessionID: string, ids: readonly string[], now: number): void;
  /** With their parts, their snapshots, summaries and to-do lists too. */
  removeSession(sessionID: string): void;
}

const sendable = `session_id = :session AND completed_at_ms IS NOT NULL AND reverted_at_ms IS NULL
  AND id IS NOT :except AND position > coalesce((SELECT position FROM messages WHERE id = :after), 0)`;

/** Statements over the engine's open database. */
export function createMessageRows(database: Sqlite): MessageRows {
  const insert = database.prepare<Row>(
    `INSERT INTO messages (id, session_id, run_id, role, speaker, model, error, created_at_ms, completed_at_ms,
       reverted_at_ms, idempotency_key, request_hash)
     VALUES (:id, :session_id, :run_id, :role, :speaker, :model, :error, :created_at_ms, :completed_at_ms,
       :reverted_at_ms, :idempotency_key, :request_hash)`,
  );
  const byKey = database.prepare<[string], Row>('SELECT * FROM messages WHERE idempotency_key = ?');
  const complete = database.prepare<[number, string | null, string]>(
    'UPDATE messages SET completed_at_ms = ?, error = ? WHERE id = ?',
  );
  const get = database.prepare<[string], Row>('SELECT * FROM messages WHERE id = ?');
  const all = database.prepare<[string], Row>(
    'SELECT * FROM messages WHERE session_id = ? ORDER BY position',
  );
  const page = database.prepare<{ session: string; before: string | null; limit: number }, Row>(
    `SELECT * FROM messages WHERE session_id = :session AND reverted_at_ms IS NULL
       AND (:before IS NULL OR position < (SELECT position FROM messages WHERE id = :before))
     ORDER BY position DESC LIMIT :limit`,
  );
  const standing = database.prepare<[string], { n: number }>(
    'SELECT count(*) AS n FROM messages WHERE session_id = ? AND reverted_at_ms IS NULL',
  );
  const several = database.prepare<[string], Row>(
    'SELECT * FROM messages WHERE id IN (SELECT value FROM json_each(?))',
  );
  const recent = database
    .prepare<RecentParameters & { limit: number }, string>(
      `SELECT id FROM messages WHERE ${sendable} ORDER BY position DESC LIMIT :limit`,
    )
    .pluck();
  const count = database.prepare<RecentParameters, { n: number }>(
    `SELECT count(*) AS n FROM messages WHERE ${sendable}`,
  );
  const setAside = database.prepare<{ session: string; saved: string; now: number }>(
    `UPDATE messages SET reverted_at_ms = CASE WHEN id IN (SELECT value FROM json_each(:saved)) THEN NULL
       ELSE coalesce(reverted_at_ms, :now) END WHERE session_id = :session`,
  );
  const removals = [
    'DELETE FROM parts WHERE message_id IN (SELECT id FROM messages WHERE session_id = ?)',
    'DELETE FROM messages WHERE session_id = ?',
    'DELETE FROM session_snapshots WHERE session_id = ?',
    'DELETE FROM session_todos WHERE session_id = ?',
    'DELETE FROM session_summaries WHERE session_id = ?',
  ].map((sql) => database.prepare<[string]>(sql));
  return {
    insert(message, request) {
      insert.run(toRow(message, request));
    },
    ofKey(key) {
      const row = byKey.get(key);
      return row && { ...fromRow(row), requestHash: row.request_hash ?? '' };
    },
    complete(id, { atMs, error }) {
      complete.run(atMs, error === undefined ? null : JSON.stringify(error), id);
    },
    get(id) {
      const row = get.get(id);
      return row === undefined ? undefined : fromRow(row);
    },
    page: (session, { before = null, limit }) => page.all({ session, before, limit }).reverse().map(fromRow),
    count: (sessionID) => standing.get(sessionID)?.n ?? 0,
    ofSession: (sessionID) => all.all(sessionID).map(fromRow),
    ofIDs: (ids) => several.all(JSON.stringify(ids)).map(fromRow),
    recent: (sessionID, { limit, ...which }) =>
      recent.all({ ...parametersOf(sessionID, which), limit }).reverse(),
    countSendable: (sessionID, which) => count.get(parametersOf(sessionID, which))?.n ?? 0,
    keepOnly(sessionID, ids, now) {
      setAside.run({ session: sessionID, saved: JSON.stringify(ids), now });
    },
    removeSession(sessionID) {
      for (const removal of removals) removal.run(sessionID);
    },
  };
}

function parametersOf(session: string, { after, except }: Recent): RecentParameters {
  return { session, after: after ?? null, except: except ?? null };
}

function toRow(message: Message, request?: AppendRequest): Row {
  const json = (value: object | undefined): string | null =>
    value === undefined ? null : JSON.stringify(value);
  return {
    id: message.id,
    session_id: message.sessionID,
    run_id: message.runID ?? null,
    role: message.role,
    speaker: json(message.speaker),
    model: json(message.model),
    error: json(message.error),
    created_at_ms: message.createdAtMs,
    completed_at_ms: message.completedAtMs ?? null,
    reverted_at_ms: message.revertedAtMs ?? null,
    idempotency_key: request?.idempotencyKey ?? null,
    request_hash: request?.idempotencyKey === undefined ? null : request.requestHash,
  };
}

function fromRow(row: Row): Message {
  const value = (json: string | null) => (json === null ? undefined : JSON.parse(json));
  return {
    id: row.id,
    sessionID: row.session_id,
    role: row.role,
    createdAtMs: row.created_at_ms,
    ...defined({
      runID: row.run_id ?? undefined,
      speaker: value(row.speaker),
      model: value(row.model),
      error: value(row.error),
      completedAtMs: row.completed_at_ms ?? undefined,
      revertedAtMs: row.reverted_at_ms ?? undefined,
    }),
  };
}
