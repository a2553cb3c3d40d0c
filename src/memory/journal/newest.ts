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
}

/** Where the entries of each kind are, and what of them is shown. */
const shownOf: Readonly<Record<JournalKind, Shown>> = {
  session: { table: 'session_headers', title: 'title', body: 'summary', status: 'NULL' },
  decision: { table: 'session_decisions', title: 'title', body: 'body', status: 'NULL' },
  thread: { table: 'open_threads', title: 'title', body: 'body', status: 'status' },
  step: { table: 'next_steps', title: 'title', body: 'body', status: 'status' },
  context: { table: 'key_context', title: 'title', body: 'body', status: 'NULL' },
  lesson: { table: 'lessons', title: "task_type || ', ' || lesson_kind", body: 'lesson', status: 'status' },
  touchstone: { table: 'touchstones', title: 'title', body: 'fact', status: 'NULL' },
  conversation: { table: 'conversations', title: 'title', body: 'topic', status: 'NULL' },
  build: { table: 'build_records', title: 'title', body: 'summary', status: 'status' },
  project_entry: { table: 't4_entries', title: 'title', body: 'body', status: 'NULL' },
};

/** Newest first; ids sort by the time at which they were made, so that the last one is the cursor of what follows. */
export function newestEntries(
  database: Sqlite,
  { scope, kind, agentID, before, limit }: JournalQuery,
): JournalLine[] {
  const { parameters } = readableBy(scope);
  const values = { ...parameters, agent: agentID ?? null, before: before ?? null, limit };
  const kinds = kind === undefined ? (Object.keys(shownOf) as JournalKind[]) : [kind]; // the keys of its type
  return kinds
    .flatMap((each) => {
      const { table, title, body, status } = shownOf[each];
      return database
        .prepare<object, JournalLine>(
          `SELECT id, '${each}' AS kind, agent_id AS agentID, project_id AS projectID, ${title} AS title, ${body} AS text,
             ${status} AS status, created_at_ms AS createdAt
           FROM ${table} WHERE (${recordPredicate}) AND (@agent IS NULL OR agent_id = @agent) AND (@before IS NULL OR id < @before)
           ORDER BY id DESC LIMIT @limit`,
        )
        .all(values);
    })
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}
