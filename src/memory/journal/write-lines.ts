// Lines of an export written into the journal: each entry once, under its own id, and never for more readers than it had.
import { memoize } from '#base/caches/memoize.ts';
import { received } from '#base/check-input.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import type { Work } from '#base/sql/work.ts';
import { createQuestions } from '#memory/records/questions.ts';
import type { JournalStore } from '#memory/store/journal-store.ts';
import { insertInto } from '#memory/tables/row-statement.ts';
import type { ImportRequest } from '#memory/types/import.ts';
import { createWords } from '#memory/words/journal-words.ts';
import { type Exported, exportedKinds, fieldOf } from './exported.ts';
import { createIndexEntry } from './index-entry.ts';
import { createJournalPlaces, type JournalPlaces } from './places.ts';
import type { JournalRow, Table } from './rows.ts';

type Values = Record<string, string | number | null>;

/** A line that is an entry of the journal: its kind, and its columns. */
export interface EntryLine {
  kind: string;
  values: Values;
}

/** A line that is no entry of the journal: another memory, or one that does not fit. */
export type Unread = 'memory' | { misfit: string };

/** An error that says what of a line does not fit; nothing else that is thrown here has its code. */
export function misfit(words: string): ParleyError {
  return new ParleyError('invalid_journal', `${words}.`);
}

/** What became of a line: the entry whose words changed with it, or why nothing was stored. */
export type LineOutcome = { changed: Owner } | 'known' | 'forgotten' | Unread;

interface Owner {
  table: Table;
  id: string;
}

interface Writing {
  store: JournalStore;
  request: ImportRequest;
}

/** Writes lines in one transaction, and in it the words and passages of what they change; what became of each. */
export function createWriteLines(
  writing: Writing,
): (lines: readonly (EntryLine | Unread)[]) => Promise<LineOutcome[]> {
  const { store } = writing;
  const { sql, journalPassages: passages } = store;
  const parts = { sql, passages, words: createWords(sql), questions: createQuestions(sql) };
  const index = createIndexEntry(parts);
  const rows = createLookups(store);
  const storeLine = createStoreLine(writing, { rows, places: createJournalPlaces(sql) });
  /** Deprecated lessons by the one that holds now: they say what it says. */
  const replaced = new Map<string, Set<string>>();
  function* tried(line: EntryLine | Unread): Work<LineOutcome> {
    if (typeof line === 'string' || 'misfit' in line) return line;
    const { id, successor_id: successor } = line.values;
    if (typeof successor === 'string')
      replaced.set(successor, (replaced.get(successor) ?? new Set()).add(String(id)));
    try {
      return yield* storeLine(line);
    } catch (error) {
      if (codeOf(error) !== 'invalid_journal') throw error;
      return { misfit: errorMessage(error) };
    }
  }
  return (lines) =>
    store.storage.write(function* () {
      const outcomes: LineOutcome[] = [];
      for (const line of lines) outcomes.push(yield* tried(line));
      const changed = new Map<string, Table>();
      for (const outcome of outcomes) {
        if (typeof outcome === 'string' || 'misfit' in outcome) continue;
        const { table, id } = outcome.changed;
        changed.set(id, table);
        for (const lesson of replaced.get(id) ?? []) changed.set(lesson, 'lessons');
      }
      for (const [id, table] of changed) {
        const row = yield* rows.of(table, id);
        if (row !== undefined) yield* index(table, row);
      }
      return outcomes;
    });
}

type Lookups = ReturnType<typeof createLookups>;

/** What the journal has of ids already, whatever the audience. */
function createLookups({ sql, forgotten }: JournalStore) {
  const owner = sql.prepare<[{ id: string }], { owner: Table; audience: string }>(
    Object.values(exportedKinds)
      .map(({ table }) => `SELECT '${table}' AS owner, audience FROM ${table} WHERE id = @id`)
      .join(' UNION ALL '),
  );
  const byID = memoize(Object.keys(exportedKinds).length, (table) =>
    sql.prepare<[string], JournalRow>(`SELECT * FROM ${table} WHERE id = ?`),
  );
  /** What belongs to something forgotten is not noted by its own id. */
  const within = new Set<string>();
  return {
    owner: (id: string) => owner.get({ id }),
    of: (table: Table, id: string) => byID(table).get(id),
    *isForgotten(id: string): Work<boolean> {
      return within.has(id) || (yield* forgotten.find({ id, of: 'every audience' })) !== undefined;
    },
    noteForgotten: (id: string): void => void within.add(id),
  };
}

