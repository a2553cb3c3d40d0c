// How much each word of a question weighs, and which rows of the scope hold it. Only what the reader may see counts.

import { memoize } from '#base/caches/memoize.ts';
import type { Work } from '#base/sql/work.ts';
import type { ChunkWork } from '#memory/chunks/chunks.ts';
import { maxRowsOfWord, queryFor } from '#memory/chunks/word-rows.ts';
import type { ScopeFilter } from '#memory/tables/audience.ts';
import type { WordQuery } from '#memory/tables/word-query.ts';
import { forEachLanguage, joinsWords, type StemmedLanguage, stemIn } from '#memory/words/languages.ts';
import type { Term } from './query-terms.ts';
import { spellings } from './spelling.ts';

export interface WeightedTerm extends Term {
  weight: number;
  /** Its weight as a word that nobody has used. */
  weightIfUnknown: number;
  /** Rows inside the scope that hold it, newest first; of a word in very many only those. */
  rows: readonly number[];
  /** Every row that may meet it is among `rows`: they are not only the newest, and it is looked for in no language that joins words. */
  isWhole: boolean;
  /** So usual in this scope that it brings in no separate chunks when a rarer word does. */
  common: boolean;
  /** The indexed words of a language that count as it, with how alike they are, 0 to 1. */
  formsIn(language: StemmedLanguage): ReadonlyMap<string, number>;
}

/** Imagined rows without the word: it makes weights alike in a store of four rows and of four million. */
const imaginedRows = 100;
const weakShare = 0.25;
const commonShare = 0.2;
const largeScope = 200;
/** A plain word that nobody has used may only be said differently; a name or number that nobody has used is truly missing. */
const unknownShare = 0.5;
const unknownParticularShare = 1.25;

/**
 * The terms with weights by rarity inside the scope (a smoothed inverse document frequency) and the rows that hold them; `total` is about
 * how many rows the scope reads.
 */
export function* weigh(
  terms: readonly Term[],
  chunks: Pick<ChunkWork, 'languages' | 'holding' | 'wordsWith'>,
  { readable, total }: { readable: ScopeFilter; total: number },
): Work<WeightedTerm[]> {
  if (readable.match === undefined || terms.length === 0) return [];
  const there: StemmedLanguage[] = ['en', ...(yield* chunks.languages({ readable, total }))];
  const postings = yield* chunks.holding(
    terms.map((term) => queryOf(term, there)),
    { readable, total },
  );
  const weighted: WeightedTerm[] = [];
  for (const [index, term] of terms.entries()) {
    const weightIfUnknown = share(term) * unknown(term) * rarity(1, total);
    const exact = postings[index] ?? { rows: [], count: 0 };
    const spelled =
      exact.count > 0 ? undefined : yield* spellings(term, { chunks, readable, total, languages: there });
    const found = spelled ?? exact;
    const { rows, count } = found;
    const formsIn =
      found === exact
        ? forEachLanguage((language) => stemsOf(term, language))
        : () => spelled?.forms ?? new Map<string, number>();
    const weight = count > 0 ? share(term) * rarity(count, total) : weightIfUnknown;
    const common = total >= largeScope && count > total * commonShare;
    const isWhole = rows.length < maxRowsOfWord && !there.some(joinsWords);
    weighted.push({ ...term, rows, isWhole, formsIn, common, weight, weightIfUnknown });
  }
  return weighted;
}

/**
 * The largest share of the question, 0 to 1, that one row can meet: at least what `Match.meets` says of any. The weight of a word that is
 * not in the row counts as little as it may, see `sharesOf` of matches.ts.
 */
export function mostMet(terms: readonly WeightedTerm[]): number {
  let [anywhere, missing] = [0, 0];
  const held = new Map<number, { weight: number; least: number }>();
  for (const { rows, isWhole, weight, weightIfUnknown } of terms) {
    const least = Math.min(weight, weightIfUnknown);
    if (isWhole) missing += least;
    else anywhere += weight;
    for (const row of isWhole ? rows : []) {
      const known = held.get(row);
      if (known === undefined) held.set(row, { weight, least });
      else {
        known.weight += weight;
        known.least += least;
      }
    }
  }
  const share = (met: number, others: number): number => (met === 0 ? 0 : met / (met + others));
  let most = share(anywhere, missing);
  for (const { weight, least } of held.values())
    most = Math.max(most, share(anywhere + weight, missing - least));
  return most;
}

/** What finds the term in any of the languages. */
function queryOf({ plain }: Term, there: readonly StemmedLanguage[]): WordQuery {
  return queriesOf(there.join(' '))(plain);
}

/** Queries that are remembered for the languages of a scope, most of which is English: people use the same words again and again. */
const queriesOf = memoize(16, (languages) => {
  const there = languages.split(' ') as StemmedLanguage[]; // as they were joined
  return memoize(1_000, (plain): WordQuery => {
    const english = stemIn('en', plain);
    const forms = there.map((language) => [language, stemIn(language, plain)] as const);
    // a form that English has too needs no other
    return queryFor(
      plain,
      forms.filter(([language, form]) => language === 'en' || form !== english || joinsWords(language)),
    );
  });
});

function stemsOf({ plain }: Term, language: StemmedLanguage): ReadonlyMap<string, number> {
  return new Map([[stemIn(language, plain), 1]]);
}

function share(term: Term): number {
  return term.kind === 'weak' ? weakShare : 1;
}

function unknown(term: Term): number {
  return term.particular ? unknownParticularShare : unknownShare;
}

function rarity(rows: number, total: number): number {
  const all = Math.max(total, rows) + imaginedRows;
  return Math.log(1 + (all - rows + 0.5) / (rows + 0.5));
}
