// Forgetting: shown first, then done in one transaction over everything derived, and looked for afterwards. Not what to forget.
import { readFileSync } from 'node:fs';
import { type Readable, readableBy } from '#memory/store/audience.ts';
import { entryOf, entryOfRecord } from '#memory/store/entry.ts';
import type { StoredRecord } from '#memory/store/record-row.ts';
import type { Store } from '#memory/store/store.ts';
import { plainWords } from '#memory/store/tokens.ts';
import type { ForgetRequest, ForgetResult } from '#memory/terms/keeping.ts';

const mostSamples = 10;
/** Words of what was forgotten that are looked for in the files; the longest say most. */
const mostTraced = 50;
const shortestTraced = 6;

/**
 * Shows or forgets the selection inside the scope, with every version of the records that it means or that were made of it. Throws
 * `missing_scope` without a scope and `invalid_selection` for a selection that names nothing. What was forgotten cannot be brought
 * back by an import.
 */
export function forget(store: Store, request: ForgetRequest): ForgetResult {
  const readable = readableBy(request.scope, undefined, 'included');
  const { rows, records } = meant(store, request, readable);
  const order = new Map(rows.map((row, index) => [row, index]));
  const place = (row: number): number => order.get(row) ?? 0;
  const inRows = store.chunks.byRows(rows, readable).sort((a, b) => place(a.row) - place(b.row));
  const withChunks = new Set(inRows.map(({ sourceKey }) => sourceKey));
  const lineages = Map.groupBy(records, ({ lineageID }) => lineageID);
  const alone = [...lineages.values()].filter((versions) => !versions.some(({ id }) => withChunks.has(id)));
  const entries = rows.length + alone.length;
  const samples = [
    ...inRows.map(entryOf),
    ...alone.flatMap((versions) => versions.slice(-1).map(entryOfRecord)),
  ];
  if (request.mode === 'preview')
    return { entries, samples: samples.slice(0, mostSamples), forgotten: false, remains: [] };
  const words = tellingOf([
    ...inRows.map(({ content }) => content),
    ...records.map(({ text }) => text),
    ...store.knowledge.wordsOf([...lineages.keys()]),
  ]);
  store.forget({ rows, records, by: request.by ?? { name: 'operator' }, reason: request.reason });
  const left = meant(store, request, readable);
  const count = left.rows.length + left.records.length;
  const remains = count === 0 ? [] : [`${count} entries of the selection are still there`];
  const gone = words.filter((word) => !store.chunks.knows(word));
  for (const { word, file } of tracesOf(gone, store.files()))
    if (!store.isNamed(word)) remains.push(`"${word}" stands in ${file}`);
  return { entries, samples: samples.slice(0, mostSamples), forgotten: true, remains };
}

function meant(
  store: Store,
  { selection }: ForgetRequest,
  readable: Readable,
): { rows: number[]; records: StoredRecord[] } {
  const rows = store.select(selection, readable);
  const { versions, rows: further } = store.selectRecords(selection, readable, rows);
  return { rows: [...new Set([...rows, ...further])], records: versions };
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
