// Rows of the journal's tables: what is written with each, which of them a caller may read, and how they are shown.

import { memoize } from '#base/caches/memoize.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Sql, SqlDialect } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import type { PassageOwner } from '#memory/chunks/journal-passages.ts';
import { tagsOf } from '#memory/records/record-of-note.ts';
import { readableBy, readingIn } from '#memory/tables/audience.ts';
import { insertInto } from '#memory/tables/row-statement.ts';
import type { JournalCaller, JournalEntry, JournalPage } from '#memory/types/journal.ts';
import { comparableText } from '#memory/words/content-hash.ts';

/** A table of the journal. */
export type Table =
  | 'session_headers'
  | 'session_decisions'
  | 'open_threads'
  | 'next_steps'
  | 'key_context'
  | 'lessons'
  | 'touchstones'
  | 'conversations'
  | 'conversation_entries'
  | 'build_records'
  | 'build_phases'
  | 'work_slices'
  | 't4_entries';

/** What an entry of each is called. */
const called: Readonly<Record<Table, string>> = {
  session_headers: 'a session',
  session_decisions: 'a decision',
  open_threads: 'a thread',
  next_steps: 'a step',
  key_context: 'a context',
  lessons: 'a lesson',
  touchstones: 'a touchstone',
  conversations: 'a conversation',
  conversation_entries: 'an entry of a conversation',
  build_records: 'a build',
  build_phases: 'a phase of a build',
  work_slices: 'a slice of a phase',
  t4_entries: 'an artifact',
};

/** A row as the engine gives it. */
export type JournalRow = Record<string, string | number | null> & PassageOwner & { row: number };

type Values = Record<string, string | number | null>;

/** A condition in SQL with its parameters; columns are named without their table. */
export interface Condition {
  sql: string;
  values?: Readonly<Record<string, Values[string] | readonly string[]>>;
  /** Not only of the caller's project. */
  of?: 'any project' | undefined;
}

interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

export interface JournalRows {
  /** The words in which conditions are written. */
  dialect: SqlDialect;
  /** Writes a row that belongs to the caller's audience; its id. */
  insert(table: Table, caller: JournalCaller, agentID: string, values: Values): Work<string>;
  update(table: Table, id: string, values: Values): Work<unknown>;
  /** Removes the rows whose column has this value, with what belongs to them. */
  remove(table: Table, column: string, value: string): Work<unknown>;
  /** The row, or a ParleyError `journal_not_found`. */
  get(table: Table, caller: JournalCaller, id: string): Work<JournalRow>;
  /** Newest first. */
  select(table: Table, caller: JournalCaller, condition: Condition & { limit?: number }): Work<JournalRow[]>;
  /** How many there are, `limit` for all that are more. */
  count(table: Table, caller: JournalCaller, condition: Condition & { limit: number }): Work<number>;
  page(table: Table, caller: JournalCaller, condition: Condition, page: PageRequest): Work<JournalPage>;
  now(): number;
}

/** Statements that stay compiled: their texts are the program's own, as many as there are kinds of calls. */
const maxStatements = 500;

