// The tables of memory.sqlite, as numbered changes. Statements live next to the code that runs them.
import type { Migration, Sqlite } from '#base/sqlite/sqlite.ts';
import { countedInserts, countsOfAudiences } from '#memory/tables/schemas/audience-schema.ts';
import { budgetSchema, claimsOfEpisodesSchema } from '#memory/tables/schemas/budget-schema.ts';
import { dreamingSchema } from '#memory/tables/schemas/dreaming-schema.ts';
import {
  memoryFilesSchema,
  passagesOfFiles,
  sourcesOfFileLines,
} from '#memory/tables/schemas/file-schema.ts';
import {
  journalCountsSchema,
  journalKeysSchema,
  journalSchema,
  sharedJournalSchema,
} from '#memory/tables/schemas/journal-schema.ts';
import { kindsSchema } from '#memory/tables/schemas/kinds-schema.ts';
import { knowledge } from '#memory/tables/schemas/knowledge-schema.ts';
import { partitionSchema } from '#memory/tables/schemas/partition-schema.ts';
import { recordsAndAudit } from '#memory/tables/schemas/record-schema.ts';
import { sharedPassagesSchema } from '#memory/tables/schemas/source-schema.ts';
import {
  embeddings,
  floatVectorsSchema,
  signBitsSchema,
  vectorsOfEachModel,
} from '#memory/tables/schemas/vector-schema.ts';
import { languageOfRecords, languageOfWords } from '#memory/tables/schemas/words-schema.ts';
import { projectWord } from './audience.ts';
import { auditRetentionSchema } from './audit.ts';
import { forgottenSchema } from './forgotten.ts';
import { responses } from './responses.ts';

/**
 * `row` joins a chunk to its full text and its vector and is never used twice (AUTOINCREMENT), so that an index entry that outlived its
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
  source TEXT NOT NULL CHECK (source IN ('exchange')),
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
  vector_model INTEGER REFERENCES embedding_models (id),
  analyzer INTEGER NOT NULL,
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
CREATE INDEX global_memory_chunks_vector ON global_memory_chunks (vector_model);

CREATE TABLE embedding_models (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;
`;

const fullText = `
CREATE VIRTUAL TABLE global_memory_fts USING fts5(
  said_terms, answered_terms, about_terms, scope_terms,
  content = 'global_memory_chunks', content_rowid = 'row',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO global_memory_fts (global_memory_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE global_memory_words USING fts5vocab('global_memory_fts', 'row');

CREATE TRIGGER global_memory_chunks_ai AFTER INSERT ON global_memory_chunks BEGIN
  INSERT INTO global_memory_fts (rowid, said_terms, answered_terms, about_terms, scope_terms)
  VALUES (new.row, new.said_terms, new.answered_terms, new.about_terms, new.scope_terms);
END;
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

/** What makes the full text of the chunks where it is not; its words come from a rebuild. */
export const chunksFullText = fullText.split('CREATE TRIGGER')[0] ?? '';

/** Turns of conversations and documents next to exchanges. */
function turnsAndDocuments(database: Sqlite): void {
  widenSource(database, ['exchange', 'turn', 'document']);
  addProjectWords(database);
}

function notes(database: Sqlite): void {
  widenSource(database, ['exchange', 'turn', 'document', 'note', 'fact', 'solution_capsule']);
}

