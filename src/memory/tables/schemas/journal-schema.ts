// The tables of the work journal: sessions with their elements, lessons, touchstones, conversations, builds and project artifacts.

/**
 * What every row has: who may read it (the columns of `recordPredicate`), and where it comes from. A journal entry is of the global tier
 * and does not expire.
 */
const shared = `
  id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL,
  audience TEXT NOT NULL CHECK (audience GLOB 'person:?*' OR audience GLOB 'room:?*'),
  space TEXT,
  restricted INTEGER NOT NULL CHECK (restricted IN (0, 1)),
  tier TEXT NOT NULL DEFAULT 'global' CHECK (tier = 'global'),
  session_id TEXT,
  run_id TEXT,
  chat TEXT,
  project_id TEXT,
  expires_at_ms INTEGER CHECK (expires_at_ms IS NULL),
  written_by TEXT NOT NULL,
  platform TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  partition TEXT`;

/** By what lessons and decisions are found as records are: in the form in which keys and tags are compared. */
const findable = `
  record_key TEXT,
  tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
  pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),`;

/** An element that was noted by itself has no session. */
const element = `
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  lineage_id TEXT REFERENCES session_headers (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  body TEXT NOT NULL,${shared}`;

/**
 * `carried`: the next close of the agent that carries it on need not name it. `settled_by`: the agent or the person who settled it, or
 * answered. `earlier_notes`: those that `status_note` took the place of, each with its day and who wrote it.
 */
const settled = (open: string, done: string): string => `
  status TEXT NOT NULL CHECK (status IN ('${open}', '${done}', 'parked', 'dropped')),
  status_note TEXT,
  earlier_notes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(earlier_notes)),
  settled_in TEXT,
  settled_by TEXT,
  carried INTEGER NOT NULL DEFAULT 0 CHECK (carried IN (0, 1)),
  updated_at_ms INTEGER NOT NULL,`;

/**
 * What an agent has is counted in each bundle. The rows of one agent lie far apart, each after its texts, so that the indexes of agents and
 * projects hold all that decides who may read a row: counting reads neither.
 */
const counted = ', audience, space, restricted, partition, tier, session_id, expires_at_ms, created_at_ms';

const byAgent = (table: string, also = ''): string => `
CREATE INDEX ${table}_agent ON ${table} (agent_id, row${also && `, project_id${also}`});
CREATE INDEX ${table}_project ON ${table} (project_id, row${also && `, agent_id${also}`}) WHERE project_id IS NOT NULL;`;

/** A key is unique in each project and where there is no project: for SQLite two rows without one differ, so that these have an index of their own. */
const uniqueKey = (columns: string): string => `UNIQUE (${columns}, project_id)`;
const keyWithoutProject = (table: string, columns: string): string =>
  `CREATE UNIQUE INDEX ${table}_key ON ${table} (${columns}) WHERE project_id IS NULL;`;

const keys = {
  session: 'audience, agent_id, close_key',
  build: 'audience, agent_id, build_key',
  /** Its agents share a project. */
  projectBuild: 'audience, build_key',
  t4: 'audience, project_slug, entry_type, entry_id',
};

const sessions = `
CREATE TABLE session_headers (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  close_key TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  title TEXT NOT NULL,
  summary TEXT NOT NULL,${shared},
  ${uniqueKey(keys.session)}
) STRICT;
${keyWithoutProject('session_headers', keys.session)}
CREATE TABLE session_decisions (${findable}${element}) STRICT;
CREATE TABLE key_context (${element}) STRICT;
CREATE TABLE open_threads (${settled('open', 'resolved')}${element}) STRICT;
CREATE TABLE next_steps (${settled('pending', 'resolved')}${element}) STRICT;
CREATE INDEX open_threads_open ON open_threads (agent_id, row) WHERE status = 'open';
CREATE INDEX next_steps_pending ON next_steps (agent_id, row) WHERE status = 'pending';
CREATE INDEX open_threads_open_project ON open_threads (project_id, row) WHERE status = 'open' AND project_id IS NOT NULL;
CREATE INDEX next_steps_pending_project ON next_steps (project_id, row) WHERE status = 'pending' AND project_id IS NOT NULL;
${['session_headers', 'session_decisions', 'key_context'].map((table) => byAgent(table, counted)).join('')}
${['open_threads', 'next_steps'].map((table) => byAgent(table)).join('')}
${['session_decisions', 'key_context', 'open_threads', 'next_steps']
  .map((table) => `CREATE INDEX ${table}_lineage ON ${table} (lineage_id);\n`)
  .join('')}`;

/**
 * Of which records a thread asks the person which one holds. Its words are theirs: they go out of it with any of them, whatever takes it away.
 * Such a thread has no passages of its own: a search finds the records.
 */
const questions = `
CREATE TABLE journal_questions (
  record_id TEXT NOT NULL,
  thread_id TEXT NOT NULL REFERENCES open_threads (id) ON DELETE CASCADE,
  side INTEGER NOT NULL,
  PRIMARY KEY (record_id, thread_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX journal_questions_thread ON journal_questions (thread_id);
CREATE TRIGGER journal_questions_record_ad AFTER DELETE ON memory_records
WHEN EXISTS (SELECT 1 FROM journal_questions WHERE record_id = old.id) BEGIN
  UPDATE open_threads SET title = 'Which of two memories holds?', body = '', earlier_notes = '[]', carried = 0,
    status = CASE WHEN status IN ('open', 'parked') THEN 'dropped' ELSE status END,
    status_note = 'A memory that it asked about is no longer there.'
  WHERE id IN (SELECT thread_id FROM journal_questions WHERE record_id = old.id);
  DELETE FROM journal_questions WHERE thread_id IN (SELECT thread_id FROM journal_questions WHERE record_id = old.id);
END;
`;

