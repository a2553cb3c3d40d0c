// Passages as short-term memory reads them: what a person said or noted, where, and whether it still holds. Of one audience only.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Audience } from '#memory/types/scope.ts';
import type { Source } from './chunk-row.ts';

export interface Passage {
  id: string;
  audience: Audience;
  source: Source;
  sourceKey: string;
  platform: string;
  speaker: string;
  person: string;
  /** Of a passage of a memory file: its path. */
  sessionID: string;
  runID: string;
  /** When it was written last. */
  at: number;
  /** What the person said, without the answer. */
  said: string;
  /** True when it is one of several pieces, which may end in the middle of a sentence. */
  isPiece: boolean;
}

export interface Passages {
  /** Of the audience itself, global and not expired, and of no agent's own memory: what is made of it is for all agents. */
  byID(id: string, audience: Audience): Passage | undefined;
  ofSource(sourceKey: string, audience: Audience): Passage[];
}

interface Row extends Omit<Passage, 'isPiece'> {
  pieces: number;
}

/** The statements over one open database. */
export function createPassages(database: Sqlite): Passages {
  const select = `SELECT id, audience, source, source_key AS sourceKey, platform, speaker, person, session_id AS sessionID, run_id AS runID,
      last_said_at_ms AS at, user_text AS said, json_extract(metadata, '$.pieces') AS pieces
    FROM global_memory_chunks
    WHERE audience = @audience AND partition IS NULL AND tier = 'global' AND (expires_at_ms IS NULL OR expires_at_ms > now_ms())`;
  const byID = database.prepare<[object], Row>(`${select} AND id = @id`);
  const ofSource = database.prepare<[object], Row>(`${select} AND source_key = @sourceKey ORDER BY ordinal`);
  const passageOf = ({ pieces, ...row }: Row): Passage => ({ ...row, isPiece: pieces > 1 });
  return {
    byID(id, audience) {
      const row = byID.get({ id, audience });
      return row && passageOf(row);
    },
    ofSource: (sourceKey, audience) => ofSource.all({ sourceKey, audience }).map(passageOf),
  };
}
