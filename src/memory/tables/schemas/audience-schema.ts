// The table of how many chunks each audience has.

const oneLess = `
  UPDATE memory_audiences SET entries = entries - 1 WHERE audience = old.audience;
  DELETE FROM memory_audiences WHERE audience = old.audience AND entries = 0;`;

/** How many chunks each audience has, so that the largest are listed without reading a memory of a million. `Chunks.insert` counts new ones. */
export const countsOfAudiences = `
CREATE TABLE memory_audiences (audience TEXT PRIMARY KEY, entries INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO memory_audiences (audience, entries) SELECT audience, count(*) FROM global_memory_chunks GROUP BY audience;
CREATE INDEX memory_audiences_largest ON memory_audiences (entries DESC, audience);
CREATE TRIGGER memory_audiences_ad AFTER DELETE ON global_memory_chunks BEGIN${oneLess}
END;
CREATE TRIGGER memory_audiences_au AFTER UPDATE OF audience ON global_memory_chunks BEGIN
  INSERT INTO memory_audiences (audience, entries) SELECT new.audience, 0
    WHERE NOT EXISTS (SELECT 1 FROM memory_audiences WHERE audience = new.audience);
  UPDATE memory_audiences SET entries = entries + 1 WHERE audience = new.audience;${oneLess}
END;
`;

/** The trigger of an earlier version opened a savepoint for each row, at which FTS5 writes out what it has gathered. */
export const countedInserts = 'DROP TRIGGER IF EXISTS memory_audiences_ai;';
