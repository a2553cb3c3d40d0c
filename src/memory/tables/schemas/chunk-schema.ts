// The tables of chunks: what is found of exchanges, documents, records and files.

/** What makes the full text of the chunks where it is not; its words come from a rebuild. */
export const chunksFullText = `
CREATE VIRTUAL TABLE global_memory_fts USING fts5(
  said_terms, answered_terms, about_terms, scope_terms,
  content = 'global_memory_chunks', content_rowid = 'row',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO global_memory_fts (global_memory_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE global_memory_words USING fts5vocab('global_memory_fts', 'row');
`;

/**
 * `row` joins a chunk to its full text and its vectors and is never used twice (AUTOINCREMENT), so that an index entry that outlived its
 * chunk can never be taken for another's. Small columns that decide who may read come first, before texts that spill onto further pages.
 * The full-text table reads its words from the chunk itself (external content), so a delete always names the words that were inserted.
 */
const chunks = `
CREATE TABLE global_memory_chunks (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  audience TEXT NOT NULL CHECK (audience GLOB 'person:?*' OR audience GLOB 'room:?*'),
  space TEXT,
  restricted INTEGER NOT NULL CHECK (restricted IN (0, 1)),
  tier TEXT NOT NULL DEFAULT 'global' CHECK (tier IN ('session', 'project', 'global')),
  partition TEXT,
  expires_at_ms INTEGER,
  source TEXT NOT NULL CHECK (source IN
    ('exchange', 'turn', 'document', 'note', 'fact', 'solution_capsule', 'procedure', 'episode', 'preference')),
  source_key TEXT NOT NULL,
  source_hash TEXT NOT NULL UNIQUE,
  content_hash TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  last_said_at_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  speaker TEXT NOT NULL,
  person TEXT NOT NULL,
  platform TEXT NOT NULL,
  chat TEXT NOT NULL,
  session_id TEXT NOT NULL,
  project_id TEXT,
  workspace_root TEXT,
  run_id TEXT NOT NULL,
  message_ids TEXT NOT NULL,
  token_count INTEGER NOT NULL,
  analyzer INTEGER NOT NULL,
  language TEXT,
  content TEXT NOT NULL,
  user_text TEXT NOT NULL,
  assistant_text TEXT NOT NULL,
  said_terms TEXT NOT NULL,
  answered_terms TEXT NOT NULL,
  about_terms TEXT NOT NULL,
  scope_terms TEXT NOT NULL,
  metadata TEXT NOT NULL CHECK (json_valid(metadata)),
  UNIQUE (audience, content_hash)
) STRICT;
CREATE INDEX global_memory_chunks_source ON global_memory_chunks (source_key, ordinal);
CREATE INDEX global_memory_chunks_session ON global_memory_chunks (session_id);
CREATE INDEX global_memory_chunks_turn ON global_memory_chunks (audience, json_extract(message_ids, '$[0]'))
  WHERE source = 'turn';
CREATE INDEX global_memory_chunks_files ON global_memory_chunks (source_key) WHERE platform = 'file';
CREATE INDEX global_memory_chunks_newest ON global_memory_chunks (audience, at_ms);
CREATE INDEX global_memory_chunks_open ON global_memory_chunks (space, at_ms) WHERE restricted = 0;
`;

/**
 * A row's full text is written by the statement that inserts the row: a trigger makes FTS5 write out what it gathered for every single row.
 */
const fullTextTriggers = `
CREATE TRIGGER global_memory_chunks_ad AFTER DELETE ON global_memory_chunks BEGIN
  INSERT INTO global_memory_fts (global_memory_fts, rowid, said_terms, answered_terms, about_terms, scope_terms)
  VALUES ('delete', old.row, old.said_terms, old.answered_terms, old.about_terms, old.scope_terms);
END;
CREATE TRIGGER global_memory_chunks_au
AFTER UPDATE OF row, said_terms, answered_terms, about_terms, scope_terms ON global_memory_chunks BEGIN
  INSERT INTO global_memory_fts (global_memory_fts, rowid, said_terms, answered_terms, about_terms, scope_terms)
  VALUES ('delete', old.row, old.said_terms, old.answered_terms, old.about_terms, old.scope_terms);
  INSERT INTO global_memory_fts (rowid, said_terms, answered_terms, about_terms, scope_terms)
  VALUES (new.row, new.said_terms, new.answered_terms, new.about_terms, new.scope_terms);
END;
`;

/** How many chunks each audience has, so that the largest are listed without reading a memory of a million. `Chunks.insert` counts new ones. */
const audiences = `
CREATE TABLE memory_audiences (
  audience TEXT PRIMARY KEY,
  entries INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_audiences_largest ON memory_audiences (entries DESC, audience);
CREATE TRIGGER memory_audiences_ad AFTER DELETE ON global_memory_chunks BEGIN
  UPDATE memory_audiences SET entries = entries - 1 WHERE audience = old.audience;
  DELETE FROM memory_audiences WHERE audience = old.audience AND entries = 0;
END;
CREATE TRIGGER memory_audiences_au AFTER UPDATE OF audience ON global_memory_chunks BEGIN
  INSERT INTO memory_audiences (audience, entries) SELECT new.audience, 0
    WHERE NOT EXISTS (SELECT 1 FROM memory_audiences WHERE audience = new.audience);
  UPDATE memory_audiences SET entries = entries + 1 WHERE audience = new.audience;
  UPDATE memory_audiences SET entries = entries - 1 WHERE audience = old.audience;
  DELETE FROM memory_audiences WHERE audience = old.audience AND entries = 0;
END;
`;

/** Rooms that not everyone of their space may read now; and the chunks of the narrower tiers, which no statement of this program reads. */
const roomsAndTiers = `
CREATE TABLE memory_closed_rooms (
  room TEXT PRIMARY KEY CHECK (room GLOB 'room:?*')
) STRICT, WITHOUT ROWID;
CREATE VIEW session_memory_chunks AS SELECT * FROM global_memory_chunks WHERE tier = 'session';
CREATE VIEW project_memory_chunks AS SELECT * FROM global_memory_chunks WHERE tier = 'project';
`;

/** All of them. */
export const chunkSchema = chunks + chunksFullText + fullTextTriggers + audiences + roomsAndTiers;
