// The newest entries of the journal that a scope may read, of every kind, agent and project: for an operator who looks at one audience.
import { memoize } from '#base/caches/memoize.ts';
import type { Sql, SqlDialect } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import { tagsOf } from '#memory/records/record-of-note.ts';
import { readableBy, readingIn } from '#memory/tables/audience.ts';
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
  /** Whether it has the columns of a key, tags and a pin. */
  isMarked?: true;
}

/** Where the entries of each kind are, and what of them is shown. */
const shownOf: Readonly<Record<JournalKind, Shown>> = {
  session: { table: 'session_headers', title: 'title', body: 'summary', status: 'NULL' },
  decision: { table: 'session_decisions', title: 'title', body: 'body', status: 'NULL', isMarked: true },
  thread: { table: 'open_threads', title: 'title', body: 'body', status: 'status', hasNote: true },
  step: { table: 'next_steps', title: 'title', body: 'body', status: 'status', hasNote: true },
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

export interface JournalLists {
  /** Newest first; ids sort by the time at which they were made, so that the last one is the cursor of what follows. */
  newest(query: JournalQuery): Work<JournalLine[]>;
  /** How many entries the query means, whatever its limit. */
  count(query: Narrowing): Work<number>;
}

/** Over one database; nothing is prepared before it is asked for. */
export function createJournalLists(sql: Sql): JournalLists {
  const of = memoize(Object.keys(shownOf).length, (kind) => listed(sql, kind as JournalKind)); // as below
  return {
    *newest(query) {
      const values = { ...valuesOf(query), before: query.before ?? null, limit: query.limit };
      const lines: JournalLine[] = [];
      for (const kind of kindsOf(query))
        for (const line of yield* of(kind).newest.all(values))
          lines.push({ ...line, tags: JSON.parse(line.tags) as string[], pinned: line.pinned === 1 });
      return lines.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, query.limit);
    },
    *count(query) {
      const values = valuesOf(query);
      let sum = 0;
      for (const kind of kindsOf(query)) sum += (yield* of(kind).count.get(values)) ?? 0;
      return sum;
    },
  };
}

/** The statements for entries of one kind. */
function listed(sql: Sql, kind: JournalKind) {
  const { table, title, body, status, hasNote, isMarked } = shownOf[kind];
  const marks = isMarked ? 'record_key AS "key", tags, pinned' : `NULL AS "key", '[]' AS tags, 0 AS pinned`;
  const where = whereOf(kind, sql.dialect);
  return {
    newest: sql.prepare<[object], StoredLine>(
      `SELECT id, '${kind}' AS kind, agent_id AS agentID, project_id AS projectID, audience, ${title} AS title, ${body} AS text,
         ${marks}, ${status} AS status, ${hasNote ? 'status_note' : 'NULL'} AS note, created_at_ms AS createdAt
       FROM ${table} WHERE ${where} AND (@before IS NULL OR id < @before)
       ORDER BY id DESC LIMIT @limit`,
    ),
    count: sql.pluck<[object], number>(`SELECT count(*) FROM ${table} WHERE ${where}`),
  };
}

type StoredLine = Omit<JournalLine, 'tags' | 'pinned'> & { tags: string; pinned: 0 | 1 };

type Narrowing = Omit<JournalQuery, 'before' | 'limit'>;

function kindsOf({ kinds }: Narrowing): readonly JournalKind[] {
  return kinds ?? (Object.keys(shownOf) as JournalKind[]); // the keys of its type
}

function whereOf(kind: JournalKind, dialect: SqlDialect): string {
  const { isMarked, status } = shownOf[kind];
  const { ofProject, record } = readingIn(dialect);
  const also = (which: string): string => (kind === 'lesson' ? ` OR (@everywhere = 1 AND (${which}))` : '');
  const ofEveryAgent = also(`agent_id = '${everyAgent}'`);
  return `${isMarked ? marked(dialect) : unmarked} AND (@ids IS NULL OR id IN ${dialect.texts('@ids')}) AND (${record})
    AND (@agent IS NULL OR ${dialect.sameInAnyCase('agent_id', '@agent')}${ofEveryAgent})
    AND (@inProject IS NULL OR ${ofProject('@inProject')}${also(forEveryProjectSql)})
    AND (@held IS NULL OR ${status} IS DISTINCT FROM 'deprecated')
    AND (@statuses IS NULL OR ${status} IN ${dialect.texts('@statuses')})`;
}

/** The conditions of a key, a tag and a pin, over a table that has them and over one that has none. */
const marked = ({ eachText }: SqlDialect): string =>
  `(@key IS NULL OR record_key = @key) AND (@pinned IS NULL OR pinned = @pinned)
    AND (@tag IS NULL OR EXISTS (SELECT 1 FROM ${eachText('tags', 'own')} WHERE own.value = @tag))`;
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
