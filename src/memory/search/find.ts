// From a question to ranked chunks inside a scope: words first, then likeness when no word is known. Reads only.
import { type Readable, readableBy } from '#memory/store/audience.ts';
import type { Store } from '#memory/store/store.ts';
import type { Scope } from '#memory/terms/scope.ts';
import { termsOf } from './query.ts';
import { type Ranked, rank } from './rank.ts';
import { type WeightedTerm, weigh } from './weights.ts';

export interface Found {
  /** Best first, repetitions among them; between equals the one that was said last. */
  ranked: Ranked[];
  degraded: string[];
}

type Parts = Pick<Store, 'chunks' | 'vectors'>;

/** Chunks that are read and ranked for one question, at least; more when more are asked for. */
const leastCandidates = 80;
/** Scores closer than this are equal, and the newer comes first. */
const step = 0.02;
/** Likeness of hashed vectors that is more than chance, and what it is worth at most. */
const leastLikeness = 0.45;
const likenessWorth = 0.4;
const mostAlike = 10;

/** What the scope holds about the text. Throws `missing_scope` without a scope; no text makes it throw. */
export function find(store: Parts, query: { text: string; scope: Scope; limit?: number | undefined }): Found {
  const readable = readableBy(query.scope);
  const terms = termsOf(query.text);
  const weighted = weigh(terms, store.chunks, readable);
  const rows = candidates(weighted, Math.max(leastCandidates, 2 * (query.limit ?? 0)));
  const ranked =
    rows.length > 0
      ? rank(store.chunks.byRows(rows, readable), weighted)
      : alike(store, query.text, readable);
  return { ranked: inOrder(ranked), degraded: store.vectors.degraded() };
}

function inOrder(ranked: readonly Ranked[]): Ranked[] {
  const level = (entry: Ranked): number => Math.round(entry.score / step);
  return [...ranked].sort(
    (a, b) =>
      level(b) - level(a) ||
      b.chunk.lastSaidAt - a.chunk.lastSaidAt ||
      b.score - a.score ||
      b.chunk.row - a.chunk.row,
  );
}

/** The rows that hold the heaviest words, newer ones first among equals. */
function candidates(terms: readonly WeightedTerm[], most: number): number[] {
  const known = terms.filter((term) => term.rows.size > 0);
  const rare = known.filter((term) => !term.common);
  const sums = new Map<number, number>();
  for (const term of rare.length > 0 ? rare : known) {
    for (const row of term.rows) sums.set(row, (sums.get(row) ?? 0) + term.weight);
  }
  return [...sums]
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, most)
    .map(([row]) => row);
}

/** Chunks whose letters resemble the text, for a question of which no word is known. */
function alike(store: Parts, text: string, readable: Readable): Ranked[] {
  const near = store.vectors
    .nearest(text, readable, mostAlike)
    .filter(({ similarity }) => similarity >= leastLikeness);
  const similarity = new Map(near.map((entry) => [entry.row, entry.similarity]));
  return store.chunks.byRows([...similarity.keys()], readable).map((chunk) => {
    const likeness = similarity.get(chunk.row) ?? 0;
    return { chunk, score: likenessWorth * likeness, parts: { likeness }, telling: false, onlyAsks: false };
  });
}
