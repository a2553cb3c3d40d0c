// The tables of the work journal: sessions with their elements, lessons, touchstones, conversations, builds and project artifacts. Declared once for both engines.
import { postgresWords, type SchemaWords, sqliteWords, type Unique } from './schema-words.ts';

/**
 * What every row has: who may read it (the columns of `recordPredicate`), and where it comes from. A journal entry is of the global tier
 * and does not expire.
 */
const shared = ({ text, whole, isAudience }: SchemaWords): string => `
  id ${text} NOT NULL UNIQUE,
  agent_id ${text} NOT NULL,
  audience ${text} NOT NULL CHECK (${isAudience('audience')}),
  space ${text},
  restricted ${whole} NOT NULL CHECK (restricted IN (0, 1)),
  tier ${text} NOT NULL DEFAULT 'global' CHECK (tier = 'global'),
  session_id ${text},
  run_id ${text},
  chat ${text},
  project_id ${text},
  expires_at_ms ${whole} CHECK (expires_at_ms IS NULL),
  written_by ${text} NOT NULL,
  platform ${text} NOT NULL,
  created_at_ms ${whole} NOT NULL,
  partition ${text}`;

/** By what lessons and decisions are found as records are: in the form in which keys and tags are compared. */
const findable = ({ text, whole, isJson }: SchemaWords): string => `
  record_key ${text},
  tags ${text} NOT NULL DEFAULT '[]' CHECK (${isJson('tags')}),
  pinned ${whole} NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),`;

/** An element that was noted by itself has no session. */
const element = (words: SchemaWords): string => `
  row ${words.row},
  lineage_id ${words.text} REFERENCES session_headers (id) ON DELETE CASCADE,
  title ${words.text} NOT NULL,
  body ${words.text} NOT NULL,${shared(words)}`;

/**
 * `carried`: the next close of the agent that carries it on need not name it. `settled_by`: the agent or the person who settled it, or
 * answered. `earlier_notes`: those that `status_note` took the place of, each with its day and who wrote it.
 */
const settled = ({ text, whole, isJson }: SchemaWords, open: string, done: string): string => `
  status ${text} NOT NULL CHECK (status IN ('${open}', '${done}', 'parked', 'dropped')),
  status_note ${text},
  earlier_notes ${text} NOT NULL DEFAULT '[]' CHECK (${isJson('earlier_notes')}),
  settled_in ${text},
  settled_by ${text},
  carried ${whole} NOT NULL DEFAULT 0 CHECK (carried IN (0, 1)),
  updated_at_ms ${whole} NOT NULL,`;

/**
 * What an agent has is counted in each bundle. The rows of one agent lie far apart, each after its texts, so that the indexes of agents and
 * projects hold all that decides who may read a row: counting reads neither.
 */
const counted = ', audience, space, restricted, partition, tier, session_id, expires_at_ms, created_at_ms';

const byAgent = (table: string, also = ''): string => `
CREATE INDEX ${table}_agent ON ${table} (agent_id, row${also && `, project_id${also}`});
CREATE INDEX ${table}_project ON ${table} (project_id, row${also && `, agent_id${also}`}) WHERE project_id IS NOT NULL;`;

const unique = (...names: string[]): Unique => ({ inProject: names, elsewhere: names });
const keys = {
  session_headers: unique('audience', 'agent_id', 'close_key'),
  t4_entries: unique('audience', 'project_slug', 'entry_type', 'entry_id'),
  /** The agents of a project share its builds. */
  build_records: {
    inProject: ['audience', 'build_key'],
    elsewhere: ['audience', 'agent_id', 'build_key'],
  },
};

function sessions(words: SchemaWords): string {
  const { text, row, end, also, uniqueInTable, uniqueKeys } = words;
  return `
CREATE TABLE session_headers (
  row ${row},
  close_key ${text} NOT NULL,
  content_hash ${text} NOT NULL,
  title ${text} NOT NULL,
  summary ${text} NOT NULL,${shared(words)}${uniqueInTable(keys.session_headers)}
)${end};
${uniqueKeys('session_headers', keys.session_headers)}
CREATE TABLE session_decisions (${findable(words)}${element(words)})${end};
CREATE TABLE key_context (${element(words)})${end};
CREATE TABLE open_threads (${settled(words, 'open', 'resolved')}${element(words)})${end};
CREATE TABLE next_steps (${settled(words, 'pending', 'resolved')}${element(words)})${end};
CREATE INDEX open_threads_open ON open_threads (agent_id, row) WHERE status = 'open';
CREATE INDEX next_steps_pending ON next_steps (agent_id, row) WHERE status = 'pending';
CREATE INDEX open_threads_open_project ON open_threads (project_id, row) WHERE status = 'open' AND project_id IS NOT NULL;
CREATE INDEX next_steps_pending_project ON next_steps (project_id, row) WHERE status = 'pending' AND project_id IS NOT NULL;
${['session_headers', 'session_decisions', 'key_context'].map((table) => byAgent(table, also(counted))).join('')}
${['open_threads', 'next_steps'].map((table) => byAgent(table)).join('')}
${['session_decisions', 'key_context', 'open_threads', 'next_steps']
  .map((table) => `CREATE INDEX ${table}_lineage ON ${table} (lineage_id);\n`)
  .join('')}`;
}

