// The tables of memory in PostgreSQL: those of SQLite with the same names and columns, and what takes the place of full text and sign bits.
import type { PostgresSchema } from '#base/postgres/migrations.ts';
import { journalPostgresSchema } from './journal-schema.ts';

/** Texts are compared by their bytes, as SQLite does, whatever the language of the database. */
const text = 'text COLLATE "C"';
const audience = `${text} NOT NULL CHECK (audience LIKE 'person:_%' OR audience LIKE 'room:_%')`;
const flag = 'smallint NOT NULL CHECK';

const chunks = `
CREATE TABLE global_memory_chunks (
  row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id ${text} NOT NULL UNIQUE,
  audience ${audience},
  space ${text},
  restricted ${flag} (restricted IN (0, 1)),
  tier ${text} NOT NULL DEFAULT 'global' CHECK (tier IN ('session', 'project', 'global')),
  partition ${text},
  expires_at_ms bigint,
  source ${text} NOT NULL CHECK (source IN
    ('exchange', 'turn', 'document', 'note', 'fact', 'solution_capsule', 'procedure', 'episode', 'preference')),
  source_key ${text} NOT NULL,
  source_hash ${text} NOT NULL UNIQUE,
  content_hash ${text} NOT NULL,
  ordinal integer NOT NULL,
  at_ms bigint NOT NULL,
  last_said_at_ms bigint NOT NULL,
  created_at_ms bigint NOT NULL,
  speaker ${text} NOT NULL,
  person ${text} NOT NULL,
  platform ${text} NOT NULL,
  chat ${text} NOT NULL,
  session_id ${text} NOT NULL,
  project_id ${text},
  workspace_root ${text},
  run_id ${text} NOT NULL,
  message_ids ${text} NOT NULL,
  token_count integer NOT NULL,
  analyzer integer NOT NULL,
  language ${text},
  content ${text} NOT NULL,
  user_text ${text} NOT NULL,
  assistant_text ${text} NOT NULL,
  said_terms ${text} NOT NULL,
  answered_terms ${text} NOT NULL,
  about_terms ${text} NOT NULL,
  scope_terms ${text} NOT NULL,
  metadata ${text} NOT NULL,
  UNIQUE (audience, content_hash)
);
CREATE INDEX global_memory_chunks_source ON global_memory_chunks (source_key, ordinal);
CREATE INDEX global_memory_chunks_session ON global_memory_chunks (session_id, source, row);
CREATE INDEX global_memory_chunks_newest ON global_memory_chunks (audience, at_ms, row);
CREATE INDEX global_memory_chunks_open ON global_memory_chunks (space, at_ms, row) WHERE restricted = 0;
CREATE INDEX global_memory_chunks_all ON global_memory_chunks (at_ms, row);

CREATE TABLE memory_audiences (audience ${text} PRIMARY KEY, entries bigint NOT NULL);
CREATE INDEX memory_audiences_largest ON memory_audiences (entries DESC, audience);
CREATE TABLE memory_closed_rooms (room ${text} PRIMARY KEY CHECK (room LIKE 'room:_%'));
`;

/**
 * The words of each chunk, each marked with the columns that it is in, and all words of texts, for finding what a misspelt one meant. A word
 * that no chunk holds any more goes with the last that held it.
 */
const words = `
CREATE TABLE memory_chunk_words (
  row bigint PRIMARY KEY REFERENCES global_memory_chunks (row) ON DELETE CASCADE,
  words tsvector NOT NULL
);
CREATE INDEX memory_chunk_words_words ON memory_chunk_words USING gin (words);
CREATE TABLE memory_words (word ${text} PRIMARY KEY);
`;

/** `bits` has a bit for each dimension that is above 0. */
const vectors = `
CREATE TABLE embedding_models (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name ${text} NOT NULL UNIQUE,
  dimensions integer NOT NULL,
  created_at_ms bigint NOT NULL
);
CREATE TABLE memory_embeddings (
  row bigint NOT NULL REFERENCES global_memory_chunks (row) ON DELETE CASCADE,
  model integer NOT NULL REFERENCES embedding_models (id),
  text_hash ${text} NOT NULL,
  embedding bytea,
  bits bit varying,
  refusal ${text},
  ask_again ${text} CHECK (ask_again IN ('after success', 'now', 'at start')),
  PRIMARY KEY (row, model)
);
CREATE INDEX memory_embeddings_text ON memory_embeddings (model, text_hash) WHERE embedding IS NOT NULL;
CREATE TABLE memory_embedding_cache (
  model integer NOT NULL,
  text_hash ${text} NOT NULL,
  embedding bytea NOT NULL,
  PRIMARY KEY (model, text_hash)
);
CREATE TABLE memory_embedding_work (
  model integer PRIMARY KEY REFERENCES embedding_models (id),
  done_to bigint NOT NULL,
  failures integer NOT NULL,
  next_try_at_ms bigint NOT NULL,
  last_error ${text}
);
`;

