// Rows of the journal as lines of an export, and what such a line must be to become a row again.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { JournalStore } from '#memory/store/journal-store.ts';
import { readableBy, readingIn } from '#memory/tables/audience.ts';
import type { JournalExportLine } from '#memory/types/journal.ts';
import type { Scope } from '#memory/types/scope.ts';
import { type JournalRow, lists, shownName, type Table } from './rows.ts';

/** What a kind of line has beside what every line has. */
export interface Exported {
  table: Table;
  /** The columns of its own, each with what a line may have there. */
  columns: Readonly<Record<string, z.ZodType>>;
  /** The column with the entry that it belongs to, and that entry's table. */
  parent?: { column: string; table: Table } | undefined;
  /** The column whose value is unique, of those that a person or an agent chose. */
  unique?: string | undefined;
}

/** Twice what the calls of the journal take: a masked secret may be longer than it was. */
const [text, title] = [z.string().max(40_000), z.string().min(1).max(600)];
const note = z.string().max(40_000).optional();
const id = z.string().regex(/^jnl_[0-9a-z]{26}$/, 'expected the id of an entry of the journal');
const at = z.number().int().nonnegative();
const tags = z.array(title).max(50);
const marks = { record_key: title.optional(), tags, pinned: z.boolean() };
const element = { lineage_id: id.optional(), title, body: text };
const ofSession = { column: 'lineage_id', table: 'session_headers' } as const;
const work = z.enum(['planned', 'active', 'done', 'dropped']);
const settled = (open: string, done: string) => ({
  ...element,
  status: z.enum([open, done, 'parked', 'dropped']),
  status_note: note,
  earlier_notes: z.array(text).max(1_000).default([]),
  settled_in: id.optional(),
  settled_by: title.optional(),
  carried: z.boolean(),
  updated_at_ms: at,
});

/** Each kind of line, in the order of an export: what belongs to an entry comes after it. */
export const exportedKinds: Readonly<Record<string, Exported>> = {
  session: {
    table: 'session_headers',
    columns: { close_key: title, content_hash: z.string().regex(/^[0-9a-f]{64}$/), title, summary: text },
    unique: 'close_key',
  },
  decision: { table: 'session_decisions', columns: { ...element, ...marks }, parent: ofSession },
  thread: { table: 'open_threads', columns: settled('open', 'resolved'), parent: ofSession },
  step: { table: 'next_steps', columns: settled('pending', 'resolved'), parent: ofSession },
  context: { table: 'key_context', columns: element, parent: ofSession },
  lesson: {
    table: 'lessons',
    columns: {
      ...{ task_type: title, lesson_kind: title, lesson: text, ...marks },
      ...{ status: z.enum(['active', 'deprecated']), successor_id: id.optional(), status_note: note },
      updated_at_ms: at,
    },
  },
  touchstone: {
    table: 'touchstones',
    columns: {
      ...{ type: title, title, felt_weight: z.number().int().min(1).max(10), fact: text },
      ...{ texture: text, why_it_matters: text, lineage_id: id.optional() },
    },
    parent: ofSession,
  },
  conversation: { table: 'conversations', columns: { title, topic: text, topic_tags: tags } },
  conversation_entry: {
    table: 'conversation_entries',
    columns: { conversation_id: id, entry_type: title, author: title, body: text },
    parent: { column: 'conversation_id', table: 'conversations' },
  },
  build: {
    table: 'build_records',
    columns: {
      ...{ build_key: title, title, status: work, summary: text },
      ...{ updated_by: title.optional(), updated_at_ms: at },
    },
    unique: 'build_key',
  },
  build_phase: {
    table: 'build_phases',
    columns: { build_id: id, title, status: work },
    parent: { column: 'build_id', table: 'build_records' },
  },
  build_slice: {
    table: 'work_slices',
    columns: { phase_id: id, title, status: work },
    parent: { column: 'phase_id', table: 'build_phases' },
  },
  project_entry: {
    table: 't4_entries',
    columns: {
      ...{ project_slug: title, entry_type: title, entry_id: title, title, body: text },
      ...{ version: z.number().int().positive(), updated_by: title.optional(), updated_at_ms: at },
    },
    unique: 'entry_id',
  },
};

/** What every line has: whose it is, who may read it, and where it comes from. */
const shared = {
  id,
  agent_id: title,
  audience: z.string().regex(/^(person|room):[\s\S]+$/, 'expected person:ID or room:KEY'),
  space: title.optional(),
  restricted: z.boolean(),
  partition: title.optional(),
  session_id: title.optional(),
  run_id: title.optional(),
  chat: title.optional(),
  project_id: title.optional(),
  written_by: title,
  platform: title,
  created_at_ms: at,
};

/** What an export has of a row: an entry of a journal has no tier but the usual one, and does not expire. */
const left = new Set(['row', 'tier', 'expires_at_ms']);
const truths = new Set(['restricted', 'pinned', 'carried']);

/** The schema of a kind of line, under the names that lines have; it gives the columns of the row. */
export function lineSchema(kind: string): z.ZodType<Record<string, string | number | null>> {
  const columns = { ...shared, ...exportedKinds[kind]?.columns };
  const fields = Object.entries(columns).map(([column, schema]) => [fieldOf(column), schema]);
  return z
    .strictObject({ type: z.literal('journal'), kind: z.literal(kind), ...Object.fromEntries(fields) })
    .transform((line: Record<string, unknown>) =>
      Object.fromEntries(
        Object.keys(columns).map((column) => [column, storedOf(line[fieldOf(column)])] as const),
      ),
    );
}

/** The name of a column in a line, whose own `type` says what kind of memory it is. */
export function fieldOf(column: string): string {
  return column === 'type' ? 'touchstoneType' : shownName(column);
}

function storedOf(value: unknown): string | number | null {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return Array.isArray(value) ? JSON.stringify(value) : (value as string | number); // as the schemas above allow
}

function lineOf(kind: string, row: JournalRow): JournalExportLine {
  const fields = Object.entries(row)
    .filter(([column, value]) => !left.has(column) && value !== null)
    .map(([column, value]) => [
      fieldOf(column),
      lists.has(column) ? JSON.parse(String(value)) : truths.has(column) ? value === 1 : value,
    ]);
  return { type: 'journal', kind, id: row.id, ...Object.fromEntries(fields) };
}

const atOnce = 500;
/** What asks about two memories is theirs, and is asked again where they contradict each other again. */
const withoutQuestions = ' AND id NOT IN (SELECT thread_id FROM journal_questions)';

/** Every entry of the journal in the scope, with all that belongs to it, oldest first within each kind. Throws `missing_scope`. */
export async function* exportedJournal(
  { sql, storage }: Pick<JournalStore, 'sql' | 'storage'>,
  query: { scope: Scope; projectID?: string | undefined },
): AsyncGenerator<JournalExportLine> {
  const { parameters } = readableBy(query.scope, query);
  const { record } = readingIn(sql.dialect);
  for (const [kind, { table }] of Object.entries(exportedKinds)) {
    const page = sql.prepare<[object], JournalRow>(
      `SELECT * FROM ${table} WHERE row > @after AND (${record})${table === 'open_threads' ? withoutQuestions : ''} ORDER BY row LIMIT ${atOnce}`,
    );
    for (let after = 0; ; ) {
      const position = after;
      const rows = await storage.read(() => page.all({ ...parameters, after: position }));
      for (const row of rows) yield lineOf(kind, row);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.row;
      await nextTurn();
    }
  }
}
