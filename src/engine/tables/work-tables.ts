// The tables of what is done at other times and by several: schedules, webhooks, missions. Statements are next to the code that runs them.

/** After those of conversations. */
export const workTables = `
-- What is due at which times, for whom.
CREATE TABLE schedules (
  id TEXT PRIMARY KEY,
  key TEXT UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('proposed', 'active', 'done', 'stopped')),
  kind TEXT NOT NULL CHECK (kind IN ('text', 'prompt')),
  text TEXT NOT NULL,
  person TEXT NOT NULL,
  chat TEXT NOT NULL,
  zone TEXT,
  recurrence TEXT,
  anchor_ms INTEGER NOT NULL,
  next_at_ms INTEGER,
  words TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  fired_at_ms INTEGER,
  reason TEXT
) STRICT;
CREATE INDEX schedules_due ON schedules (next_at_ms) WHERE state = 'active';
CREATE INDEX schedules_person ON schedules (person);
CREATE INDEX schedules_chat ON schedules (chat);

CREATE TABLE person_times (person TEXT PRIMARY KEY, zone TEXT, quiet_from TEXT, quiet_until TEXT) STRICT;

-- Each time at which something is due, once, and which gateway sends it.
CREATE TABLE firings (
  id TEXT PRIMARY KEY,
  source TEXT NOT NULL CHECK (source IN ('schedule', 'hook')),
  source_id TEXT NOT NULL,
  occurrence TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('text', 'prompt')),
  text TEXT NOT NULL,
  chat TEXT NOT NULL,
  platform TEXT NOT NULL,
  person TEXT,
  zone TEXT,
  due_at_ms INTEGER NOT NULL,
  release_at_ms INTEGER NOT NULL,
  recurring INTEGER NOT NULL CHECK (recurring IN (0, 1)),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'taken', 'accepted', 'sent', 'skipped', 'refused', 'failed')),
  gateway TEXT,
  reason TEXT,
  made_at_ms INTEGER NOT NULL,
  settled_at_ms INTEGER,
  UNIQUE (source, source_id, occurrence)
) STRICT;
CREATE INDEX firings_open ON firings (platform, release_at_ms) WHERE settled_at_ms IS NULL;
CREATE INDEX firings_settled ON firings (settled_at_ms) WHERE settled_at_ms IS NOT NULL;
CREATE INDEX firings_waiting ON firings (release_at_ms) WHERE state = 'waiting';
CREATE INDEX firings_taken ON firings (gateway, release_at_ms) WHERE state = 'taken';
CREATE INDEX firings_made ON firings (source, source_id, made_at_ms);

-- Webhooks.
CREATE TABLE hooks (
  name TEXT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  chat TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('text', 'prompt')),
  template TEXT NOT NULL,
  per_minute INTEGER NOT NULL,
  secret TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'stopped')),
  reason TEXT,
  created_at_ms INTEGER NOT NULL,
  received_at_ms INTEGER
) STRICT, WITHOUT ROWID;

-- Missions of teams of agents, and their instances.
CREATE TABLE team_missions (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL,
  session_id TEXT,
  run_id TEXT,
  message_id TEXT UNIQUE,
  agent TEXT,
  origin TEXT,
  can_ask INTEGER NOT NULL,
  budget TEXT NOT NULL,
  warnings TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'failed', 'cancelled', 'interrupted')),
  reason TEXT,
  exhausted TEXT,
  created_at_ms INTEGER NOT NULL,
  ended_at_ms INTEGER
) STRICT;
CREATE INDEX team_missions_by_session ON team_missions (session_id);
CREATE INDEX team_missions_by_run ON team_missions (run_id);
CREATE INDEX team_missions_active ON team_missions (position) WHERE status = 'active';

CREATE TABLE team_instances (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  mission_id TEXT NOT NULL REFERENCES team_missions (id),
  parent_id TEXT,
  depth INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL UNIQUE,
  request_hash TEXT NOT NULL,
  source TEXT NOT NULL,
  template_id TEXT NOT NULL,
  display_name TEXT NOT NULL,
  role TEXT NOT NULL,
  task TEXT NOT NULL,
  justification TEXT,
  profile TEXT NOT NULL,
  skill_hash TEXT,
  session_id TEXT NOT NULL UNIQUE,
  run_id TEXT UNIQUE,
  granted TEXT NOT NULL,
  spent TEXT NOT NULL,
  priced INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'interrupted')),
  stopping INTEGER NOT NULL DEFAULT 0,
  discarded INTEGER NOT NULL DEFAULT 0,
  exhausted TEXT,
  error TEXT,
  created_at_ms INTEGER NOT NULL,
  ended_at_ms INTEGER
) STRICT;
CREATE INDEX team_instances_by_mission ON team_instances (mission_id, position);
CREATE INDEX team_instances_open ON team_instances (position) WHERE status IN ('queued', 'running');

CREATE TABLE team_approvals (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  request TEXT NOT NULL,
  idempotency_key TEXT UNIQUE,
  role TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'expired')),
  reason TEXT,
  requested_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  settled_at_ms INTEGER
) STRICT;
CREATE INDEX team_approvals_pending ON team_approvals (position) WHERE state = 'pending';
`;
