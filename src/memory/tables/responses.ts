// Cached answers: derived, bounded, only for the place where they were asked, and gone as soon as anything is forgotten.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { CachedResponse, ResponseQuery, ResponseSelection } from '#memory/types/response.ts';
import { readableBy, writtenSince } from './audience.ts';

export interface Responses {
  /** Stores it in the place of an older one. */
  put(response: CachedResponse, now: number): void;
  /** The answer, from the scope's own audiences only. Throws `missing_scope`. */
  get(query: ResponseQuery): string | undefined;
  /** Takes them away; how many. */
  drop(which?: ResponseSelection): number;
  count(): number;
}

/** The cached answers of one open database. */
export function createResponses(database: Sqlite): Responses {
  const put = database.prepare<[object]>(
    `INSERT INTO memory_responses (key, audience, session_id, model, text, kept_at_ms)
     VALUES (@key, @audience, @sessionID, @model, @text, @now)
     ON CONFLICT (key, audience) DO UPDATE SET session_id = @sessionID, model = @model, text = @text, kept_at_ms = @now`,
  );
  const trim = database.prepare<[number]>(
    `DELETE FROM memory_responses WHERE rowid IN
       (SELECT rowid FROM memory_responses ORDER BY kept_at_ms DESC, rowid DESC LIMIT -1 OFFSET ?)`,
  );
  const get = database
    .prepare<[object], string>(
      `SELECT text FROM memory_responses WHERE key = @key AND kept_at_ms >= @after AND session_id <> @sessionID
         AND audience IN (SELECT value FROM json_each(@audiences)) AND ${writtenSince('kept_at_ms')} LIMIT 1`,
    )
    .pluck();
  const drop = database.prepare<[object]>(
    `DELETE FROM memory_responses
     WHERE (@sessionID IS NULL OR session_id = @sessionID) AND (@before IS NULL OR kept_at_ms < @before)`,
  );
  const count = database.prepare<[], number>('SELECT count(*) FROM memory_responses').pluck();
  const save = database.transaction(({ most, ...row }: CachedResponse, now: number) => {
    put.run({ ...row, now: Math.round(now) });
    trim.run(most);
  });
  return {
    put: (response, now) => save.immediate(response, now),
    get({ key, scope, sessionID, since: after }) {
      const { audiences, since } = readableBy(scope).parameters;
      return get.get({ key, sessionID, after, audiences, since });
    },
    drop: ({ sessionID = null, before = null } = {}) => drop.run({ sessionID, before }).changes,
    count: () => count.get() ?? 0,
  };
}
