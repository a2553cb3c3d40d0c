// The newest entries of the journal that a scope may read, of every kind, agent and project: for an operator who looks at one audience.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { tagsOf } from '#memory/records/record-of-note.ts';
import { ofProject, readableBy, recordPredicate } from '#memory/tables/audience.ts';
import type { JournalKind, JournalLine, JournalQuery } from '#memory/types/journal.ts';
import { comparableText } from '#memory/words/content-hash.ts';
import { forEveryProjectSql } from './entries.ts';
import { everyAgent } from './places.ts';
import type { Table } from './rows.ts';

interface Shown {
  table: Table;
  /** SQL over the columns of the table. */
  title: string;
  body: string;
  status: string;
  /** Whether it has a column that says why it has its status. */
  hasNote?: true;
  /** Whether it has a column that says who settled it. */
  isSettled?: true;
  /** Whether it has the columns of a key, tags and a pin. */
  isMarked?: true;
}

const settled = { title: 'title', body: 'body', status: 'status', hasNote: true, isSettled: true } as const;

/** Where the entries of each kind are, and what of them is shown. */
const shownOf: Readonly<Record<JournalKind, Shown>> = {
  session: { table: 'session_headers', title: 'title', body: 'summary', status: 'NULL' },
  decision: { table: 'session_decisions', title: 'title', body: 'body', status: 'NULL', isMarked: true },
  thread: { ...settled, table: 'open_threads' },
  step: { ...settled, table: 'next_steps' },
  context: { table: 'key_context', title: 'title', body: 'body', status: 'NULL' },
  lesson: {
    ...{ table: 'lessons', title: "task_type || ', ' || lesson_kind", body: 'lesson' },
    ...{ status: 'status', hasNote: true, isMarked: true },
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
      const { table, title, body, status, hasNote, isSettled, isMarked } = shownOf[kind];
      const marks = isMarked
        ? 'record_key AS "key", tags, pinned'
        : `NULL AS "key", '[]' AS tags, 0 AS pinned`;
      return database
        .prepare<object, StoredLine>(
          `SELECT id, '${kind}' AS kind, agent_id AS agentID, project_id AS projectID, audience, ${title} AS title, ${body} AS text,
             ${marks}, ${status} AS status, ${hasNote ? 'status_note' : 'NULL'} AS note,
             ${isSettled ? 'settled_by' : 'NULL'} AS settledBy, created_at_ms AS createdAt
           FROM ${table} WHERE ${whereOf(kind)} AND (@before IS NULL OR id < @before)
           ORDER BY id DESC LIMIT @limit`,
        )
        .all(values)
        .map((line) => ({ ...line, tags: JSON.parse(line.tags) as string[], pinned: line.pinned === 1 }));
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

type StoredLine = Omit<JournalLine, 'tags' | 'pinned'> & { tags: string; pinned: 0 | 1 };

type Narrowing = Omit<JournalQuery, 'before' | 'limit'>;

function kindsOf({ kinds }: Narrowing): readonly JournalKind[] {
  return kinds ?? (Object.keys(shownOf) as JournalKind[]); // the keys of its type
}

function whereOf(kind: JournalKind): string {
  const { isMarked } = shownOf[kind];
  const also = (which: string): string => (kind === 'lesson' ? ` OR (@everywhere = 1 AND (${which}))` : '');
  const ofEveryAgent = also(`agent_id = '${everyAgent}'`);
  return `${isMarked ? marked : unmarked} AND (@ids IS NULL OR id IN (SELECT value FROM json_each(@ids))) AND (${recordPredicate}) AND (@agent IS NULL OR agent_id = @agent COLLATE NOCASE${ofEveryAgent})
    AND (@inProject IS NULL OR ${ofProject('@inProject')}${also(forEveryProjectSql)})
    AND (@held IS NULL OR ${shownOf[kind].status} IS NOT 'deprecated')
    AND (@statuses IS NULL OR ${shownOf[kind].status} IN (SELECT value FROM json_each(@statuses)))`;
}

/** The conditions of a key, a tag and a pin, over a table that has them and over one that has none. */
const marked = `(@key IS NULL OR record_key = @key) AND (@pinned IS NULL OR pinned = @pinned)
    AND (@tag IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = @tag))`;
const unmarked = '@key IS NULL AND @tag IS NULL AND @pinned IS NULL';

function valuesOf(query: Narrowing) {
  const { scope, agentID, projectID, statuses, key, tag, pinned, isHeld, ids } = query;
  return {
    ...readableBy(scope).parameters,
    agent: agentID ?? null,
    inProject: projectID ?? null,
    everywhere: query.forEveryProject === true ? 1 : 0,
    key: key === undefined ? null : comparableText(key),
    tag: tag === undefined ? null : (tagsOf([tag])[0] ?? ''),
    pinned: pinned === true ? 1 : null,
    held: isHeld === true ? 1 : null,
    ids: ids === undefined ? null : JSON.stringify(ids),
    statuses: statuses === undefined ? null : JSON.stringify(statuses),
  };
}
