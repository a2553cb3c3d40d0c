// Memory read as it stands: lists, single entries and places. Every entry through the scope.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import type { Work } from '#base/sql/work.ts';
import type { ChunkWork } from '#memory/chunks/chunks.ts';
import { entryOf } from '#memory/chunks/entry.ts';
import type { NewestWork, Position } from '#memory/chunks/newest.ts';
import { rowsWithWords, type SelectWork } from '#memory/chunks/selection.ts';
import type { JournalEraser } from '#memory/store/journal-eraser.ts';
import { readableBy, type ScopeFilter } from '#memory/tables/audience.ts';
import type { NodeWork } from '#memory/tables/nodes.ts';
import type { Entry, EntryPage, ListQuery } from '#memory/types/maintenance.ts';
import type { Scope } from '#memory/types/scope.ts';

/** What a list reads on either engine. */
export interface ListedStore {
  chunks: Pick<ChunkWork, 'inOrder' | 'byRows' | 'rowsWith'>;
  select: SelectWork;
  newest: NewestWork;
  nodes: Pick<NodeWork, 'rowsOf'>;
  journal: Pick<JournalEraser, 'shown'>;
}

/** Entries with the same words that one list has, the newest. */
const maxWithWords = 10_000;

const limitSchema = z.number().int().min(1).max(1000).default(50);

/**
 * A page of the entries of the scope, newest first. Throws `missing_scope`, `invalid_limit` for a limit outside 1 to 1000, and
 * `invalid_cursor` for an `after` that no page gave.
 */
export function* list(store: ListedStore, query: ListQuery): Work<EntryPage> {
  const limit = limitSchema.safeParse(query.limit);
  if (!limit.success)
    throw new ParleyError('invalid_limit', `Expected a limit from 1 to 1000, got ${String(query.limit)}.`);
  const readable = readableBy(query.scope, query);
  const { before = Number.MAX_SAFE_INTEGER, offset = 0 } = query;
  const after = query.after === undefined ? { at: before, row: 0 } : positionOf(query.after);
  const page = { after, limit: limit.data, offset };
  const among = yield* amongOf(store, query, readable);
  const positions = yield* store.newest({ ...page, among }, readable);
  const entries = yield* store.chunks.inOrder(
    positions.map(({ row }) => row),
    readable,
  );
  const last = positions.at(-1);
  return {
    entries: entries.map(entryOf),
    next: positions.length < limit.data || last === undefined ? undefined : `${last.at}.${last.row}`,
  };
}

/** The rows that a query can mean, without those of another audience; undefined for all. */
function* amongOf(
  { chunks, select, nodes }: ListedStore,
  { before: until = Number.MAX_SAFE_INTEGER, words, session, person, within }: ListQuery,
  readable: ScopeFilter,
): Work<number[] | undefined> {
  const inPlace = within === undefined ? undefined : yield* nodes.rowsOf(within, readable);
  if (session === undefined && person === undefined) {
    if (words === undefined) return inPlace;
    const withWords = yield* rowsWithWords(chunks, { words, limit: maxWithWords }, readable);
    return inPlace === undefined ? withWords : both(withWords, inPlace);
  }
  const selected = yield* select({ until, words, session, person }, readable);
  return inPlace === undefined ? selected : both(selected, inPlace);
}

function both(rows: readonly number[], others: readonly number[]): number[] {
  const found = new Set(others);
  return rows.filter((row) => found.has(row));
}

function positionOf(cursor: string): Position {
  const [, at, row] = /^(-?\d{1,16})\.(\d{1,16})$/.exec(cursor) ?? [];
  if (at === undefined)
    throw new ParleyError(
      'invalid_cursor',
      `after: expected the \`next\` of a page, got ${JSON.stringify(cursor)}.`,
    );
  return { at: Number(at), row: Number(row) };
}

/** The entry with this id, also one of the journal that is found within another, or undefined when the scope holds none. Throws `missing_scope`. */
export function* show(
  { chunks, select, journal }: Pick<ListedStore, 'chunks' | 'select' | 'journal'>,
  { id, scope }: { id: string; scope: Scope },
): Work<Entry | undefined> {
  const readable = readableBy(scope);
  const [found] = yield* chunks.byRows(yield* select({ ids: [id] }, readable), readable);
  return found === undefined ? yield* journal.shown(id, readable) : entryOf(found);
}