/** Lets chunks be of these sources. A CHECK cannot be changed in place, so the table is copied, rows and all. */
function widenSource(database: Sqlite, words: readonly string[]): void {
  const [made, triggers] = [chunks.split(';')[0] ?? '', fullText.split('CREATE TRIGGER').slice(1)];
  const wider = made
    .replace('global_memory_chunks', 'global_memory_chunks_wider')
    .replace("source IN ('exchange')", `source IN (${words.map((word) => `'${word}'`).join(', ')})`);
  const indexes = chunks.match(/CREATE INDEX [^;]+;/g) ?? [];
  database.exec(`
    ${['ai', 'ad', 'au'].map((name) => `DROP TRIGGER global_memory_chunks_${name};`).join('\n')}
    ${wider};
    INSERT INTO global_memory_chunks_wider SELECT * FROM global_memory_chunks;
    INSERT INTO sqlite_sequence (name, seq)
      SELECT 'global_memory_chunks_wider', 0 WHERE NOT EXISTS
        (SELECT 1 FROM sqlite_sequence WHERE name = 'global_memory_chunks_wider');
    UPDATE sqlite_sequence SET seq = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'global_memory_chunks'), 0)
      WHERE name = 'global_memory_chunks_wider';
    DROP TABLE global_memory_chunks;
    ALTER TABLE global_memory_chunks_wider RENAME TO global_memory_chunks;
    ${indexes.join('\n')}
    ${triggers.map((trigger) => `CREATE TRIGGER ${trigger}`).join('')}
  `);
}

/** Chunks of a project are also found by it. */
function addProjectWords(database: Sqlite): void {
  const rows = database.prepare<[], { row: number; project_id: string; scope_terms: string }>(
    'SELECT row, project_id, scope_terms FROM global_memory_chunks WHERE project_id IS NOT NULL',
  );
  const write = database.prepare<[string, number]>(
    'UPDATE global_memory_chunks SET scope_terms = ? WHERE row = ?',
  );
  for (const { row, project_id, scope_terms } of rows.all())
    write.run(`${scope_terms} ${projectWord(project_id)}`, row);
}

