// The newest entries of the journal that a scope may read, of every kind, agent and project: for an operator who looks at one audience.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { readableBy, recordPredicate } from '#memory/tables/audience.ts';
import type { JournalKind, JournalLine, JournalQuery } from '#memory/types/journal.ts';
import type { Table } from './rows.ts';

interface Shown {
  table: Table;
  /** SQL over the columns of the table. */
  title: string;
  body: string;
  status: string;
  /** Whether it has a column that says why it has its status. */
  hasNote?: true;
}

/** Where the entries of each kind are, and what of them is shown. */
const shownOf: Readonly<Record<JournalKind, Shown>> = {
  session: { table: 'session_headers', title: 'title', body: 'summary', status: 'NULL' },
  decision: { table: 'session_decisions', title: 'title', body: 'body', status: 'NULL' },
  thread: { table: 'open_threads', title: 'title', body: 'body', status: 'status', hasNote: true },
  step: { table: 'next_steps', title: 'title', body: 'body', status: 'status', hasNote: true },
  context: { table: 'key_context', title: 'title', body: 'body', status: 'NULL' },
  lesson: {
    ...{ table: 'lessons', title: "task_type || ', ' || lesson_kind", body: 'lesson' },
    ...{ status: 'status', hasNote: true },
  },
  touchstone: { table: 'touchstones', title: 'title', body: 'fact', status: 'NULL' },
  conversation: { table: 'conversations', title: 'title', body: 'topic', status: 'NULL' },
  build: { table: 'build_records', title: 'title', body: 'summary', status: 'status' },
  project_entry: { table: 't4_entries', title: 'title', body: 'body', status: 'NULL' },
};

/** Newest first; ids sort by the time at which they were made, so that the last one is the cursor of what follows. */
export function newestEntries(database: Sqlite, query: JournalQuery): JournalLine[] {
  const values = { ...valuesOf(query), before: query.before ?? null, limit: query.limit };
  return kindsOf(query)
    .flatMap((kind) => {
      const { table, title, body, status, hasNote } = shownOf[kind];
      return database
        .prepare<object, JournalLine>(
          `SELECT id, '${kind}' AS kind, agent_id AS agentID, project_id AS projectID, audience, ${title} AS title, ${body} AS text,
             ${status} AS status, ${hasNote ? 'status_note' : 'NULL'} AS note, created_at_ms AS createdAt
           FROM ${table} WHERE ${whereOf(kind)} AND (@before IS NULL OR id < @before)
           ORDER BY id DESC LIMIT @limit`,
        )
        .all(values);
    })
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, query.limit);
}

/** How many entries the query means, whatever its limit. */
export function countEntries(database: Sqlite, query: Narrowing): number {
  const values = valuesOf(query);
  const counts = kindsOf(query).map((kind) =>
    database
      .prepare<object, number>(`SELECT count(*) FROM ${shownOf[kind].table} WHERE ${whereOf(kind)}`)
      .pluck()
      .get(values),
  );
  return counts.reduce((sum: number, count) => sum + (count ?? 0), 0);
}

type Narrowing = Omit<JournalQuery, 'before' | 'limit'>;

function kindsOf({ kinds }: Narrowing): readonly JournalKind[] {
  return kinds ?? (Object.keys(shownOf) as JournalKind[]); // the keys of its type
}

function whereOf(kind: JournalKind): string {
  return `(${recordPredicate}) AND (@agent IS NULL OR agent_id = @agent COLLATE NOCASE)
    AND (@inProject IS NULL OR project_id = @inProject COLLATE NOCASE)
    AND (@statuses IS NULL OR ${shownOf[kind].status} IN (SELECT value FROM json_each(@statuses)))`;
}

function valuesOf({ scope, agentID, projectID, statuses }: Narrowing) {
  return {
    ...readableBy(scope).parameters,
    agent: agentID ?? null,
    inProject: projectID ?? null,
    statuses: statuses === undefined ? null : JSON.stringify(statuses),
  };
}