const records = `
CREATE TABLE memory_records (
  row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id ${text} NOT NULL UNIQUE,
  lineage_id ${text} NOT NULL,
  version integer NOT NULL,
  state ${text} NOT NULL CHECK (state IN ('active', 'superseded', 'retracted')),
  demoted ${flag} (demoted IN (0, 1)),
  audience ${audience},
  space ${text},
  restricted ${flag} (restricted IN (0, 1)),
  tier ${text} NOT NULL CHECK (tier IN ('session', 'project', 'global')),
  session_id ${text} NOT NULL,
  project_id ${text},
  expires_at_ms bigint,
  partition ${text},
  kind ${text} NOT NULL CHECK (kind IN ('note', 'fact', 'solution_capsule', 'procedure', 'episode', 'preference')),
  record_key ${text},
  tags ${text} NOT NULL DEFAULT '[]',
  pinned smallint NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  user_id ${text} NOT NULL,
  agent ${text} NOT NULL,
  channel_tag ${text},
  host_tag ${text},
  sensitivity ${text} NOT NULL CHECK (sensitivity IN ('public', 'private', 'sensitive')),
  confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  platform ${text} NOT NULL,
  chat ${text} NOT NULL,
  run_id ${text} NOT NULL,
  message_ids ${text} NOT NULL,
  content_hash ${text} NOT NULL,
  redaction_status ${text} NOT NULL CHECK (redaction_status IN ('passed', 'redacted')),
  redaction_count integer NOT NULL,
  reason ${text},
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL,
  evidence ${text} NOT NULL,
  artifact_refs ${text} NOT NULL,
  metadata ${text} NOT NULL,
  content ${text} NOT NULL,
  terms ${text} NOT NULL,
  words tsvector NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX memory_records_version ON memory_records (lineage_id, version);
CREATE INDEX memory_records_content ON memory_records (audience, content_hash);
CREATE INDEX memory_records_key ON memory_records (record_key, audience) WHERE record_key IS NOT NULL;
CREATE INDEX memory_records_pinned ON memory_records (audience) WHERE pinned = 1;
CREATE INDEX memory_records_words ON memory_records USING gin (words);

CREATE TABLE memory_knowledge (
  item_id ${text} PRIMARY KEY,
  coverage_key ${text} NOT NULL,
  of_lineage ${text} NOT NULL,
  promoted_record ${text} NOT NULL,
  subject ${text} NOT NULL,
  task_family ${text} NOT NULL,
  namespace ${text},
  for_project ${text},
  trust ${text} NOT NULL CHECK (trust IN ('promoted', 'approved_default')),
  promoted_at_ms bigint NOT NULL,
  promoted_by ${text} NOT NULL,
  fresh_until_ms bigint,
  why ${text},
  UNIQUE (of_lineage, coverage_key)
);
CREATE INDEX memory_knowledge_coverage ON memory_knowledge (coverage_key);

CREATE TABLE memory_signals (
  row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  of_lineage ${text} NOT NULL,
  outcome ${text} NOT NULL CHECK (outcome IN ('success', 'failure')),
  actor ${text} NOT NULL,
  run_id ${text},
  note ${text},
  at_ms bigint NOT NULL,
  UNIQUE (of_lineage, run_id)
);

CREATE TABLE memory_episode_sources (
  chunk_id ${text} PRIMARY KEY,
  of_record ${text} NOT NULL,
  source_key ${text} NOT NULL,
  line integer NOT NULL,
  audience ${text} NOT NULL,
  person ${text} NOT NULL,
  chat ${text} NOT NULL,
  session_id ${text} NOT NULL,
  run_id ${text} NOT NULL,
  project_id ${text},
  at_ms bigint NOT NULL,
  content_hash ${text} NOT NULL DEFAULT '',
  partition ${text},
  claims ${text} NOT NULL DEFAULT '[]'
);
CREATE INDEX memory_episode_sources_record ON memory_episode_sources (of_record);
CREATE INDEX memory_episode_sources_key ON memory_episode_sources (source_key);
`;

const audit = `
CREATE TABLE memory_audit_retention (before_ms bigint NOT NULL);
INSERT INTO memory_audit_retention (before_ms) VALUES (0);
CREATE TABLE memory_audit (
  row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id ${text} NOT NULL UNIQUE,
  at_ms bigint NOT NULL,
  action ${text} NOT NULL,
  actor ${text} NOT NULL,
  run_id ${text},
  session_id ${text},
  audience ${text} NOT NULL,
  ids ${text} NOT NULL,
  detail ${text} NOT NULL
);
CREATE INDEX memory_audit_audience ON memory_audit (audience, row);
CREATE TABLE memory_tombstones (hash ${text} PRIMARY KEY, forgotten_at_ms bigint NOT NULL);
CREATE TABLE memory_forgotten (
  id ${text} PRIMARY KEY,
  audience ${text} NOT NULL,
  forgotten_at_ms bigint NOT NULL,
  actor ${text} NOT NULL,
  reason ${text}
);
`;

