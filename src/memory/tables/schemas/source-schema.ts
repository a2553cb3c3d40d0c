// The tables of imported files and of cached answers.

/** `key` stands for the path, the audience and the project: the same file may be imported for two audiences. */
const sources = `
CREATE TABLE memory_sources (
  key TEXT PRIMARY KEY,
  path TEXT NOT NULL,
  audience TEXT NOT NULL,
  project_id TEXT,
  format TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  chunks INTEGER NOT NULL,
  imported_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/**
 * A passage with the words of a chunk of the same audience that another file has brought: where this file has it, so that the chunk becomes
 * this file's when the other one goes.
 */
const sharedPassages = `
CREATE TABLE memory_shared_passages (
  source_key TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  audience TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  restricted INTEGER NOT NULL CHECK (restricted IN (0, 1)),
  place TEXT NOT NULL CHECK (json_valid(place)),
  PRIMARY KEY (source_key, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_shared_passages_content ON memory_shared_passages (audience, content_hash);
`;

/** `audience` belongs to the key: elsewhere it is a different answer, whatever the key says. */
const responses = `
CREATE TABLE memory_responses (
  row INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  audience TEXT NOT NULL CHECK (audience GLOB 'person:?*' OR audience GLOB 'room:?*'),
  session_id TEXT NOT NULL,
  model TEXT NOT NULL,
  text TEXT NOT NULL,
  kept_at_ms INTEGER NOT NULL,
  UNIQUE (key, audience)
) STRICT;
CREATE INDEX memory_responses_kept ON memory_responses (kept_at_ms);
`;

/** All of them. */
export const sourceSchema = sources + sharedPassages + responses;
