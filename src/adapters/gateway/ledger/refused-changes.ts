// Changes of messages that the engine keeps refusing: how often and since when, over restarts, and which hold up nothing any more.
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

interface RefusedChange {
  times: number;
  /** When it was refused first. */
  since: number;
  isAside: boolean;
}

export interface RefusedChanges {
  /** Counts one refusal and returns all of this change. */
  note(change: string, at: number): RefusedChange;
  /** From now on nothing waits for it. */
  setAside(change: string, at: number): void;
  /** The engine has it. */
  taken(change: string): void;
}

/** The table `refused_changes`. */
export function createRefusedChanges(database: Sqlite): RefusedChanges {
  const insert = database.prepare<
    { change: string; at: number },
    { times: number; since: number; aside: number | null }
  >(
    `INSERT INTO refused_changes (change, refusals, since_ms) VALUES (@change, 1, @at)
     ON CONFLICT DO UPDATE SET refusals = refusals + 1
     RETURNING refusals AS times, since_ms AS since, set_aside_at_ms AS aside`,
  );
  const setAside = database.prepare<[number, string]>(
    'UPDATE refused_changes SET set_aside_at_ms = ? WHERE change = ?',
  );
  const remove = database.prepare<[string]>('DELETE FROM refused_changes WHERE change = ?');
  const some = createRareRows(database, "refused_changes WHERE change > ''");
  return {
    note(change, at) {
      some.written();
      const { times, since, aside } = insert.get({ change, at }) ?? { times: 1, since: at, aside: null };
      return { times, since, isAside: aside !== null };
    },
    setAside: (change, at) => void setAside.run(at, change),
    taken: (change) => void (some.exist() && remove.run(change)),
  };
}
