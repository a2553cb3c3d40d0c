// Cached answers: derived, bounded, only for the place where they were asked, and gone as soon as anything is forgotten.
import type { Sql } from '#base/sql/sql.ts';
import type { Synchronous, Work } from '#base/sql/work.ts';
import type { CachedResponse, ResponseQuery, ResponseSelection } from '#memory/types/response.ts';
import { readableBy, readingIn } from './audience.ts';

export interface ResponseWork {
  /** Stores it in the place of an older one, in the caller's transaction. */
  put(response: CachedResponse, now: number): Work<void>;
  /** The answer, from the scope's own audiences only. Throws `missing_scope`. */
  get(query: ResponseQuery): Work<string | undefined>;
  /** Takes them away; how many. */
  drop(which?: ResponseSelection): Work<number>;
  count(): Work<number>;
}

export type Responses = Synchronous<ResponseWork>;

/** The cached answers of one database. */
export function createResponses(sql: Sql): ResponseWork {
  const { ownAudience, writtenSince } = readingIn(sql.dialect);
  const put = sql.prepare<[object], never>(
    `INSERT INTO memory_responses (key, audience, session_id, model, text, kept_at_ms)
     VALUES (@key, @audience, @sessionID, @model, @text, @now)
     ON CONFLICT (key, audience) DO UPDATE SET session_id = excluded.session_id, model = excluded.model,
       text = excluded.text, kept_at_ms = excluded.kept_at_ms`,
  );
  const trim = sql.prepare<[number, number], never>(
    `DELETE FROM memory_responses WHERE row IN
       (SELECT row FROM memory_responses ORDER BY kept_at_ms DESC, row DESC LIMIT ? OFFSET ?)`,
  );
  const get = sql.pluck<[object], string>(
    `SELECT text FROM memory_responses WHERE key = @key AND kept_at_ms >= @after AND session_id <> @sessionID
       AND ${ownAudience} AND ${writtenSince('kept_at_ms')} LIMIT 1`,
  );
  const drop = sql.prepare<[object], never>(
    `DELETE FROM memory_responses
     WHERE (@sessionID IS NULL OR session_id = @sessionID) AND (@before IS NULL OR kept_at_ms < @before)`,
  );
  const count = sql.pluck<[], number>('SELECT count(*) FROM memory_responses');
  return {
    *put({ most, ...row }, now) {
      yield* put.run({ ...row, now: Math.round(now) });
      yield* trim.run(Number.MAX_SAFE_INTEGER, most);
    },
    get({ key, scope, sessionID, since: after }) {
      const { audiences, since } = readableBy(scope).parameters;
      return get.get({ key, sessionID, after, audiences, since });
    },
    drop: ({ sessionID = null, before = null } = {}) => drop.run({ sessionID, before }),
    *count() {
      return (yield* count.get()) ?? 0;
    },
  };
}
