// Which messages of platforms an exchange in PostgreSQL was said in: by them the instance that hears of a change takes back what another one archived.
import type { Queryable } from '#base/postgres/postgres.ts';
import type { Sql } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import type { Exchange } from '#memory/types/exchange.ts';
import type { Audience } from '#memory/types/scope.ts';

/** A run whose exchange was taken back by another instance than the one that archived it. */
export interface TakenBackRun {
  runID: string;
  audience: Audience;
}

export interface SaidInWork {
  /** Notes the messages of an exchange that is stored, in the caller's transaction. */
  note(exchange: Exchange): Work<void>;
  /** What was taken back so long ago that the instance which archived it does not put the new words there any more; some of it. */
  due(): Work<TakenBackRun[]>;
}

/** The instance that archived a message, where it runs, has the new words there long before. */
const graceSeconds = 60;

/** The table `memory_said_in`; `instance` names the program that archives. */
export function createSaidIn(sql: Sql, instance: string): SaidInWork {
  const insert = sql.prepare<[object], never>(
    `INSERT INTO memory_said_in (row, native_id, instance)
     SELECT chunk.row, said.value, @instance FROM global_memory_chunks AS chunk, ${sql.dialect.eachText('@nativeIDs', 'said')}
     WHERE chunk.source_key = @key ON CONFLICT DO NOTHING`,
  );
  const due = sql.prepare<[], TakenBackRun>(
    `SELECT DISTINCT chunk.run_id AS "runID", chunk.audience FROM memory_said_in AS said
     JOIN global_memory_chunks AS chunk ON chunk.row = said.row
     WHERE said.taken_back_at < now() - interval '${graceSeconds} seconds' LIMIT 20`,
  );
  return {
    *note({ key, nativeIDs = [] }) {
      if (nativeIDs.length > 0) yield* insert.run({ key, instance, nativeIDs: JSON.stringify(nativeIDs) });
    },
    due: () => due.all(),
  };
}

/**
 * Hides at once what another instance archived of this message, and what was noted in the same run: it is forgotten a minute later, unless
 * its instance has put the new words in its place by then. Resolves with whether memory has anything of the message. `room` is the canonical
 * address of the chat without what stands behind its last colon, which names a thread.
 */
export async function takeBackSaid(
  database: Queryable,
  { nativeID, room, instance }: { nativeID: string; room: string; instance: string },
): Promise<boolean> {
  const [found] = await database.query<{ count: number }>(
    `WITH known AS (
       SELECT said.row, said.native_id, said.instance, chunk.run_id FROM memory_said_in AS said
       JOIN global_memory_chunks AS chunk ON chunk.row = said.row
       WHERE said.native_id = $1 AND regexp_replace(chunk.chat, ':[^:]*$', '') = $2),
     gone AS (
       UPDATE memory_said_in AS said SET taken_back_at = now() FROM known
       WHERE said.row = known.row AND said.native_id = known.native_id AND known.instance <> $3 RETURNING known.run_id),
     hidden AS (UPDATE global_memory_chunks SET expires_at_ms = 0 WHERE run_id IN (SELECT run_id FROM gone) AND run_id <> ''),
     notes AS (UPDATE memory_records SET expires_at_ms = 0 WHERE run_id IN (SELECT run_id FROM gone) AND run_id <> ''),
     answers AS (DELETE FROM memory_responses WHERE EXISTS (SELECT 1 FROM gone))
     SELECT count(*)::integer AS count FROM known`,
    [nativeID, room, instance],
  );
  return (found?.count ?? 0) > 0;
}