/**
 * Of which records a thread asks the person which one holds. Its words are theirs: they go out of it with any of them, whatever takes it away.
 * Such a thread has no passages of its own: a search finds the records.
 */
const questions = ({ text, whole, endOfKeyed }: SchemaWords): string => `
CREATE TABLE journal_questions (
  record_id ${text} NOT NULL,
  thread_id ${text} NOT NULL REFERENCES open_threads (id) ON DELETE CASCADE,
  side ${whole} NOT NULL,
  PRIMARY KEY (record_id, thread_id)
)${endOfKeyed};
CREATE INDEX journal_questions_thread ON journal_questions (thread_id);
`;

/** When an agent last read what others left open in a project: of these its close answers. */
const wakes = ({ text, whole, endOfKeyed }: SchemaWords): string => `
CREATE TABLE journal_wakes (
  audience ${text} NOT NULL,
  agent_id ${text} NOT NULL,
  project_id ${text} NOT NULL,
  at_ms ${whole} NOT NULL,
  PRIMARY KEY (audience, agent_id, project_id)
)${endOfKeyed};
`;

/** An entry of a conversation cannot be changed, and goes only when its whole conversation is forgotten. */
function carriedUnderstanding(words: SchemaWords): string {
  const { text, whole, row, end, isJson, also, uniqueInTable, uniqueKeys } = words;
  return `
CREATE TABLE lessons (
  row ${row},
  task_type ${text} NOT NULL,
  lesson_kind ${text} NOT NULL,
  lesson ${text} NOT NULL,${findable(words)}
  status ${text} NOT NULL CHECK (status IN ('active', 'deprecated')),
  successor_id ${text},
  status_note ${text},
  updated_at_ms ${whole} NOT NULL,${shared(words)}
)${end};
CREATE TABLE touchstones (
  row ${row},
  type ${text} NOT NULL,
  title ${text} NOT NULL,
  felt_weight ${whole} NOT NULL CHECK (felt_weight BETWEEN 1 AND 10),
  fact ${text} NOT NULL,
  texture ${text} NOT NULL,
  why_it_matters ${text} NOT NULL,
  lineage_id ${text} REFERENCES session_headers (id) ON DELETE SET NULL,${shared(words)}
)${end};
CREATE INDEX touchstones_lineage ON touchstones (lineage_id);
CREATE TABLE conversations (
  row ${row},
  title ${text} NOT NULL,
  topic ${text} NOT NULL,
  topic_tags ${text} NOT NULL CHECK (${isJson('topic_tags')}),${shared(words)}
)${end};
CREATE TABLE conversation_entries (
  row ${row},
  conversation_id ${text} NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  entry_type ${text} NOT NULL,
  author ${text} NOT NULL,
  body ${text} NOT NULL,${shared(words)}
)${end};
CREATE INDEX conversation_entries_conversation ON conversation_entries (conversation_id, row);
CREATE TABLE t4_entries (
  row ${row},
  project_slug ${text} NOT NULL,
  entry_type ${text} NOT NULL,
  entry_id ${text} NOT NULL,
  title ${text} NOT NULL,
  body ${text} NOT NULL,
  version ${whole} NOT NULL,
  updated_by ${text},
  updated_at_ms ${whole} NOT NULL,${shared(words)}${uniqueInTable(keys.t4_entries)}
)${end};
${uniqueKeys('t4_entries', keys.t4_entries)}
CREATE INDEX lessons_of_people ON lessons (row) WHERE platform <> 'mcp' AND project_id IS NULL;
${byAgent('lessons', also(`${counted}, status, lesson_kind`))}${byAgent('touchstones')}${byAgent('conversations', also(counted))}`;
}

