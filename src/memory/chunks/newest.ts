// The newest rows of one audience, a page at a time: what is read of a memory of a million is the page, not the memory.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { audiencePredicate, type ScopeFilter } from '#memory/tables/audience.ts';

export interface NewestQuery {
  /** Only what was written before this time, in milliseconds since the epoch. */
  until: number;
  limit: number;
  offset: number;
  /** Only some of these rows; all of the audience when absent. */
  among?: readonly number[] | undefined;
}

/** Rows, newest first; undefined for a scope that reads more than one audience. */
export type Newest = (query: NewestQuery, readable: ScopeFilter) => number[] | undefined;

export function createNewest(database: Sqlite): Newest {
  const page = `AND at_ms < @until AND ${audiencePredicate}
    ORDER BY at_ms DESC, row DESC LIMIT @limit OFFSET @offset`;
  const all = database
    .prepare<[object], number>(`SELECT row FROM global_memory_chunks WHERE audience = @audience ${page}`)
    .pluck();
  const some = database
    .prepare<[object], number>(
      `SELECT row FROM json_each(@among) CROSS JOIN global_memory_chunks ON row = value
       WHERE audience = @audience ${page}`,
    )
    .pluck();
  return ({ among, ...query }, { parameters }) => {
    const audience = onlyAudience(parameters);
    if (audience === undefined) return undefined;
    const values = { ...parameters, ...query, audience };
    return among === undefined ? all.all(values) : some.all({ ...values, among: JSON.stringify(among) });
  };
}

function onlyAudience({
  audiences,
  spaces,
  everyone,
}: Pick<ScopeFilter['parameters'], 'audiences' | 'spaces' | 'everyone'>): string | undefined {
  const names = JSON.parse(audiences) as string[]; // as `readableBy` wrote it
  return names.length === 1 && spaces === '[]' && everyone === 0 ? names[0] : undefined;
}
