// The artifacts table: which files runs wrote. Called inside transactions.
import { defined } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Artifact } from '#engine/wire/runs/artifact.ts';

/** `file` is for the person; `cut` is what did not fit into a tool's answer to the model. */
export type ArtifactKind = 'file' | 'cut';

interface StoredArtifact extends Artifact {
  sessionID: string;
  kind: ArtifactKind;
  createdAtMs: number;
}

interface Row {
  id: string;
  session_id: string;
  run_id: string;
  kind: ArtifactKind;
  name: string;
  media_type: string;
  size: number;
  path: string;
  created_at_ms: number;
  caption: string | null;
  voice: number;
}

export interface ArtifactRows {
  insert(artifact: StoredArtifact): void;
  get(id: string): StoredArtifact | undefined;
  /** Of both kinds, oldest first. */
  ofRun(runID: string): StoredArtifact[];
  ofSession(sessionID: string): StoredArtifact[];
  /** The files of a run that died belong to the run that resumes it. */
  inherit(from: string, to: string): void;
  removeSession(sessionID: string): void;
}

/** Statements over the engine's open database. */
export function createArtifactRows(database: Sqlite): ArtifactRows {
  const insert = database.prepare<Row>(
    `INSERT INTO artifacts (id, session_id, run_id, kind, name, media_type, size, path, created_at_ms, caption, voice)
     VALUES (:id, :session_id, :run_id, :kind, :name, :media_type, :size, :path, :created_at_ms, :caption, :voice)`,
  );
  const get = database.prepare<[string], Row>('SELECT * FROM artifacts WHERE id = ?');
  const ofRun = database.prepare<[string], Row>('SELECT * FROM artifacts WHERE run_id = ? ORDER BY position');
  const ofSession = database.prepare<[string], Row>(
    'SELECT * FROM artifacts WHERE session_id = ? ORDER BY position',
  );
  const removeSession = database.prepare<[string]>('DELETE FROM artifacts WHERE session_id = ?');
  const inherit = database.prepare<[string, string]>('UPDATE artifacts SET run_id = ? WHERE run_id = ?');
  return {
    insert({ id, sessionID, runID, kind, name, mediaType, size, path, createdAtMs, caption, voice }) {
      insert.run({
        id,
        session_id: sessionID,
        run_id: runID,
        kind,
        name,
        media_type: mediaType,
        size,
        path,
        created_at_ms: createdAtMs,
        caption: caption ?? null,
        voice: voice === true ? 1 : 0,
      });
    },
    get(id) {
      const row = get.get(id);
      return row && fromRow(row);
    },
    ofRun: (runID) => ofRun.all(runID).map(fromRow),
    ofSession: (sessionID) => ofSession.all(sessionID).map(fromRow),
    inherit(from, to) {
      inherit.run(to, from);
    },
    removeSession(sessionID) {
      removeSession.run(sessionID);
    },
  };
}

/** The artifact as clients read it. */
export function publicArtifact({
  id,
  runID,
  name,
  mediaType,
  size,
  path,
  ...more
}: StoredArtifact): Artifact {
  return { id, runID, name, mediaType, size, path, ...defined({ caption: more.caption, voice: more.voice }) };
}

function fromRow(row: Row): StoredArtifact {
  return {
    id: row.id,
    sessionID: row.session_id,
    runID: row.run_id,
    kind: row.kind,
    name: row.name,
    mediaType: row.media_type,
    size: row.size,
    path: row.path,
    createdAtMs: row.created_at_ms,
    ...defined({ caption: row.caption ?? undefined }),
    ...(row.voice === 1 && { voice: true as const }),
  };
}
