// The tables of memory files: which file is indexed as of when, whose its lines are, and lines that are being forgotten.

/** A line may be made of what several people wrote in several runs: it goes when one of them is forgotten. */
export const fileSchema = `
CREATE TABLE memory_files (
  key TEXT PRIMARY KEY,
  path TEXT NOT NULL,
  folder TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  ctime_ms REAL NOT NULL,
  chunks INTEGER NOT NULL,
  characters INTEGER NOT NULL,
  problem TEXT,
  indexed_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE memory_file_lines (
  folder TEXT NOT NULL,
  hash TEXT NOT NULL,
  run_id TEXT NOT NULL,
  person TEXT NOT NULL,
  session_id TEXT NOT NULL,
  PRIMARY KEY (folder, hash, run_id, person)
) STRICT, WITHOUT ROWID;
CREATE TABLE memory_file_forgetting (
  folder TEXT NOT NULL,
  hash TEXT NOT NULL,
  asked_at_ms INTEGER NOT NULL,
  done_at_ms INTEGER,
  PRIMARY KEY (folder, hash)
) STRICT, WITHOUT ROWID;
`;
