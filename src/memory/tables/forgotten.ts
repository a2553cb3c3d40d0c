// Which entries were forgotten, when, by which person and why: their ids and audiences, never their words.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Forgotten } from '#memory/types/maintenance.ts';
import type { AuditQuery } from '#memory/types/record.ts';
import type { Audience } from '#memory/types/scope.ts';

/** Who took away what was over a budget: forgetting it later is noted in the place of that. */
export const budgetActor = 'budget';

export interface ForgottenRows {
  /** Notes it inside the caller's transaction; an entry that is noted already has what was noted first. */
  note(entry: Forgotten): void;
  /** The entry of this id; undefined when it was never forgotten, or was not of that audience. */
  find(query: { id: string; of: AuditQuery['of'] }): Forgotten | undefined;
  /** All of them, for a file that comes in the place of this one. */
  all(): Forgotten[];
}

interface Row {
  id: string;
  audience: string;
  at: number;
  by: string;
  reason: string | null;
}

const columns = 'id, audience, forgotten_at_ms AS at, actor AS "by", reason';

/** The statements over one open database. */
export function createForgottenRows(database: Sqlite): ForgottenRows {
  const insert = database.prepare<[object]>(
    `INSERT INTO memory_forgotten (id, audience, forgotten_at_ms, actor, reason)
     VALUES (@id, @audience, @at, @by, @reason) ON CONFLICT (id) DO UPDATE SET
       forgotten_at_ms = @at, actor = @by, reason = @reason WHERE actor = '${budgetActor}' AND @by <> '${budgetActor}'`,
  );
  const find = database.prepare<[object], Row>(
    `SELECT ${columns} FROM memory_forgotten WHERE id = @id AND (@audience IS NULL OR audience = @audience)`,
  );
  const all = database.prepare<[], Row>(`SELECT ${columns} FROM memory_forgotten`);
  return {
    note: (entry) => void insert.run({ ...entry, at: Math.round(entry.at), reason: entry.reason ?? null }),
    find({ id, of }) {
      const row = find.get({ id, audience: of === 'every audience' ? null : of });
      return row && fromRow(row);
    },
    all: () => all.all().map(fromRow),
  };
}

function fromRow({ audience, reason, ...row }: Row): Forgotten {
  return { ...row, audience: audience as Audience, reason: reason ?? undefined }; // `note` alone writes it
}
