// What records have beyond their words: a key, tags and a pin, how procedures went, and of what episodes are the summary.
import { changeSchema } from '#base/sqlite/change-schema.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

const columns = `
ALTER TABLE memory_records ADD COLUMN record_key TEXT;
ALTER TABLE memory_records ADD COLUMN tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags));
ALTER TABLE memory_records ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1));
CREATE INDEX memory_records_key ON memory_records (record_key, audience) WHERE record_key IS NOT NULL;
CREATE INDEX memory_records_pinned ON memory_records (audience) WHERE pinned = 1;
CREATE INDEX memory_records_tagged ON memory_records (audience) WHERE tags <> '[]';

CREATE TABLE memory_signals (
  row INTEGER PRIMARY KEY,
  of_lineage TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('success', 'failure')),
  actor TEXT NOT NULL,
  run_id TEXT,
  note TEXT,
  at_ms INTEGER NOT NULL,
  UNIQUE (of_lineage, run_id)
) STRICT;

CREATE TABLE memory_episode_sources (
  chunk_id TEXT PRIMARY KEY,
  of_record TEXT NOT NULL,
  source_key TEXT NOT NULL,
  line INTEGER NOT NULL,
  audience TEXT NOT NULL,
  person TEXT NOT NULL,
  chat TEXT NOT NULL,
  session_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  project_id TEXT,
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_episode_sources_record ON memory_episode_sources (of_record);
CREATE INDEX memory_episode_sources_key ON memory_episode_sources (source_key);

CREATE TRIGGER memory_records_without_signals AFTER DELETE ON memory_records
WHEN NOT EXISTS (SELECT 1 FROM memory_records WHERE lineage_id = old.lineage_id) BEGIN
  DELETE FROM memory_signals WHERE of_lineage = old.lineage_id;
END;
CREATE TRIGGER memory_records_without_sources AFTER DELETE ON memory_records BEGIN
  DELETE FROM memory_episode_sources WHERE of_record = old.id;
END;
`;

const [before, after] = [
  "'note', 'fact', 'solution_capsule')",
  "'note', 'fact', 'solution_capsule', 'procedure', 'episode', 'preference')",
];

/**
 * Adds them. The CHECK on the kinds is widened in the schema itself, as SQLite's own page on ALTER TABLE describes: no row changes, and a
 * copy of a large memory would take minutes.
 */
export function kindsSchema(database: Sqlite): void {
  database.exec(columns);
  changeSchema(
    database,
    `UPDATE sqlite_schema SET sql = replace(sql, ?, ?)
     WHERE type = 'table' AND name IN ('memory_records', 'global_memory_chunks')`,
    before,
    after,
  );
}
