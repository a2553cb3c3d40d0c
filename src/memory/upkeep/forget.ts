// Forgetting: shown first, then done in one transaction over everything derived, and looked for afterwards. Not what to forget.
import { readFileSync } from 'node:fs';
import { readableBy } from '#memory/store/audience.ts';
import { entryOf } from '#memory/store/entry.ts';
import type { Store } from '#memory/store/store.ts';
import { plainWords } from '#memory/store/tokens.ts';
import type { ForgetRequest, ForgetResult } from '#memory/terms/keeping.ts';

const mostSamples = 10;
/** Words of what was forgotten that are looked for in the files; the longest say most. */
const mostTraced = 50;
const shortestTraced = 6;

/**
 * Shows or forgets the selection inside the scope. Throws `missing_scope` without a scope and `invalid_selection` for a selection
 * that names nothing. What was forgotten cannot be brought back by an import.
 */
export function forget(store: Store, request: ForgetRequest): ForgetResult {
  const readable = readableBy(request.scope);
  const rows = store.select(request.selection, readable);
  const order = new Map(rows.map((row, index) => [row, index]));
  const place = (row: number): number => order.get(row) ?? 0;
  const samples = store.chunks
    .byRows(rows.slice(0, mostSamples), readable)
    .sort((a, b) => place(a.row) - place(b.row))
    .map(entryOf);
  if (request.mode === 'preview') return { entries: rows.length, samples, forgotten: false, remains: [] };
  const words = tellingOf(store.chunks.byRows(rows, readable).map(({ content }) => content));
  store.forget(rows);
  const left = store.select(request.selection, readable).length;
  const remains = left === 0 ? [] : [`${left} entries of the selection are still there`];
  const gone = words.filter((word) => !store.chunks.knows(word));
  for (const { word, file } of tracesOf(gone, store.files())) remains.push(`"${word}" stands in ${file}`);
  return { entries: rows.length, samples, forgotten: true, remains };
}

/** The words whose bytes, in any case, stand in a file. */
export function tracesOf(
  words: readonly string[],
  files: readonly string[],
): { word: string; file: string }[] {
  if (words.length === 0) return [];
  return files.flatMap((file) => {
    const text = readFileSync(file).toString('latin1').toLowerCase();
    const bytes = (word: string): string => Buffer.from(word, 'utf8').toString('latin1').toLowerCase();
    return words.filter((word) => text.includes(bytes(word))).map((word) => ({ word, file }));
  });
}

function tellingOf(texts: readonly string[]): string[] {
  const words = new Set(texts.flatMap(plainWords).filter((word) => word.length >= shortestTraced));
  return [...words].sort((a, b) => b.length - a.length).slice(0, mostTraced);
}