/** When an agent last read what others left open in a project: of these its close answers. */
const wakes = `
CREATE TABLE journal_wakes (
  audience TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (audience, agent_id, project_id)
) STRICT, WITHOUT ROWID;
`;

/** An entry of a conversation cannot be changed, and goes only when its whole conversation is forgotten. */
const carriedUnderstanding = `
CREATE TABLE lessons (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  task_type TEXT NOT NULL,
  lesson_kind TEXT NOT NULL,
  lesson TEXT NOT NULL,${findable}
  status TEXT NOT NULL CHECK (status IN ('active', 'deprecated')),
  successor_id TEXT,
  status_note TEXT,
  updated_at_ms INTEGER NOT NULL,${shared}
) STRICT;
CREATE TABLE touchstones (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  felt_weight INTEGER NOT NULL CHECK (felt_weight BETWEEN 1 AND 10),
  fact TEXT NOT NULL,
  texture TEXT NOT NULL,
  why_it_matters TEXT NOT NULL,
  lineage_id TEXT REFERENCES session_headers (id) ON DELETE SET NULL,${shared}
) STRICT;
CREATE INDEX touchstones_lineage ON touchstones (lineage_id);
CREATE TABLE conversations (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL,
  topic TEXT NOT NULL,
  topic_tags TEXT NOT NULL CHECK (json_valid(topic_tags)),${shared}
) STRICT;
CREATE TABLE conversation_entries (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  entry_type TEXT NOT NULL,
  author TEXT NOT NULL,
  body TEXT NOT NULL,${shared}
) STRICT;
CREATE INDEX conversation_entries_conversation ON conversation_entries (conversation_id, row);
CREATE TRIGGER conversation_entries_au BEFORE UPDATE ON conversation_entries BEGIN
  SELECT RAISE(ABORT, 'a conversation is only added to');
END;
CREATE TRIGGER conversation_entries_ad BEFORE DELETE ON conversation_entries
WHEN EXISTS (SELECT 1 FROM conversations WHERE id = old.conversation_id) BEGIN
  SELECT RAISE(ABORT, 'a conversation is only added to');
END;
CREATE TABLE t4_entries (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  project_slug TEXT NOT NULL,
  entry_type TEXT NOT NULL,
  entry_id TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_by TEXT,
  updated_at_ms INTEGER NOT NULL,${shared},
  ${uniqueKey(keys.t4)}
) STRICT;
${keyWithoutProject('t4_entries', keys.t4)}
CREATE INDEX lessons_of_people ON lessons (row) WHERE platform <> 'mcp' AND project_id IS NULL;
${byAgent('lessons', `${counted}, status, lesson_kind`)}${byAgent('touchstones')}${byAgent('conversations', counted)}`;

const builds = `
CREATE TABLE build_records (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  build_key TEXT NOT NULL,
  title TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('planned', 'active', 'done', 'dropped')),
  summary TEXT NOT NULL,
  updated_by TEXT,
  updated_at_ms INTEGER NOT NULL,${shared},
  ${uniqueKey(keys.projectBuild)}
) STRICT;
${keyWithoutProject('build_records', keys.build)}
CREATE TABLE build_phases (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  build_id TEXT NOT NULL REFERENCES build_records (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('planned', 'active', 'done', 'dropped')),${shared}
) STRICT;
CREATE INDEX build_phases_build ON build_phases (build_id);
CREATE TABLE work_slices (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  phase_id TEXT NOT NULL REFERENCES build_phases (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('planned', 'active', 'done', 'dropped')),${shared}
) STRICT;
CREATE INDEX work_slices_phase ON work_slices (phase_id);
`;

/** The words of a session with all its elements, of a conversation with its entries, of a lesson or an artifact: as written, and as stems. */
const words = `
CREATE TABLE journal_documents (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  entry_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('session', 'conversation', 't4')),
  words TEXT NOT NULL,
  stems TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE journal_words USING fts5(words, stems, content = 'journal_documents', content_rowid = 'row');
INSERT INTO journal_words (journal_words, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER journal_documents_ai AFTER INSERT ON journal_documents BEGIN
  INSERT INTO journal_words (rowid, words, stems) VALUES (new.row, new.words, new.stems);
END;
CREATE TRIGGER journal_documents_ad AFTER DELETE ON journal_documents BEGIN
  INSERT INTO journal_words (journal_words, rowid, words, stems) VALUES ('delete', old.row, old.words, old.stems);
END;
CREATE TRIGGER journal_documents_au AFTER UPDATE ON journal_documents BEGIN
  INSERT INTO journal_words (journal_words, rowid, words, stems) VALUES ('delete', old.row, old.words, old.stems);
  INSERT INTO journal_words (rowid, words, stems) VALUES (new.row, new.words, new.stems);
END;
`;

/** All of them. */
export const journalSchema = `${sessions}${questions}${wakes}${carriedUnderstanding}${builds}${words}`;
