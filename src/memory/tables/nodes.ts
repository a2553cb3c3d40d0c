// What a scope holds by where it came from: sessions, people, agents, imported files. Counts and times; every row through the scope.
import type { Sql } from '#base/sql/sql.ts';
import type { Synchronous, Work } from '#base/sql/work.ts';
import type { AudienceCount, AudienceNode, OriginKind } from '#memory/types/maintenance.ts';
import type { Audience } from '#memory/types/scope.ts';
import { readingIn, type ScopeFilter } from './audience.ts';

/** Which chunks are of a place of this kind, and what names it: people said exchanges and turns, agents wrote records. */
const kinds: Record<OriginKind, { name: string; of: string }> = {
  session: { name: 'session_id', of: "source <> 'document' AND session_id <> ''" },
  user: { name: 'person', of: "source IN ('exchange', 'turn')" },
  agent: { name: 'speaker', of: "source NOT IN ('exchange', 'turn', 'document')" },
  resource: { name: 'session_id', of: "source = 'document'" },
};

/** More places than this of one kind are not told. */
const maxOfAKind = 1_000;

export interface NodeWork {
  /** The places of the scope, of each kind those that were known last. */
  all(readable: ScopeFilter): Work<AudienceNode[]>;
  /** Rows of a place, or of all of its kind, newest first. */
  rowsOf(place: { kind: OriginKind; name?: string | undefined }, readable: ScopeFilter): Work<number[]>;
  /** The audiences that have something of the session's own tier. */
  audiencesOfSession(sessionID: string): Work<Audience[]>;
  /** How many entries each audience owns, the largest first, at most so many where a limit is given: for the operator only. */
  audiences(limit?: number): Work<AudienceCount[]>;
}

/** The same where nothing is waited for. */
export type Nodes = Synchronous<NodeWork>;

/** SQL for the audiences that have records, as `name`: from one to the next by the index, without the records between them. */
export const audiencesOfRecords = `(WITH RECURSIVE each (name) AS (SELECT min(audience) FROM memory_records
    UNION ALL SELECT (SELECT min(audience) FROM memory_records WHERE audience > name) FROM each WHERE name IS NOT NULL)
  SELECT name FROM each WHERE name IS NOT NULL) AS named`;

/** The places of one database. */
export function createNodes(sql: Sql): NodeWork {
  const { audience } = readingIn(sql.dialect);
  const statements = Object.entries(kinds).map(([kind, { name, of }]) => ({
    kind: kind as OriginKind, // a key of the table above
    places: sql.prepare<[object], Omit<AudienceNode, 'kind'>>(
      `SELECT ${name} AS name, min(at_ms) AS "from", max(last_said_at_ms) AS until, count(*) AS entries
       FROM global_memory_chunks WHERE ${of} AND ${audience}
       GROUP BY ${name} ORDER BY until DESC LIMIT ${maxOfAKind}`,
    ),
    rows: sql.pluck<[object], number>(
      `SELECT row FROM global_memory_chunks WHERE ${of} AND (@name IS NULL OR ${name} = @name) AND ${audience}
       ORDER BY at_ms DESC, row DESC`,
    ),
  }));
  const counted = sql.prepare<[number], AudienceCount>(
    'SELECT audience, entries FROM memory_audiences ORDER BY entries DESC, audience LIMIT ?',
  );
  const ofSession = sql.pluck<[object], Audience>(
    `SELECT audience FROM global_memory_chunks WHERE session_id = @sessionID AND tier = 'session'
     UNION SELECT audience FROM memory_records WHERE session_id = @sessionID AND tier = 'session'`,
  );
  const ofRecords = sql.prepare<[number], AudienceCount>(
    `SELECT name AS audience, 0 AS entries FROM ${audiencesOfRecords}
     WHERE NOT EXISTS (SELECT 1 FROM memory_audiences WHERE audience = name) LIMIT ?`,
  );
  return {
    *audiences(limit = Number.MAX_SAFE_INTEGER) {
      const largest = yield* counted.all(limit);
      return [...largest, ...(yield* ofRecords.all(limit - largest.length))];
    },
    audiencesOfSession: (sessionID) => ofSession.all({ sessionID }),
    *all({ parameters }) {
      const nodes: AudienceNode[] = [];
      for (const { kind, places } of statements)
        for (const place of yield* places.all(parameters)) nodes.push({ kind, ...place });
      return nodes;
    },
    *rowsOf({ kind, name = null }, { parameters }) {
      const statement = statements.find((each) => each.kind === kind);
      return statement === undefined ? [] : yield* statement.rows.all({ ...parameters, name });
    },
  };
}
