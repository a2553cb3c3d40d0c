// The tables of governed records and of the audit, and the notes of earlier versions brought into them.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { comparableText, digestOf } from '#memory/words/content-hash.ts';
import { indexText } from '#memory/words/tokens.ts';

/** What lets chunks belong to a tier and expire. */
const tiersOfChunks = `
ALTER TABLE global_memory_chunks ADD COLUMN tier TEXT NOT NULL DEFAULT 'global' CHECK (tier IN ('session', 'project', 'global'));
ALTER TABLE global_memory_chunks ADD COLUMN expires_at_ms INTEGER;
`;

/** What makes the full text of the records where it is not; its words come from a rebuild. */
export const recordsFullText = `
CREATE VIRTUAL TABLE memory_records_fts USING fts5(
  terms, content = 'memory_records', content_rowid = 'row', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO memory_records_fts (memory_records_fts, rank) VALUES ('secure-delete', 1);
`;

/** A row is one version. Search finds it through chunks that have its id as their source; a version that is not active has none. */
const records = `
CREATE TABLE memory_records (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  lineage_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'superseded', 'retracted')),
  demoted INTEGER NOT NULL CHECK (demoted IN (0, 1)),
  audience TEXT NOT NULL CHECK (audience GLOB 'person:?*' OR audience GLOB 'room:?*'),
  space TEXT,
  restricted INTEGER NOT NULL CHECK (restricted IN (0, 1)),
  tier TEXT NOT NULL CHECK (tier IN ('session', 'project', 'global')),
  session_id TEXT NOT NULL,
  project_id TEXT,
  expires_at_ms INTEGER,
  kind TEXT NOT NULL CHECK (kind IN ('note', 'fact', 'solution_capsule')),
  user_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  channel_tag TEXT,
  host_tag TEXT,
  sensitivity TEXT NOT NULL CHECK (sensitivity IN ('public', 'private', 'sensitive')),
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  platform TEXT NOT NULL,
  chat TEXT NOT NULL,
  run_id TEXT NOT NULL,
  message_ids TEXT NOT NULL CHECK (json_valid(message_ids)),
  content_hash TEXT NOT NULL,
  redaction_status TEXT NOT NULL CHECK (redaction_status IN ('passed', 'redacted')),
  redaction_count INTEGER NOT NULL,
  reason TEXT,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  evidence TEXT NOT NULL CHECK (json_valid(evidence)),
  artifact_refs TEXT NOT NULL CHECK (json_valid(artifact_refs)),
  metadata TEXT NOT NULL CHECK (json_valid(metadata)),
  content TEXT NOT NULL,
  terms TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX memory_records_version ON memory_records (lineage_id, version);
CREATE INDEX memory_records_content ON memory_records (audience, content_hash);

${recordsFullText}CREATE TRIGGER memory_records_ai AFTER INSERT ON memory_records BEGIN
  INSERT INTO memory_records_fts (rowid, terms) VALUES (new.row, new.terms);
END;
CREATE TRIGGER memory_records_ad AFTER DELETE ON memory_records BEGIN
  INSERT INTO memory_records_fts (memory_records_fts, rowid, terms) VALUES ('delete', old.row, old.terms);
END;
CREATE TRIGGER memory_records_au AFTER UPDATE OF terms ON memory_records BEGIN
  INSERT INTO memory_records_fts (memory_records_fts, rowid, terms) VALUES ('delete', old.row, old.terms);
  INSERT INTO memory_records_fts (rowid, terms) VALUES (new.row, new.terms);
END;
`;

/** Who did what to which memories; no row of it is ever changed or removed, and none holds words of a memory. */
const audit = `
CREATE TABLE memory_audit (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at_ms INTEGER NOT NULL,
  action TEXT NOT NULL,
  actor TEXT NOT NULL,
  run_id TEXT,
  session_id TEXT,
  audience TEXT NOT NULL,
  ids TEXT NOT NULL CHECK (json_valid(ids)),
  detail TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;
CREATE INDEX memory_audit_audience ON memory_audit (audience, row);
CREATE TRIGGER memory_audit_au BEFORE UPDATE ON memory_audit BEGIN
  SELECT RAISE(ABORT, 'the audit is only added to');
END;
CREATE TRIGGER memory_audit_ad BEFORE DELETE ON memory_audit BEGIN
  SELECT RAISE(ABORT, 'the audit is only added to');
END;
`;

interface OldNote {
  source_key: string;
  content: string;
}

/** Records and the audit; every note that was stored before becomes a record, its pieces put together again. */
export function recordsAndAudit(database: Sqlite): void {
  database.exec(tiersOfChunks + records + audit);
  const notes = database.prepare<[], OldNote>(
    `SELECT source_key, group_concat(user_text, char(10)) AS content FROM
       (SELECT source_key, user_text FROM global_memory_chunks
        WHERE source IN ('note', 'fact', 'solution_capsule') ORDER BY source_key, ordinal)
     GROUP BY source_key`,
  );
  const save = database.prepare<[object]>(
    `INSERT INTO memory_records (id, lineage_id, version, state, demoted, audience, space, restricted, tier, session_id, project_id,
       kind, user_id, agent, sensitivity, confidence, platform, chat, run_id, message_ids, content_hash,
       redaction_status, redaction_count, created_at_ms, updated_at_ms, evidence, artifact_refs, metadata, content, terms)
     SELECT @id, @id, 1, 'active', 0, audience, space, restricted, 'global', session_id, project_id,
       source, person, speaker, 'private', 1, platform, chat, run_id, message_ids, @contentHash,
       'passed', 0, at_ms, created_at_ms, '[]', '[]', '{}', @content, @terms
     FROM global_memory_chunks WHERE source_key = @id ORDER BY ordinal LIMIT 1`,
  );
  for (const { source_key: id, content } of notes.all())
    save.run({
      id,
      content,
      contentHash: digestOf('note', comparableText(content)),
      terms: indexText(content),
    });
}
