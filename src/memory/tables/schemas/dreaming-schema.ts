// The tables of short-term memory. They hold hashes and numbers: what a candidate says is read from its source each time.

/**
 * A claim is the hash of a statement in an audience. `memory_derived_lines` names the claims that a line of a file was made of, so that the
 * line goes with any of them. A promotion stays when its line was deleted by hand: the claim is not promoted again.
 */
export const dreamingSchema = `
CREATE TABLE memory_candidates (
  id TEXT PRIMARY KEY,
  audience TEXT NOT NULL CHECK (audience GLOB 'person:?*' OR audience GLOB 'room:?*'),
  claim TEXT NOT NULL,
  chunk_id TEXT NOT NULL,
  source_key TEXT NOT NULL,
  concepts INTEGER NOT NULL,
  light_hits INTEGER NOT NULL DEFAULT 0,
  light_at_ms INTEGER,
  rem_hits INTEGER NOT NULL DEFAULT 0,
  rem_at_ms INTEGER,
  created_at_ms INTEGER NOT NULL,
  UNIQUE (audience, claim)
) STRICT, WITHOUT ROWID;
CREATE TABLE memory_recalls (
  candidate TEXT NOT NULL,
  day TEXT NOT NULL,
  query_hash TEXT NOT NULL,
  score REAL NOT NULL,
  used REAL NOT NULL,
  how TEXT NOT NULL CHECK (how IN ('cited', 'overlap')),
  person TEXT NOT NULL,
  session_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (candidate, day, query_hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE memory_promotions (
  id TEXT PRIMARY KEY,
  candidate TEXT NOT NULL,
  audience TEXT NOT NULL,
  claim TEXT NOT NULL,
  folder TEXT NOT NULL,
  line_hash TEXT NOT NULL,
  section TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('writing', 'written', 'dropped', 'deleted', 'reverted')),
  evidence TEXT NOT NULL CHECK (json_valid(evidence)),
  promoted_at_ms INTEGER NOT NULL,
  UNIQUE (audience, claim)
) STRICT, WITHOUT ROWID;
CREATE TABLE memory_derived_lines (
  folder TEXT NOT NULL,
  hash TEXT NOT NULL,
  claim TEXT NOT NULL,
  audience TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('promotion', 'report', 'backfill')),
  PRIMARY KEY (folder, hash, claim)
) STRICT, WITHOUT ROWID;
CREATE TABLE memory_sweeps (
  audience TEXT NOT NULL,
  slot_ms INTEGER NOT NULL,
  claimed_by TEXT NOT NULL,
  claimed_at_ms INTEGER NOT NULL,
  finished_at_ms INTEGER,
  calls INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0,
  report TEXT CHECK (report IS NULL OR json_valid(report)),
  PRIMARY KEY (audience, slot_ms)
) STRICT, WITHOUT ROWID;
`;
