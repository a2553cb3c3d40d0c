// The table of knowledge: which records were promoted for reuse, and what they cover. The words are the records'; it goes with them.

export const knowledge = `
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
