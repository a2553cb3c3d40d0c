// What a scope holds by where it came from: sessions, people, agents, imported files. Counts and times; every row through the scope.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { AudienceCount, AudienceNode, OriginKind } from '#memory/types/maintenance.ts';
import type { Audience } from '#memory/types/scope.ts';
import { audiencePredicate, type ScopeFilter } from './audience.ts';

/** Which chunks are of a place of this kind, and what names it: people said exchanges and turns, agents wrote records. */
const kinds: Record<OriginKind, { name: string; of: string }> = {
  session: { name: 'session_id', of: "source <> 'document' AND session_id <> ''" },
  user: { name: 'person', of: "source IN ('exchange', 'turn')" },
  agent: { name: 'speaker', of: "source NOT IN ('exchange', 'turn', 'document')" },
  resource: { name: 'session_id', of: "source = 'document'" },
};

/** More places than this of one kind are not told. */
const maxOfAKind = 1_000;

export interface Nodes {
  /** The places of the scope, of each kind those that were known last. */
  all(readable: ScopeFilter): AudienceNode[];
  /** Rows of a place, or of all of its kind, newest first. */
  rowsOf(place: { kind: OriginKind; name?: string | undefined }, readable: ScopeFilter): number[];
  /** The audiences that have something of the session's own tier. */
  audiencesOfSession(sessionID: string): Audience[];
  /** How many entries each audience owns, the largest first, at most so many where a limit is given: for the operator only. */
  audiences(limit?: number): AudienceCount[];
}

/** SQL for the audiences that have records, as `name`: from one to the next by the index, without the records between them. */
export const audiencesOfRecords = `(WITH RECURSIVE each (name) AS (SELECT min(audience) FROM memory_records
    UNION ALL SELECT (SELECT min(audience) FROM memory_records WHERE audience > name) FROM each WHERE name IS NOT NULL)
  SELECT name FROM each WHERE name IS NOT NULL)`;

/** The places of one open database. */
export function createNodes(database: Sqlite): Nodes {
  const statements = Object.entries(kinds).map(([kind, { name, of }]) => ({
    kind: kind as OriginKind, // a key of the table above
    places: database.prepare<[object], Omit<AudienceNode, 'kind'>>(
      `SELECT ${name} AS name, min(at_ms) AS "from", max(last_said_at_ms) AS until, count(*) AS entries
       FROM global_memory_chunks WHERE ${of} AND ${audiencePredicate}
       GROUP BY ${name} ORDER BY until DESC LIMIT ${maxOfAKind}`,
    ),
    rows: database
      .prepare<[object], number>(
        `SELECT row FROM global_memory_chunks WHERE ${of} AND (@name IS NULL OR ${name} = @name) AND ${audiencePredicate}
         ORDER BY at_ms DESC, row DESC`,
      )
      .pluck(),
  }));
  const counted = database.prepare<[number], AudienceCount>(
    'SELECT audience, entries FROM memory_audiences ORDER BY entries DESC, audience LIMIT ?',
  );
  const ofSession = database
    .prepare<[object], Audience>(
      `SELECT audience FROM global_memory_chunks WHERE session_id = @sessionID AND tier = 'session'
       UNION SELECT audience FROM memory_records WHERE session_id = @sessionID AND tier = 'session'`,
    )
    .pluck();
  const ofRecords = database.prepare<[number], AudienceCount>(
    `SELECT name AS audience, 0 AS entries FROM ${audiencesOfRecords}
     WHERE NOT EXISTS (SELECT 1 FROM memory_audiences WHERE audience = name) LIMIT ?`,
  );
  return {
    audiences(limit) {
      const largest = counted.all(limit ?? -1); // which is without a limit
      return [...largest, ...ofRecords.all(limit === undefined ? -1 : limit - largest.length)];
    },
    audiencesOfSession: (sessionID) => ofSession.all({ sessionID }),
    all: ({ parameters }) =>
      statements.flatMap(({ kind, places }) => places.all(parameters).map((place) => ({ kind, ...place }))),
    rowsOf: ({ kind, name = null }, { parameters }) =>
      statements.find((each) => each.kind === kind)?.rows.all({ ...parameters, name }) ?? [],
  };
}