const sources = `
CREATE TABLE memory_sources (
  key ${text} PRIMARY KEY,
  path ${text} NOT NULL,
  audience ${text} NOT NULL,
  project_id ${text},
  format ${text} NOT NULL,
  content_hash ${text} NOT NULL,
  chunks integer NOT NULL,
  imported_at_ms bigint NOT NULL
);
CREATE TABLE memory_shared_passages (
  source_key ${text} NOT NULL,
  ordinal integer NOT NULL,
  audience ${text} NOT NULL,
  content_hash ${text} NOT NULL,
  restricted ${flag} (restricted IN (0, 1)),
  place ${text} NOT NULL,
  PRIMARY KEY (source_key, ordinal)
);
CREATE INDEX memory_shared_passages_content ON memory_shared_passages (audience, content_hash);
CREATE TABLE memory_responses (
  row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key ${text} NOT NULL,
  audience ${audience},
  session_id ${text} NOT NULL,
  model ${text} NOT NULL,
  text ${text} NOT NULL,
  kept_at_ms bigint NOT NULL,
  UNIQUE (key, audience)
);
`;

/** What SQLite's triggers do. */
const triggers = `
CREATE FUNCTION memory_chunk_gone() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE memory_audiences SET entries = entries - 1 WHERE audience = old.audience;
  DELETE FROM memory_audiences WHERE audience = old.audience AND entries = 0;
  RETURN NULL;
END $$;
CREATE TRIGGER memory_chunk_gone AFTER DELETE ON global_memory_chunks
  FOR EACH ROW EXECUTE FUNCTION memory_chunk_gone();

CREATE FUNCTION memory_chunk_moved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO memory_audiences (audience, entries) VALUES (new.audience, 1)
    ON CONFLICT (audience) DO UPDATE SET entries = memory_audiences.entries + 1;
  UPDATE memory_audiences SET entries = entries - 1 WHERE audience = old.audience;
  DELETE FROM memory_audiences WHERE audience = old.audience AND entries = 0;
  RETURN NULL;
END $$;
CREATE TRIGGER memory_chunk_moved AFTER UPDATE OF audience ON global_memory_chunks
  FOR EACH ROW WHEN (old.audience <> new.audience) EXECUTE FUNCTION memory_chunk_moved();

CREATE FUNCTION memory_chunk_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM memory_embeddings WHERE row = old.row;
  UPDATE memory_embedding_work SET done_to = least(done_to, old.row - 1);
  RETURN NULL;
END $$;
CREATE TRIGGER memory_chunk_changed AFTER UPDATE OF content ON global_memory_chunks
  FOR EACH ROW WHEN (old.content <> new.content) EXECUTE FUNCTION memory_chunk_changed();

CREATE FUNCTION memory_record_gone() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM memory_knowledge WHERE of_lineage = old.lineage_id;
  IF NOT EXISTS (SELECT 1 FROM memory_records WHERE lineage_id = old.lineage_id) THEN
    DELETE FROM memory_signals WHERE of_lineage = old.lineage_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER memory_record_gone AFTER DELETE ON memory_records
  FOR EACH ROW EXECUTE FUNCTION memory_record_gone();

CREATE FUNCTION memory_audit_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' AND old.action NOT IN ('forget', 'redact')
    AND old.at_ms < (SELECT before_ms FROM memory_audit_retention) THEN RETURN old; END IF;
  RAISE EXCEPTION 'the audit is only added to';
END $$;
CREATE TRIGGER memory_audit_kept BEFORE UPDATE OR DELETE ON memory_audit
  FOR EACH ROW EXECUTE FUNCTION memory_audit_kept();
`;

/**
 * The messages in which exchanges were said, by the ids of their platforms, and which instance archived them. `taken_back_at`: another
 * instance heard that the message was changed or deleted.
 */
const saidIn = `
CREATE TABLE memory_said_in (
  row bigint NOT NULL REFERENCES global_memory_chunks (row) ON DELETE CASCADE,
  native_id ${text} NOT NULL,
  instance ${text} NOT NULL,
  taken_back_at timestamptz,
  PRIMARY KEY (native_id, row)
);
CREATE INDEX memory_said_in_row ON memory_said_in (row);
CREATE INDEX memory_said_in_taken_back ON memory_said_in (taken_back_at) WHERE taken_back_at IS NOT NULL;
`;

/** All of them. */
export const memoryPostgresSchema: PostgresSchema = {
  part: 'memory',
  migrations: [
    chunks + words + vectors + records + audit + sources + triggers + journalPostgresSchema,
    saidIn,
  ],
};
