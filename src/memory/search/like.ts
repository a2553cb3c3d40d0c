// Searching while the full text is damaged: by the words as they are written, row by row. Not ranked by what words weigh.

import { entryOf } from '#memory/chunks/entry.ts';
import type { Store } from '#memory/store/store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { SearchQuery, SearchResult } from '#memory/types/recall.ts';
import { plainWords } from '#memory/words/tokens.ts';

const usualLimit = 8;
/** Words of a question that are looked for, the longest first: each of them reads every row. */
const maxWords = 12;
const shortestWord = 3;

/** What searches say until then. */
export const fullTextDamaged = 'full text damaged: searched with LIKE, and made again';

/** Entries of the scope that hold words of the text, those with most of them first. Rejects with `missing_scope` without a scope. */
export function searchLike(
  { chunks, fullText }: Pick<Store, 'chunks' | 'fullText'>,
  query: SearchQuery,
): SearchResult {
  const readable = readableBy(query.scope, query);
  const all = new Set(plainWords(query.text).filter((word) => word.length >= shortestWord));
  const words = [...all].sort((a, b) => b.length - a.length).slice(0, maxWords);
  const found = fullText.rowsLike(words, readable, query.limit ?? usualLimit);
  const rows = new Map(
    chunks
      .byRows(
        found.map(({ row }) => row),
        readable,
      )
      .map((chunk) => [chunk.row, chunk]),
  );
  const hits = found.flatMap(({ row, met }) => {
    const chunk = rows.get(row);
    if (chunk === undefined) return [];
    const coverage = met / words.length;
    return [{ ...entryOf(chunk), score: coverage, scoreParts: { coverage }, why: { words: [] } }];
  });
  return { hits, degraded: [fullTextDamaged] };
}
