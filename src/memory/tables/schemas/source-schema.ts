// The table of passages that an imported file shares with another one, and views for other programs. The files themselves are in `memory_sources`.

/**
 * A passage with the words of a chunk of the same audience: where this file has it, so that the chunk becomes this file's when the other
 * one goes; and the chunks of the narrower tiers, which no statement of this program reads. Earlier versions stored nothing of it; files that may have lost passages so are read again by the next import.
 */
export const sharedPassagesSchema = `
CREATE TABLE memory_shared_passages (
  source_key TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  audience TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  restricted INTEGER NOT NULL CHECK (restricted IN (0, 1)),
  place TEXT NOT NULL CHECK (json_valid(place)),
  PRIMARY KEY (source_key, ordinal)
) STRICT, WITHOUT ROWID;
CREATE VIEW session_memory_chunks AS SELECT * FROM global_memory_chunks WHERE tier = 'session';
CREATE VIEW project_memory_chunks AS SELECT * FROM global_memory_chunks WHERE tier = 'project';
CREATE INDEX memory_shared_passages_content ON memory_shared_passages (audience, content_hash);
UPDATE memory_sources SET chunks = (SELECT count(*) FROM global_memory_chunks WHERE source_key = key);
UPDATE memory_sources SET content_hash = '' WHERE chunks = 0
  OR NOT (format GLOB 'directory*' OR format GLOB 'openclaw*')
  OR chunks < (SELECT max(metadata ->> 'pieces') FROM global_memory_chunks WHERE source_key = key);
`;
