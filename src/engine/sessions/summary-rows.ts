// The summaries of the older part of conversations; the newest that still holds counts. Called inside transactions.
import { defined } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { SessionSummary } from '#engine/wire/sessions/summary.ts';

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

/** Statements over the engine's open database. */
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
