// Which entries were forgotten, when, by which person and why: their ids and audiences, never their words.
import type { Sql } from '#base/sql/sql.ts';
import type { Synchronous, Work } from '#base/sql/work.ts';
import type { Forgotten } from '#memory/types/maintenance.ts';
import type { AuditQuery } from '#memory/types/record.ts';
import type { Audience } from '#memory/types/scope.ts';

/** Who took away what was over a budget: forgetting it later is noted in the place of that. */
export const budgetActor = 'budget';

export interface ForgottenWork {
  /** Notes it inside the caller's transaction; an entry that is noted already has what was noted first. */
  note(entry: Forgotten): Work<number>;
  /** The entry of this id; undefined when it was never forgotten, or was not of that audience. */
  find(query: { id: string; of: AuditQuery['of'] }): Work<Forgotten | undefined>;
  /** All of them, for a file that comes in the place of this one. */
  all(): Work<Forgotten[]>;
}

export type ForgottenRows = Synchronous<ForgottenWork>;

interface Row {
  id: string;
  audience: string;
  at: number;
  by: string;
  reason: string | null;
}

const columns = 'id, audience, forgotten_at_ms AS at, actor AS "by", reason';

/** The statements over one database. */
export function createForgottenRows(sql: Sql): ForgottenWork {
  const insert = sql.prepare<[object], never>(
    `INSERT INTO memory_forgotten (id, audience, forgotten_at_ms, actor, reason)
     VALUES (@id, @audience, @at, @by, @reason) ON CONFLICT (id) DO UPDATE SET
       forgotten_at_ms = excluded.forgotten_at_ms, actor = excluded.actor, reason = excluded.reason
       WHERE memory_forgotten.actor = '${budgetActor}' AND excluded.actor <> '${budgetActor}'`,
  );
  const find = sql.prepare<[object], Row>(
    `SELECT ${columns} FROM memory_forgotten WHERE id = @id AND (@audience IS NULL OR audience = @audience)`,
  );
  const all = sql.prepare<[], Row>(`SELECT ${columns} FROM memory_forgotten`);
  return {
    note: (entry) => insert.run({ ...entry, at: Math.round(entry.at), reason: entry.reason ?? null }),
    *find({ id, of }) {
      const row = yield* find.get({ id, audience: of === 'every audience' ? null : of });
      return row && fromRow(row);
    },
    *all() {
      return (yield* all.all()).map(fromRow);
    },
  };
}

function fromRow({ audience, reason, ...row }: Row): Forgotten {
  return { ...row, audience: audience as Audience, reason: reason ?? undefined }; // `note` alone writes it
}
