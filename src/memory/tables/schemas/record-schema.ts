// The tables of governed records, of what was promoted of them, and of what was done to memories.

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
  partition TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('note', 'fact', 'solution_capsule', 'procedure', 'episode', 'preference')),
  record_key TEXT,
  tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
  pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
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
CREATE INDEX memory_records_key ON memory_records (record_key, audience) WHERE record_key IS NOT NULL;
CREATE INDEX memory_records_pinned ON memory_records (audience) WHERE pinned = 1;
CREATE INDEX memory_records_tagged ON memory_records (audience) WHERE tags <> '[]';
${recordsFullText}
CREATE TRIGGER memory_records_ai AFTER INSERT ON memory_records BEGIN
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

/** Which records were promoted for reuse, and what they cover. The words are the records'; it goes with them. */
const knowledge = `
CREATE TABLE memory_knowledge (
  item_id TEXT PRIMARY KEY,
  coverage_key TEXT NOT NULL,
  of_lineage TEXT NOT NULL,
  promoted_record TEXT NOT NULL,
  subject TEXT NOT NULL,
  task_family TEXT NOT NULL,
  namespace TEXT,
  for_project TEXT,
  trust TEXT NOT NULL CHECK (trust IN ('promoted', 'approved_default')),
  promoted_at_ms INTEGER NOT NULL,
  promoted_by TEXT NOT NULL,
  fresh_until_ms INTEGER,
  why TEXT,
  UNIQUE (of_lineage, coverage_key)
) STRICT;
CREATE INDEX memory_knowledge_coverage ON memory_knowledge (coverage_key);
CREATE TRIGGER memory_knowledge_gone AFTER DELETE ON memory_records BEGIN
  DELETE FROM memory_knowledge WHERE of_lineage = old.lineage_id;
END;
`;

/** How procedures went. */
const signals = `
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
CREATE TRIGGER memory_records_without_signals AFTER DELETE ON memory_records
WHEN NOT EXISTS (SELECT 1 FROM memory_records WHERE lineage_id = old.lineage_id) BEGIN
  DELETE FROM memory_signals WHERE of_lineage = old.lineage_id;
END;
`;

/**
 * Exchanges that a budget took away, so that forgetting still reaches what was made of them. `of_record` is the summary that an exchange is
 * in, and empty where nothing took its place. The content hash keeps a forgotten exchange from being stored again; `claims` are those that
 * lines of files were made of. The rows outlive their summary: forgetting removes them itself.
 */
const episodes = `
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
  at_ms INTEGER NOT NULL,
  content_hash TEXT NOT NULL DEFAULT '',
  partition TEXT,
  claims TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(claims))
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_episode_sources_record ON memory_episode_sources (of_record);
CREATE INDEX memory_episode_sources_key ON memory_episode_sources (source_key);
`;

/**
 * Who did what to which memories: no row is ever changed, one that is older than its retention is removed, and none holds words of a memory.
 */
const audit = `
CREATE TABLE memory_audit_retention (before_ms INTEGER NOT NULL) STRICT;
INSERT INTO memory_audit_retention (before_ms) VALUES (0);
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
CREATE TRIGGER memory_audit_ad BEFORE DELETE ON memory_audit
WHEN old.action IN ('forget', 'redact') OR old.at_ms >= (SELECT before_ms FROM memory_audit_retention) BEGIN
  SELECT RAISE(ABORT, 'the audit is only added to');
END;
`;

/** What was forgotten: by hash, so that no import brings it back, and by id. */
const forgotten = `
CREATE TABLE memory_tombstones (
  hash TEXT PRIMARY KEY,
  forgotten_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE memory_forgotten (
  id TEXT PRIMARY KEY,
  audience TEXT NOT NULL,
  forgotten_at_ms INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT
) STRICT, WITHOUT ROWID;
`;

/** All of them. */
export const recordSchema = records + knowledge + signals + episodes + audit + forgotten;
