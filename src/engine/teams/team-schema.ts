// The tables of teams as they came to be: each change appended, none edited once shipped. Statements are in the rows' files.

export const teamTablesSchema = `
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
    status TEXT NOT NULL
      CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'interrupted')),
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