/** The rows of one database. */
export function createRows(parts: { sql: Sql; newId: NewId; now: () => number }): JournalRows {
  const { sql: engine, newId } = parts;
  const { dialect } = engine;
  const { record } = readingIn(dialect);
  const statement = memoize(maxStatements, (text) => engine.prepare<readonly unknown[], JournalRow>(text));
  const now = (): number => Math.round(parts.now());
  const checked = new WeakMap<JournalCaller, Values>();
  /** Once for each call: a close reads as often as it has open elements. */
  const readable = (caller: JournalCaller): Values => {
    const known = checked.get(caller);
    if (known !== undefined) return known;
    const values = { ...readableBy(caller.scope).parameters, ofProject: caller.projectID ?? null };
    checked.set(caller, values);
    return values;
  };
  const where = ({ sql, of }: Condition): string =>
    `(${record})${of === undefined ? ` AND ${dialect.unindexed('project_id')} IS NOT DISTINCT FROM @ofProject` : ''} AND (${sql})`;
  const select: JournalRows['select'] = (table, caller, { values, limit = 1_000_000, ...condition }) =>
    statement(`SELECT * FROM ${table} WHERE ${where(condition)} ORDER BY row DESC LIMIT @limit`).all({
      ...readable(caller),
      ...values,
      limit,
    });
  const counted = memoize(maxStatements, (text) => engine.pluck<readonly unknown[], number>(text));
  return {
    ...{ dialect, now, select },
    *insert(table, caller, agentID, values) {
      const id = newId('jnl');
      const all: Values = {
        ...values,
        id,
        agent_id: agentID,
        audience: caller.where.audience,
        space: caller.where.space ?? null,
        restricted: caller.where.restricted ? 1 : 0,
        partition: caller.where.partition ?? null,
        session_id: caller.by.sessionID ?? null,
        run_id: caller.by.runID ?? null,
        chat: caller.chat ?? null,
        project_id: caller.projectID ?? null,
        written_by: caller.by.name,
        platform: caller.platform,
        created_at_ms: now(),
      };
      yield* statement(insertInto(table, Object.keys(all))).run(...Object.values(all));
      return id;
    },
    update(table, id, values) {
      const set = Object.keys(values).map((column) => `${column} = @${column}`);
      return statement(`UPDATE ${table} SET ${set.join(', ')} WHERE id = @id`).run({ ...values, id });
    },
    remove: (table, column, value) => statement(`DELETE FROM ${table} WHERE ${column} = ?`).run(value),
    *get(table, caller, id) {
      // a lesson may be one for every project
      const of = table === 'lessons' ? 'any project' : undefined;
      const [row] = yield* select(table, caller, { sql: 'id = @id', values: { id }, limit: 1, of });
      if (row !== undefined) return row;
      const anywhere = { sql: 'id = @id', values: { id }, limit: 1, of: 'any project' as const };
      const [other] = yield* select(table, caller, anywhere);
      if (other !== undefined) throw elsewhere(other);
      throw new ParleyError('journal_not_found', `Expected the id of ${called[table]}, received "${id}".`, {
        hint: 'Use an id that the journal returned. Nothing was written.',
      });
    },
    *count(table, caller, { values, limit, ...condition }) {
      const some = `SELECT 1 FROM ${table} WHERE ${where(condition)} LIMIT @limit`;
      const count = counted(`SELECT count(*) FROM (${some}) AS found`);
      return (yield* count.get({ ...readable(caller), ...values, limit })) ?? 0;
    },
    *page(table, caller, { sql, values, of }, { limit, cursor }) {
      const found = yield* select(table, caller, {
        sql: cursor === undefined ? sql : `(${sql}) AND row < @before`,
        values: cursor === undefined ? { ...values } : { ...values, before: Number(cursor) },
        ...{ of, limit: limit + 1 },
      });
      const shown = fitting(
        found.slice(0, limit).map((row) => ({ row: row.row, entry: journalEntryOf(row) })),
      );
      return {
        items: shown.map(({ entry }) => entry),
        next: found.length > shown.length ? String(shown.at(-1)?.row) : undefined,
      };
    },
  };
}

/** The error for an entry that is in another project than that of the call. */
export function elsewhere({ id, project_id: project }: JournalRow): ParleyError {
  const [where, how] =
    project === null
      ? ['no project', 'Call without a project']
      : [`project "${project}"`, `Call with projectID: ${JSON.stringify(project)}`];
  return new ParleyError(
    'journal_not_found',
    `${id}: expected an entry of this project, received one of ${where}.`,
    {
      hint: `${how}. Nothing was written.`,
    },
  );
}

/** The columns by which a lesson or a decision is found, in the form in which keys and tags are compared. */
export function marksOf({
  key,
  tags,
  pinned,
}: {
  key?: string | undefined;
  tags: readonly string[];
  pinned: boolean;
}) {
  return {
    record_key: key === undefined ? null : comparableText(key),
    tags: JSON.stringify(tagsOf(tags)),
    pinned: pinned ? 1 : 0,
  };
}

/** Characters of JSON that one answer has at most, unless its first entry is longer. */
const maxAnswer = 60_000;

/** The first of these entries that one answer holds. */
export function fitting<T extends { entry: JournalEntry }>(entries: readonly T[], used = 0): T[] {
  let characters = used;
  const end = entries.findIndex(({ entry }, index) => {
    characters += JSON.stringify(entry).length;
    return characters > maxAnswer && index > 0;
  });
  return end === -1 ? [...entries] : entries.slice(0, end);
}

/** Columns that say who may read a row and how it is found: they are not shown. */
const hidden = new Set([
  'row',
  'space',
  'restricted',
  'tier',
  'session_id',
  'run_id',
  'chat',
  'expires_at_ms',
  'close_key',
  'content_hash',
]);
const names: Record<string, string> = {
  created_at_ms: 'createdAt',
  updated_at_ms: 'updatedAt',
  record_key: 'key',
};
/** Columns with a list as JSON. */
export const lists = new Set(['tags', 'topic_tags', 'earlier_notes']);
/** Lists and flags of which the usual one, none, is not shown. */
const unsaid: Readonly<Record<string, string | number>> = { earlier_notes: '[]', pinned: 0, carried: 0 };

/** A row as it is shown: without what is empty, under the names of the API. */
export function journalEntryOf(row: JournalRow): JournalEntry {
  const entry: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    if (hidden.has(column) || value === null || value === '' || value === unsaid[column]) continue;
    if (lists.has(column)) entry[shownName(column)] = JSON.parse(String(value));
    else entry[shownName(column)] = column in unsaid ? true : value;
  }
  return entry as JournalEntry; // every table has the columns of the type
}

/** The name of a column where rows are shown. */
export const shownName = memoize(
  200,
  (column) =>
    names[column] ??
    column.replace(/_id$/, 'ID').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
);
