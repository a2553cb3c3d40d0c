// The summaries of the older part of conversations; the newest that still holds counts. Called inside transactions.
import { defined } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { SessionSummary } from '#engine/wire/sessions/summary.ts';

export const summarySchema = `
  CREATE TABLE session_summaries (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES sessions (id),
    last_message_id TEXT NOT NULL,
    text TEXT NOT NULL,
    messages INTEGER NOT NULL,
    unseen INTEGER NOT NULL,
    run_ids TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    model_id TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX session_summaries_by_session ON session_summaries (session_id, position);
`;

export const summaryKeySchema = `
  ALTER TABLE session_summaries ADD COLUMN idempotency_key TEXT;
  CREATE UNIQUE INDEX session_summaries_by_key ON session_summaries (idempotency_key) WHERE idempotency_key IS NOT NULL;
`;

/** How far a summary reaches, as the position of its last message, so that the furthest is found without looking at the others. */
export const summaryReachSchema = `
  ALTER TABLE session_summaries ADD COLUMN last_position INTEGER NOT NULL DEFAULT 0;
  UPDATE session_summaries SET last_position = coalesce((SELECT position FROM messages WHERE id = last_message_id), 0);
  DROP INDEX session_summaries_by_session;
  CREATE INDEX session_summaries_by_reach ON session_summaries (session_id, last_position, position);
`;

/** The column had another name in the version before. */
export const summaryNameSchema = 'ALTER TABLE session_summaries RENAME COLUMN unseen TO omitted_messages;';

export interface StoredSummary extends SessionSummary {
  /** The newest runs whose answers it covers. */
  runIDs: string[];
  /** Of the request that it was made for. */
  idempotencyKey?: string | undefined;
}

interface Row {
  session_id: string;
  last_message_id: string;
  text: string;
  messages: number;
  omitted_messages: number;
  run_ids: string;
  provider_id: string;
  model_id: string;
  created_at_ms: number;
  idempotency_key: string | null;
}

export interface SummaryRows {
  insert(summary: StoredSummary): void;
  /** The one that reaches furthest; one whose last message a revert has set aside does not hold. */
  newest(sessionID: string): StoredSummary | undefined;
  /** Removes those that hold what this message said. */
  removeFrom(sessionID: string, messageID: string): void;
  /** The one that was made under the key, in whatever session. */
  ofKey(idempotencyKey: string): StoredSummary | undefined;
}

/** Statements over a database with `summarySchema`. */
export function createSummaryRows(database: Sqlite): SummaryRows {
  const insert = database.prepare<Row>(
    `INSERT INTO session_summaries (session_id, last_message_id, text, messages, omitted_messages, run_ids, provider_id, model_id,
       created_at_ms, idempotency_key, last_position)
     VALUES (:session_id, :last_message_id, :text, :messages, :omitted_messages, :run_ids, :provider_id, :model_id, :created_at_ms,
       :idempotency_key, coalesce((SELECT position FROM messages WHERE id = :last_message_id), 0))`,
  );
  const newest = database.prepare<[string], Row>(
    `SELECT * FROM session_summaries
     WHERE session_id = ? AND EXISTS (SELECT 1 FROM messages WHERE id = last_message_id AND reverted_at_ms IS NULL)
     ORDER BY last_position DESC, position DESC LIMIT 1`,
  );
  const removeFrom = database.prepare<[string, string]>(
    'DELETE FROM session_summaries WHERE session_id = ? AND last_position >= (SELECT position FROM messages WHERE id = ?)',
  );
  const byKey = database.prepare<[string], Row>('SELECT * FROM session_summaries WHERE idempotency_key = ?');
  return {
    insert(summary) {
      insert.run({
        session_id: summary.sessionID,
        last_message_id: summary.lastMessageID,
        text: summary.text,
        messages: summary.messages,
        omitted_messages: summary.unseen,
        run_ids: JSON.stringify(summary.runIDs),
        provider_id: summary.model.providerID,
        model_id: summary.model.modelID,
        created_at_ms: summary.createdAtMs,
        idempotency_key: summary.idempotencyKey ?? null,
      });
    },
    removeFrom: (sessionID, messageID) => void removeFrom.run(sessionID, messageID),
    ofKey(idempotencyKey) {
      const row = byKey.get(idempotencyKey);
      return row && fromRow(row);
    },
    newest(sessionID) {
      const row = newest.get(sessionID);
      return row && fromRow(row);
    },
  };
}

function fromRow(row: Row): StoredSummary {
  return {
    sessionID: row.session_id,
    lastMessageID: row.last_message_id,
    text: row.text,
    messages: row.messages,
    unseen: row.omitted_messages,
    runIDs: JSON.parse(row.run_ids),
    model: { providerID: row.provider_id, modelID: row.model_id },
    createdAtMs: row.created_at_ms,
    ...defined({ idempotencyKey: row.idempotency_key ?? undefined }),
  };
}
