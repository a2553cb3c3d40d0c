// The newest rows that a scope may read, a page at a time: what is read of a memory of a million is the page, not the memory.
import type { Sql } from '#base/sql/sql.ts';
import { Answered, type Work } from '#base/sql/work.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { audiencePredicate, readingIn, type ScopeFilter } from '#memory/tables/audience.ts';

/** Where a row is in the order of a list: by its time in milliseconds since the epoch, then by its number. */
export interface Position {
  at: number;
  row: number;
}

interface NewestQuery {
  /** Only what comes after this position, which is older. */
  after: Position;
  limit: number;
  /** So many of the newest are passed over. */
  offset: number;
  /** Only some of these rows; all of the scope when absent. */
  among?: readonly number[] | undefined;
}

/** Positions of rows of the scope, newest first. */
export type NewestWork = (query: NewestQuery, readable: ScopeFilter) => Work<Position[]>;

/** Rows of one owner: an audience, or a space with what is open in it. */
type OfOne = (name: string | null, values: object) => Position[];

/** Rows of one owner that are read in one step while the rows of several are merged. */
const step = 32;

/**
 * Reading the newest rows of one open database. Each audience and each space of the scope has its rows in an index by time, from which no
 * more is read than the page needs.
 */
export function createNewest(database: Sqlite): NewestWork {
  const read = createRead(database);
  return (query, readable) => new Answered(read(query, readable));
}

function createRead(database: Sqlite) {
  const page = `(at_ms, row) < (@at, @row) AND ${audiencePredicate} ORDER BY at_ms DESC, row DESC`;
  const ofOne = (index: string, where: string): OfOne => {
    const rows = database.prepare<[object], Position>(
      `SELECT at_ms AS at, row FROM global_memory_chunks INDEXED BY ${index} WHERE ${where} AND ${page}
       LIMIT @limit OFFSET @offset`,
    );
    return (name, values) => rows.all({ ...values, name });
  };
  const ofAudience = ofOne('global_memory_chunks_newest', 'audience = @name');
  const ofSpace = ofOne('global_memory_chunks_open', 'restricted = 0 AND space IS @name');
  const spaces = database
    .prepare<[], string | null>(
      // from one space to the next by the index, without the rows between them
      `WITH RECURSIVE each (space) AS (
         SELECT min(space) FROM global_memory_chunks INDEXED BY global_memory_chunks_open WHERE restricted = 0
         UNION ALL
         SELECT (SELECT min(space) FROM global_memory_chunks INDEXED BY global_memory_chunks_open
                 WHERE restricted = 0 AND space > each.space)
         FROM each WHERE each.space IS NOT NULL)
       SELECT space FROM each`,
    )
    .pluck();
  const some = database.prepare<[object], Position>(
    `SELECT at_ms AS at, row FROM json_each(@among) CROSS JOIN global_memory_chunks ON row = value
     WHERE ${page} LIMIT @limit OFFSET @offset`,
  );

  return ({ after, limit, offset, among }: NewestQuery, { parameters }: ScopeFilter): Position[] => {
    const values = { ...parameters, ...after, limit, offset };
    if (among !== undefined) return some.all({ ...values, among: JSON.stringify(among) });
    const audiences = JSON.parse(parameters.audiences) as string[]; // as `readableBy` wrote them
    const open = parameters.everyone === 1 ? spaces.all() : (JSON.parse(parameters.spaces) as string[]);
    const owners = [
      ...audiences.map((name) => [ofAudience, name] as const),
      ...open.map((name) => [ofSpace, name] as const),
    ];
    const [only, ...others] = owners;
    if (only === undefined) return [];
    if (others.length === 0) return only[0](only[1], values);
    const walks = owners.map(([of, name]) =>
      walk((from) => of(name, { ...values, ...from, limit: step, offset: 0 }), after),
    );
    return [...merged(walks).drop(offset).take(limit)];
  };
}

/** The same in PostgreSQL, whose planner chooses between the indexes of owners and the one of all rows. */
export function createNewestInPostgres(sql: Sql): NewestWork {
  const page = `(at_ms, row) < (@at, @row) AND ${readingIn(sql.dialect).audience}
    ORDER BY at_ms DESC, row DESC LIMIT @limit OFFSET @offset`;
  const all = sql.prepare<[object], Position>(
    `SELECT at_ms AS at, row FROM global_memory_chunks WHERE ${page}`,
  );
  const some = sql.prepare<[object], Position>(
    `SELECT at_ms AS at, row FROM global_memory_chunks WHERE row IN ${sql.dialect.numbers('@among')} AND ${page}`,
  );
  return ({ after, among, ...bounds }, { parameters }) => {
    const values = { ...parameters, ...after, ...bounds };
    return among === undefined ? all.all(values) : some.all({ ...values, among: JSON.stringify(among) });
  };
}

/** All rows of one owner after a position. */
function* walk(read: (after: Position) => Position[], after: Position): Generator<Position> {
  for (let from = after; ; ) {
    const rows = read(from);
    yield* rows;
    if (rows.length < step) return;
    from = rows[step - 1] ?? from;
  }
}

/** Rows of several owners in one order; what belongs to an audience and is open in a space comes once. */
function* merged(walks: readonly Iterator<Position>[]): Generator<Position> {
  const heads = walks.map((each) => each.next());
  for (;;) {
    let first: Position | undefined;
    for (const { done, value } of heads)
      if (
        !done &&
        (first === undefined || value.at > first.at || (value.at === first.at && value.row > first.row))
      )
        first = value;
    if (first === undefined) return;
    yield first;
    for (const [index, { done, value }] of heads.entries())
      if (!done && value.row === first.row)
        heads[index] = walks[index]?.next() ?? { done: true, value: undefined };
  }
}