/**
 * Imported files by their contents; and what was forgotten, by hash only, so that no import brings it back. `project` with `audience` and `key` names a source: the same file may be imported for two audiences.
 */
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
CREATE TABLE memory_tombstones (
  hash TEXT PRIMARY KEY,
  forgotten_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/**
 * A row's full text is written by the statement that inserts the row: a trigger makes FTS5 write out what it gathered for every
 * single row. `removals` counts what was taken away or changed, so that a reader knows whether what it holds only grew.
 */
const manyRowsAtOnce = `
DROP TRIGGER global_memory_chunks_ai;
CREATE TABLE memory_changes (removals INTEGER NOT NULL) STRICT;
INSERT INTO memory_changes (removals) VALUES (0);
CREATE TRIGGER global_memory_chunks_removed AFTER DELETE ON global_memory_chunks BEGIN
  UPDATE memory_changes SET removals = removals + 1;
END;
CREATE TRIGGER global_memory_chunks_changed
AFTER UPDATE OF row, audience, space, restricted, project_id, session_id, tier, expires_at_ms, content, said_terms, answered_terms, about_terms, scope_terms
ON global_memory_chunks BEGIN
  UPDATE memory_changes SET removals = removals + 1;
END;
`;

/** What ranking looks at, next to the texts that it is read from; rows of earlier versions are read from these. */
const passages = `
ALTER TABLE global_memory_chunks ADD COLUMN passage BLOB;
CREATE TRIGGER global_memory_chunks_passage
AFTER UPDATE OF content, said_terms, answered_terms, about_terms ON global_memory_chunks WHEN new.passage IS old.passage BEGIN
  UPDATE global_memory_chunks SET passage = NULL WHERE row = new.row;
END;
`;

/** What was written again is counted too: for a reader, all else of its row stays true. */
const repeats = `
ALTER TABLE memory_changes ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER global_memory_chunks_repeated
AFTER UPDATE OF last_said_at_ms ON global_memory_chunks WHEN new.last_said_at_ms <> old.last_said_at_ms BEGIN
  UPDATE memory_changes SET repeats = repeats + 1;
END;
`;

/** Rooms that not everyone of their space may read now. A change counts as a removal: no reader may continue with what it saw before. */
const closedRooms = `
CREATE TABLE memory_closed_rooms (
  room TEXT PRIMARY KEY CHECK (room GLOB 'room:?*')
) STRICT, WITHOUT ROWID;
CREATE TRIGGER memory_closed_rooms_ai AFTER INSERT ON memory_closed_rooms BEGIN
  UPDATE memory_changes SET removals = removals + 1;
END;
CREATE TRIGGER memory_closed_rooms_ad AFTER DELETE ON memory_closed_rooms BEGIN
  UPDATE memory_changes SET removals = removals + 1;
END;
`;

/** An imported turn is one message, whose id is the first of its row. */
const turns = `
CREATE INDEX global_memory_chunks_turn ON global_memory_chunks (audience, json_extract(message_ids, '$[0]')) WHERE source = 'turn';
`;

/** By which the newest chunks of one audience are read without the others. */
const newestChunks = 'CREATE INDEX global_memory_chunks_newest ON global_memory_chunks (audience, at_ms);';

/** By which the newest chunks that are open in one space are read without the others. */
const openChunks =
  'CREATE INDEX global_memory_chunks_open ON global_memory_chunks (space, at_ms) WHERE restricted = 0;';

/** No reader holds rows from one question to the next, so that nothing asks what changed. The column `passage` stays empty: to drop it would write each row. */
const noCounts = `
DROP TRIGGER global_memory_chunks_removed;
DROP TRIGGER global_memory_chunks_changed;
DROP TRIGGER global_memory_chunks_repeated;
DROP TRIGGER memory_closed_rooms_ai;
DROP TRIGGER memory_closed_rooms_ad;
DROP TABLE memory_changes;
`;

export const migrations: readonly Migration[] = [
  { name: 'chunks of the global tier', up: chunks },
  { name: 'full text over chunks', up: fullText },
  { name: 'chunks of conversations and documents', up: turnsAndDocuments },
  { name: 'sources and tombstones', up: sources },
  { name: 'notes', up: notes },
  { name: 'tiers, governed records, audit', up: recordsAndAudit },
  { name: 'many rows at once', up: manyRowsAtOnce },
  { name: 'vectors of models', up: embeddings },
  { name: 'knowledge', up: knowledge },
  { name: 'cached answers', up: responses },
  { name: 'passages', up: passages },
  { name: 'repeats', up: repeats },
  { name: 'closed rooms', up: closedRooms },
  { name: 'what was forgotten', up: forgottenSchema },
  { name: 'imported turns by their messages', up: turns },
  { name: 'vectors of each model', up: vectorsOfEachModel },
  { name: 'retention of the audit', up: auditRetentionSchema },
  { name: 'the language of words', up: languageOfWords },
  { name: 'memory files', up: memoryFilesSchema },
  { name: 'the language of records', up: languageOfRecords },
  { name: 'the work journal', up: journalSchema },
  { name: 'short-term memory', up: dreamingSchema },
  { name: 'passages of files', up: passagesOfFiles },
  { name: 'the own memory of agents', up: partitionSchema },
  { name: 'kinds of records', up: kindsSchema },
  { name: 'what budgets take away', up: budgetSchema },
  { name: 'counts of the journal', up: journalCountsSchema },
  { name: 'claims of what budgets take away', up: claimsOfEpisodesSchema },
  { name: 'chunks of an audience by time', up: newestChunks },
  { name: 'open chunks of a space by time', up: openChunks },
  { name: 'no counts of changes', up: noCounts },
  { name: 'counts of audiences', up: countsOfAudiences },
  { name: 'several sources of a line of a file', up: sourcesOfFileLines },
  { name: 'counts of inserted chunks without a trigger', up: countedInserts },
  { name: 'sign bits without an extension', up: signBitsSchema },
  { name: 'vectors of floats, shown for each tier', up: floatVectorsSchema },
  { name: 'keys of the journal in each project', up: journalKeysSchema },
  { name: 'passages that files share', up: sharedPassagesSchema },
  { name: 'a journal that agents and their person share', up: sharedJournalSchema },
];
