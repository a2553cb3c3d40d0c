// The tables of conversations, runs and what belongs to them. Statements are next to the code that runs them.

/** In an empty file. */
export const conversationTables = `
-- What happened, in the order in which it became true; a stream continues after any seq.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  session_id TEXT,
  run_id TEXT,
  occurred_at_ms INTEGER NOT NULL,
  properties TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_session ON events (session_id, seq);
CREATE INDEX events_by_run ON events (run_id, seq);

-- idempotency_key makes a session once, and request_hash knows the request that the key stands for. flushed_after is the last
-- message of the summary that was the newest when memory was flushed; empty where there was none. attachment says where the session
-- was before it was attached to its workspace root, when and why.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  title TEXT,
  project_id TEXT,
  directory TEXT,
  source_kind TEXT CHECK (source_kind IN ('channel', 'api')),
  source_metadata TEXT,
  provider_id TEXT,
  model_id TEXT,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  archived_at_ms INTEGER,
  shared_at_ms INTEGER,
  parent_id TEXT,
  idempotency_key TEXT,
  todos TEXT NOT NULL DEFAULT '[]',
  workspace_root TEXT,
  chosen_model TEXT,
  request_hash TEXT,
  flushed_after TEXT,
  attachment TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sessions_by_key ON sessions (idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX sessions_by_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX sessions_by_update ON sessions (updated_at_ms, id, archived_at_ms);
CREATE INDEX sessions_by_platform ON sessions (json_extract(source_metadata, '$.platform'), updated_at_ms, id, archived_at_ms);

-- reverted_at_ms: a revert set the message aside. idempotency_key and request_hash are of a message that was appended without a run.
CREATE TABLE messages (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  run_id TEXT,
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
  speaker TEXT,
  model TEXT,
  error TEXT,
  created_at_ms INTEGER NOT NULL,
  completed_at_ms INTEGER,
  reverted_at_ms INTEGER,
  idempotency_key TEXT,
  request_hash TEXT
) STRICT;
CREATE UNIQUE INDEX messages_by_key ON messages (idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX messages_by_session ON messages (session_id, position);
CREATE INDEX messages_by_run ON messages (run_id) WHERE run_id IS NOT NULL;

-- native_id: the message of the platform that a part of a prompt belongs to.
CREATE TABLE parts (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  message_id TEXT NOT NULL REFERENCES messages (id),
  type TEXT NOT NULL CHECK (type IN ('text', 'reasoning', 'tool', 'file')),
  text TEXT,
  tool TEXT,
  args TEXT,
  state TEXT CHECK (state IN ('pending', 'running', 'completed', 'failed', 'denied')),
  result TEXT,
  error TEXT,
  mime TEXT,
  filename TEXT,
  url TEXT,
  native_id TEXT
) STRICT;
CREATE INDEX parts_by_message ON parts (message_id, position);
CREATE INDEX parts_by_native_id ON parts (native_id) WHERE native_id IS NOT NULL;

-- given is what was found in memory for the run, so that memory counts what its answer used. memory_partition is the agent that has
-- a memory of its own, or empty for what agents share. outdated: its author took the words back; the answer stays in its chat, and
-- memory has the exchange without it. reworded: its author has put other words in, and memory does not have them yet. prompt says what
-- the prompt was made of and holds no text.
CREATE TABLE runs (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  user_message_id TEXT NOT NULL REFERENCES messages (id),
  assistant_message_id TEXT NOT NULL REFERENCES messages (id),
  idempotency_key TEXT,
  status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'error', 'timeout', 'cancelled', 'interrupted')),
  origin TEXT,
  text TEXT NOT NULL DEFAULT '',
  failure TEXT,
  recalled TEXT NOT NULL DEFAULT '[]',
  started_at_ms INTEGER NOT NULL,
  finished_at_ms INTEGER,
  delivered_at_ms INTEGER,
  native_ids TEXT,
  archived TEXT CHECK (archived IN ('stored', 'duplicate', 'nothing to store', 'skipped')),
  agent TEXT,
  provider_id TEXT,
  model_id TEXT,
  can_ask INTEGER NOT NULL DEFAULT 0,
  seen_runs TEXT NOT NULL DEFAULT '[]',
  tool_allowlist TEXT,
  distilled_at_ms INTEGER,
  masked_at_ms INTEGER,
  settings TEXT,
  request_hash TEXT,
  given TEXT,
  prompt TEXT,
  memory_partition TEXT,
  outdated INTEGER NOT NULL DEFAULT 0,
  reworded INTEGER NOT NULL DEFAULT 0,
  notices TEXT
) STRICT;
CREATE UNIQUE INDEX runs_one_running ON runs (session_id) WHERE status = 'running';
CREATE UNIQUE INDEX runs_one_of_key ON runs (idempotency_key) WHERE status <> 'interrupted';
CREATE INDEX runs_by_key ON runs (idempotency_key, position);
CREATE INDEX runs_to_archive ON runs (position) WHERE delivered_at_ms IS NOT NULL AND archived IS NULL;
CREATE INDEX runs_by_session ON runs (session_id, position);
CREATE INDEX runs_to_distil ON runs (session_id, position) WHERE archived = 'stored' AND distilled_at_ms IS NULL;
CREATE INDEX runs_to_mask ON runs (position) WHERE masked_at_ms IS NULL;
CREATE INDEX runs_by_start ON runs (started_at_ms);
CREATE INDEX runs_by_partition ON runs (session_id, memory_partition);
CREATE INDEX runs_by_chat ON runs (json_extract(origin, '$.chat'), session_id) WHERE origin IS NOT NULL;
CREATE INDEX runs_outdated ON runs (position) WHERE outdated = 1;
CREATE INDEX runs_interrupted ON runs (position) WHERE status = 'interrupted';

-- What a revert set aside, until an unrevert.
CREATE TABLE session_snapshots (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  message_ids TEXT NOT NULL,
  taken_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX session_snapshots_by_session ON session_snapshots (session_id, position);

-- To-do lists as they were last written while a message was the newest of its session, without secrets; message_id is empty for one
-- before every message.
CREATE TABLE session_todos (
  session_id TEXT NOT NULL REFERENCES sessions (id),
  message_id TEXT NOT NULL,
  todos TEXT NOT NULL,
  PRIMARY KEY (session_id, message_id)
) STRICT, WITHOUT ROWID;

-- What runs used of models and how they ended, also after their session was deleted. Money is in millionths of a dollar, so that sums
-- are exact. ended is null while a run goes on.
CREATE TABLE run_usage (
  run_id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  day TEXT NOT NULL,
  calls INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  cached_input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  reasoning_tokens INTEGER NOT NULL DEFAULT 0,
  cost_micro_usd INTEGER,
  ended TEXT CHECK (ended IN ('completed', 'error', 'timeout', 'cancelled', 'interrupted'))
) STRICT, WITHOUT ROWID;
CREATE INDEX run_usage_by_day ON run_usage (day);
CREATE INDEX run_usage_by_session ON run_usage (session_id);

-- What people think of answers: a row for each emoji of a person under an answer.
CREATE TABLE run_feedback (
  run_id TEXT NOT NULL REFERENCES runs (id),
  person TEXT NOT NULL,
  emoji TEXT NOT NULL,
  name TEXT NOT NULL,
  rating TEXT NOT NULL CHECK (rating IN ('good', 'bad')),
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (run_id, person, emoji)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_feedback_person ON run_feedback (person);

-- Calls of the feedback webhook that nobody has taken yet, each with its body.
CREATE TABLE feedback_calls (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  person TEXT NOT NULL,
  body TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What was asked of people. answered becomes taken when the run that asked has the answer, and dropped when its run ended without
-- it. The columns shown_… and asked_by say where the request of a run is shown that another run has started.
CREATE TABLE requests (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('permission', 'question')),
  session_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  user_message_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  tool TEXT NOT NULL,
  args TEXT NOT NULL,
  digest TEXT NOT NULL,
  questions TEXT,
  state TEXT NOT NULL CHECK (state IN ('pending', 'answered', 'taken', 'expired', 'dropped')),
  reply TEXT,
  answered_by TEXT,
  requested_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  settled_at_ms INTEGER,
  shown_session_id TEXT,
  shown_run_id TEXT,
  asked_by TEXT
) STRICT;
CREATE INDEX requests_pending ON requests (position) WHERE state = 'pending';
CREATE INDEX requests_by_message ON requests (user_message_id, digest);
CREATE INDEX requests_by_session ON requests (session_id);

-- What was allowed for good: one rule for each agent and tool.
CREATE TABLE permission_rules (
  id TEXT PRIMARY KEY,
  agent TEXT NOT NULL,
  tool TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  created_by TEXT,
  UNIQUE (agent, tool)
) STRICT, WITHOUT ROWID;

-- The files of runs: file is for the person; cut is what did not fit into a tool's answer to the model.
CREATE TABLE artifacts (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('file', 'cut')),
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  path TEXT NOT NULL UNIQUE,
  created_at_ms INTEGER NOT NULL,
  caption TEXT,
  voice INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX artifacts_by_run ON artifacts (run_id, position);
CREATE INDEX artifacts_by_session ON artifacts (session_id);

-- The older part of conversations. last_position is that of its last message, so that the one that reaches furthest is found without
-- looking at the others.
CREATE TABLE session_summaries (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  last_message_id TEXT NOT NULL,
  text TEXT NOT NULL,
  messages INTEGER NOT NULL,
  omitted_messages INTEGER NOT NULL,
  run_ids TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  model_id TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  idempotency_key TEXT,
  last_position INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX session_summaries_by_key ON session_summaries (idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX session_summaries_by_reach ON session_summaries (session_id, last_position, position);

-- Texts by every three characters that follow each other, by which a search finds the parts that may hold its text. What is masked or
-- removed leaves the index at once, and its bytes are overwritten. Texts are indexed up to a position, some at a time: the index of one
-- answer is as much to write as all else of it. A text beyond that position may be changed or removed without the index.
CREATE VIRTUAL TABLE part_words USING fts5(
  text, content = 'parts', content_rowid = 'position', tokenize = 'trigram', detail = 'none'
);
INSERT INTO part_words (part_words, rank) VALUES ('secure-delete', 1);
CREATE TABLE part_words_work (done_to INTEGER NOT NULL) STRICT;
INSERT INTO part_words_work (done_to) VALUES (0);
CREATE TRIGGER part_words_update AFTER UPDATE OF text ON parts
  WHEN new.type = 'text' AND new.text IS NOT old.text AND old.position <= (SELECT done_to FROM part_words_work WHERE rowid = 1) BEGIN
  INSERT INTO part_words (part_words, rowid, text) VALUES ('delete', old.position, old.text);
  INSERT INTO part_words (rowid, text) VALUES (new.position, new.text);
END;
CREATE TRIGGER part_words_delete AFTER DELETE ON parts
  WHEN old.type = 'text' AND old.position <= (SELECT done_to FROM part_words_work WHERE rowid = 1) BEGIN
  INSERT INTO part_words (part_words, rowid, text) VALUES ('delete', old.position, old.text);
END;

-- Rooms that are closed now: no viewer is shown what was written there while they were open. What spaces, rooms and threads are called.
CREATE TABLE closed_rooms (audience TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE place_names (place TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- What models refused, as learned.ts reads it.
CREATE TABLE learned_models (
  model TEXT PRIMARY KEY,
  known TEXT NOT NULL,
  words TEXT NOT NULL,
  learned_at_ms INTEGER NOT NULL
) STRICT;
`;
