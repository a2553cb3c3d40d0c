// The runs table as it came to be: each change appended, none edited once shipped. Statements are in run-rows.ts.

export const runSchema = `
  CREATE TABLE runs (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES sessions (id),
    user_message_id TEXT NOT NULL REFERENCES messages (id),
    assistant_message_id TEXT NOT NULL REFERENCES messages (id),
    idempotency_key TEXT,
    status TEXT NOT NULL
      CHECK (status IN ('running', 'completed', 'error', 'timeout', 'cancelled', 'interrupted')),
    origin TEXT,
    text TEXT NOT NULL DEFAULT '',
    failure TEXT,
    recalled TEXT NOT NULL DEFAULT '[]',
    started_at_ms INTEGER NOT NULL,
    finished_at_ms INTEGER,
    delivered_at_ms INTEGER,
    native_ids TEXT,
    archived TEXT CHECK (archived IN ('stored', 'duplicate', 'nothing to store', 'skipped'))
  ) STRICT;
  CREATE UNIQUE INDEX runs_one_running ON runs (session_id) WHERE status = 'running';
  CREATE UNIQUE INDEX runs_one_of_key ON runs (idempotency_key) WHERE status <> 'interrupted';
  CREATE INDEX runs_by_key ON runs (idempotency_key, position);
  CREATE INDEX runs_to_archive ON runs (position) WHERE delivered_at_ms IS NOT NULL AND archived IS NULL;
`;

/** Which model and agent answered, added to what `runSchema` made. */
export const runModelSchema = `
  ALTER TABLE runs ADD COLUMN agent TEXT;
  ALTER TABLE runs ADD COLUMN provider_id TEXT;
  ALTER TABLE runs ADD COLUMN model_id TEXT;
  ALTER TABLE runs ADD COLUMN can_ask INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX runs_by_session ON runs (session_id, position);
`;

/** Before, `recalled` held what the seen runs had recalled as well. */
export const seenRunsSchema = "ALTER TABLE runs ADD COLUMN seen_runs TEXT NOT NULL DEFAULT '[]';";

/** What was found for a run, so that memory counts what its answer used. */
export const runGivenSchema = 'ALTER TABLE runs ADD COLUMN given TEXT;';

/** Which of its agent's tools a run may use, added to what `runModelSchema` made. */
export const runToolSchema = 'ALTER TABLE runs ADD COLUMN tool_allowlist TEXT;';

/** How a run is to be answered, and a hash of the request that its key stands for, added to what `runToolSchema` made. */
export const runRequestSchema = `
  ALTER TABLE runs ADD COLUMN settings TEXT;
  ALTER TABLE runs ADD COLUMN request_hash TEXT;
`;

/** In which memory a run writes: the agent that has its own, or empty for what agents share; null in rows of earlier versions. */
export const runPartitionSchema = 'ALTER TABLE runs ADD COLUMN memory_partition TEXT;';

/** Whether the answer is of words that its author has taken back: it stays in its chat, and memory has the exchange without it. */
export const runOutdatedSchema = `
  ALTER TABLE runs ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX runs_outdated ON runs (position) WHERE outdated = 1;
`;

/** Read before each prompt of a session, however many runs it has: no row of them is read for it. */
export const runPartitionIndex = 'CREATE INDEX runs_by_partition ON runs (session_id, memory_partition);';