function builds(words: SchemaWords): string {
  const { text, whole, row, end, uniqueInTable, uniqueKeys } = words;
  return `
CREATE TABLE build_records (
  row ${row},
  build_key ${text} NOT NULL,
  title ${text} NOT NULL,
  status ${text} NOT NULL CHECK (status IN ('planned', 'active', 'done', 'dropped')),
  summary ${text} NOT NULL,
  updated_by ${text},
  updated_at_ms ${whole} NOT NULL,${shared(words)}${uniqueInTable(keys.build_records)}
)${end};
${uniqueKeys('build_records', keys.build_records)}
CREATE TABLE build_phases (
  row ${row},
  build_id ${text} NOT NULL REFERENCES build_records (id) ON DELETE CASCADE,
  title ${text} NOT NULL,
  status ${text} NOT NULL CHECK (status IN ('planned', 'active', 'done', 'dropped')),${shared(words)}
)${end};
CREATE INDEX build_phases_build ON build_phases (build_id);
CREATE TABLE work_slices (
  row ${row},
  phase_id ${text} NOT NULL REFERENCES build_phases (id) ON DELETE CASCADE,
  title ${text} NOT NULL,
  status ${text} NOT NULL CHECK (status IN ('planned', 'active', 'done', 'dropped')),${shared(words)}
)${end};
CREATE INDEX work_slices_phase ON work_slices (phase_id);
`;
}

/** The words of a session with all its elements, of a conversation with its entries, of a lesson or an artifact: as written, and as stems. */
const documents = ({ text, row, end }: SchemaWords, also = ''): string => `
CREATE TABLE journal_documents (
  row ${row},
  entry_id ${text} NOT NULL UNIQUE,
  kind ${text} NOT NULL CHECK (kind IN ('session', 'conversation', 't4')),
  words ${text} NOT NULL,
  stems ${text} NOT NULL${also}
)${end};
`;

const tables = (words: SchemaWords): string =>
  [sessions, questions, wakes, carriedUnderstanding, builds].map((part) => part(words)).join('');

/** With a record its questions go, and the words of it that they have. */
const endQuestions = `
  UPDATE open_threads SET title = 'Which of two memories holds?', body = '', earlier_notes = '[]', carried = 0,
    status = CASE WHEN status IN ('open', 'parked') THEN 'dropped' ELSE status END,
    status_note = 'A memory that it asked about is no longer there.'
  WHERE id IN (SELECT thread_id FROM journal_questions WHERE record_id = old.id);
  DELETE FROM journal_questions WHERE thread_id IN (SELECT thread_id FROM journal_questions WHERE record_id = old.id);`;

const triggers = `
CREATE TRIGGER journal_questions_record_ad AFTER DELETE ON memory_records
WHEN EXISTS (SELECT 1 FROM journal_questions WHERE record_id = old.id) BEGIN ${endQuestions}
END;
CREATE TRIGGER conversation_entries_au BEFORE UPDATE ON conversation_entries BEGIN
  SELECT RAISE(ABORT, 'a conversation is only added to');
END;
CREATE TRIGGER conversation_entries_ad BEFORE DELETE ON conversation_entries
WHEN EXISTS (SELECT 1 FROM conversations WHERE id = old.conversation_id) BEGIN
  SELECT RAISE(ABORT, 'a conversation is only added to');
END;
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

/** All of them in SQLite. */
export const journalSchema = tables(sqliteWords) + documents(sqliteWords) + triggers;

/** A conversation may have more different words than a tsvector takes. */
const held = (column: string): string =>
  `,\n  held_${column} text[] COLLATE "C" GENERATED ALWAYS AS (string_to_array(${column}, ' ')) STORED`;

const postgresTriggers = `
CREATE INDEX journal_documents_held ON journal_documents USING gin (held_words, held_stems);

CREATE FUNCTION journal_record_gone() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${endQuestions}
  RETURN NULL;
END $$;
CREATE TRIGGER journal_record_gone AFTER DELETE ON memory_records
  FOR EACH ROW EXECUTE FUNCTION journal_record_gone();

CREATE FUNCTION journal_conversation_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT 1 FROM conversations WHERE id = old.conversation_id) THEN RETURN old; END IF;
  RAISE EXCEPTION 'a conversation is only added to';
END $$;
CREATE TRIGGER journal_conversation_kept BEFORE UPDATE OR DELETE ON conversation_entries
  FOR EACH ROW EXECUTE FUNCTION journal_conversation_kept();
`;

/** All of them in PostgreSQL, after the tables of records. */
export const journalPostgresSchema =
  tables(postgresWords) + documents(postgresWords, held('words') + held('stems')) + postgresTriggers;
