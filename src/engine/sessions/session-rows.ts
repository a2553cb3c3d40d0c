// The sessions table. Called inside transactions, so synchronous; the door is sessions.ts.
import { defined } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite.ts';

export const sessionSchema = `
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
    updated_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

export interface Session {
  id: string;
  /** Absent until the first text gives one. */
  title?: string | undefined;
  projectID?: string | undefined;
  directory?: string | undefined;
  sourceKind?: 'channel' | 'api' | undefined;
  sourceMetadata?: Record<string, unknown> | undefined;
  /** The model of the newest run. */
  model?: { providerID: string; modelID: string } | undefined;
  createdAtMs: number;
  updatedAtMs: number;
}

interface Row {
  id: string;
  title: string | null;
  project_id: string | null;
  directory: string | null;
  source_kind: 'channel' | 'api' | null;
  source_metadata: string | null;
  provider_id: string | null;
  model_id: string | null;
  created_at_ms: number;
  updated_at_ms: number;
}

export interface SessionRows {
  insert(session: Session): void;
  get(id: string): Session | undefined;
  /** Newest first. */
  page(page: { limit: number; offset: number }): Session[];
  /** Notes that something happened in the session, and what came to be known by it. */
  touch(id: string, now: number, facts?: Pick<Session, 'title' | 'model'>): void;
}

/** Statements over a database with `sessionSchema`. */
export function createSessionRows(database: Sqlite): SessionRows {
  const insert = database.prepare<Row>(
    `INSERT INTO sessions (id, title, project_id, directory, source_kind, source_metadata, provider_id, model_id,
       created_at_ms, updated_at_ms)
     VALUES (:id, :title, :project_id, :directory, :source_kind, :source_metadata, :provider_id, :model_id,
       :created_at_ms, :updated_at_ms)`,
  );
  const select = database.prepare<[string], Row>('SELECT * FROM sessions WHERE id = ?');
  const page = database.prepare<[number, number], Row>(
    'SELECT * FROM sessions ORDER BY id DESC LIMIT ? OFFSET ?',
  );
  const touch = database.prepare<[number, string | null, string | null, string | null, string]>(
    `UPDATE sessions SET updated_at_ms = ?, title = coalesce(?, title), provider_id = coalesce(?, provider_id),
       model_id = coalesce(?, model_id) WHERE id = ?`,
  );
  return {
    insert(session) {
      insert.run(toRow(session));
    },
    get(id) {
      const row = select.get(id);
      return row === undefined ? undefined : fromRow(row);
    },
    page: ({ limit, offset }) => page.all(limit, offset).map(fromRow),
    touch(id, now, facts = {}) {
      touch.run(now, facts.title ?? null, facts.model?.providerID ?? null, facts.model?.modelID ?? null, id);
    },
  };
}

function toRow(session: Session): Row {
  return {
    id: session.id,
    title: session.title ?? null,
    project_id: session.projectID ?? null,
    directory: session.directory ?? null,
    source_kind: session.sourceKind ?? null,
    source_metadata: session.sourceMetadata === undefined ? null : JSON.stringify(session.sourceMetadata),
    provider_id: session.model?.providerID ?? null,
    model_id: session.model?.modelID ?? null,
    created_at_ms: session.createdAtMs,
    updated_at_ms: session.updatedAtMs,
  };
}

function fromRow(row: Row): Session {
  return {
    id: row.id,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    ...defined({
      title: row.title ?? undefined,
      projectID: row.project_id ?? undefined,
      directory: row.directory ?? undefined,
      sourceKind: row.source_kind ?? undefined,
      sourceMetadata: row.source_metadata === null ? undefined : JSON.parse(row.source_metadata),
      model:
        row.provider_id === null || row.model_id === null
          ? undefined
          : { providerID: row.provider_id, modelID: row.model_id },
    }),
  };
}
