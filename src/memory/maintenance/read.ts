// Memory read unchanged: lists, single entries and places. Every entry through the scope.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { entryOf } from '#memory/chunks/entry.ts';
import { rowsWithWords } from '#memory/chunks/selection.ts';
import type { Store } from '#memory/store/store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { Entry, ListQuery } from '#memory/types/maintenance.ts';
import type { Scope } from '#memory/types/scope.ts';

/** Entries with the same words that one list has, the newest. */
const maxWithWords = 10_000;

const limitSchema = z.number().int().min(1).max(1000).default(50);

/** The entries of the scope, newest first. Throws `missing_scope`, and `invalid_limit` for a limit outside 1 to 1000. */
export function list({ chunks, select, newest, nodes }: Store, query: ListQuery): Entry[] {
  const limit = limitSchema.safeParse(query.limit);
  if (!limit.success)
    throw new ParleyError('invalid_limit', `Expected a limit from 1 to 1000, got ${String(query.limit)}.`);
  const readable = readableBy(query.scope, query);
  const { before: until = Number.MAX_SAFE_INTEGER, words, session, person, within, offset = 0 } = query;
  if (session === undefined && person === undefined && within === undefined) {
    const among =
      words === undefined ? undefined : rowsWithWords(chunks, { words, limit: maxWithWords }, readable);
    const page = newest({ until, limit: limit.data, offset, among }, readable);
    if (page !== undefined) return chunks.inOrder(page, readable).map(entryOf);
  }
  const selected = select({ until, words, session, person }, readable);
  const inPlace = within === undefined ? undefined : new Set(nodes.rowsOf(within, readable));
  const meant = inPlace === undefined ? selected : selected.filter((row) => inPlace.has(row));
  const rows = meant.slice(offset, offset + limit.data);
  return chunks.inOrder(rows, readable).map(entryOf);
}

/** The entry with this id, or undefined when the scope holds none. Throws `missing_scope`. */
export function show({ chunks, select }: Store, query: { id: string; scope: Scope }): Entry | undefined {
  const readable = readableBy(query.scope);
  return chunks.byRows(select({ ids: [query.id] }, readable), readable).map(entryOf)[0];
}