function createStoreLine(
  { store, request }: Writing,
  { rows, places }: { rows: Lookups; places: JournalPlaces },
): (line: EntryLine) => Work<LineOutcome> {
  const { where } = request;
  const scope = { audiences: [where.audience], spaces: [], everyone: false, everyPartition: true };
  const caller = { scope, where, platform: 'import', by: { name: 'import' } };
  const insert = memoize(Object.keys(exportedKinds).length, (text) =>
    store.sql.prepare<readonly unknown[], never>(text),
  );
  const known = new Map<string, string>();
  function* spelled(name: string, of?: 'project'): Work<string> {
    const key = JSON.stringify([of, name]);
    const found = known.get(key) ?? (yield* places.spelled(caller, name, of));
    known.set(key, found);
    return found;
  }
  return function* ({ kind, values }) {
    const { table, parent, unique } = exportedKinds[kind] as Exported; // `linesOf` gives no other
    const id = String(values.id);
    const there = yield* rows.owner(id);
    if (there !== undefined) {
      if (there.owner === table && there.audience === where.audience) return 'known';
      throw misfit(`id: expected one that no other entry has, received ${received(id)}`);
    }
    const row: Values = { ...values, ...readersOf(values, request) };
    row.agent_id = yield* spelled(String(values.agent_id));
    const projectID = values.project_id ?? request.projectID;
    row.project_id = projectID === undefined ? null : yield* spelled(String(projectID), 'project');
    const of = parent === undefined ? null : row[parent.column];
    const isWithinForgotten = typeof of === 'string' && (yield* rows.isForgotten(of));
    if ((yield* rows.isForgotten(id)) || (isWithinForgotten && kind !== 'touchstone')) {
      rows.noteForgotten(id);
      return 'forgotten';
    }
    if (isWithinForgotten) row.lineage_id = null;
    else if (parent !== undefined && typeof of === 'string')
      yield* refuseMisplaced({ kind, row, parent }, rows);
    const into = `${insertInto(table, Object.keys(row))} ON CONFLICT DO NOTHING`;
    // a statement that fails would end PostgreSQL's transaction, and with it the lines before
    if ((yield* insert(into).run(...Object.values(row))) === 0) {
      if (unique === undefined) throw new Error(`${id}: expected a new row of ${table}.`);
      const key = `${fieldOf(unique)}: expected one that is new here, received ${received(values[unique])}`;
      throw misfit(`${key}, which another ${kind} has`);
    }
    if (kind === 'touchstone' || parent === undefined || typeof of !== 'string')
      return { changed: { table, id } };
    const isSlice = parent.table === 'build_phases';
    const owner: Owner = isSlice
      ? { table: 'build_records', id: String((yield* rows.of(parent.table, of))?.build_id) }
      : { table: parent.table, id: of };
    return { changed: owner };
  };
}

/** What belongs to an entry has its readers and its project. */
const sameAsContainer = ['space', 'restricted', 'partition', 'project_id'] as const;

/** Throws for a row that belongs to an entry which is not there, is another audience's, or has other readers. */
function* refuseMisplaced(
  { kind, row, parent }: { kind: string; row: Values; parent: NonNullable<Exported['parent']> },
  rows: Lookups,
): Work<void> {
  const of = String(row[parent.column]);
  const container = yield* rows.of(parent.table, of);
  if (container === undefined || container.audience !== row.audience)
    throw misfit(
      `${fieldOf(parent.column)}: expected an entry that is there or comes before, received ${received(of)}`,
    );
  const other = sameAsContainer.find((column) => container[column] !== row[column]);
  if (kind === 'touchstone' || other === undefined) return;
  const [expected, came] = [container[other], row[other]].map((value) => received(value ?? undefined));
  throw misfit(`${fieldOf(other)}: expected ${expected} as ${of} has, to which it belongs, received ${came}`);
}

/**
 * Who may read the row. In its own audience an entry keeps its readers, unless the import says fewer. One of a person or a room may become
 * another person's alone; nothing of a person becomes a room's, and nothing of a room another room's.
 */
function readersOf(values: Values, { where }: ImportRequest): Values {
  const { audience, restricted, space, partition } = values;
  const isOwn = audience === where.audience;
  if (!isOwn && where.audience.startsWith('room:'))
    throw misfit(
      `audience: expected ${where.audience}, received ${received(audience)}, whose entries are not for others`,
    );
  if (partition !== null && where.partition !== undefined && partition !== where.partition)
    throw misfit(`partition: expected ${received(where.partition)}, received ${received(partition)}`);
  const isOpen = isOwn && restricted === 0 && !where.restricted && (where.space ?? space) === space;
  return {
    audience: where.audience,
    space: isOwn ? (space ?? null) : null,
    restricted: isOpen ? 0 : 1,
    partition: partition ?? where.partition ?? null,
  };
}
