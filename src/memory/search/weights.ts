// How much each word of a question weighs, and which rows of the scope hold it. Only what the reader may see counts.
import type { Readable } from '#memory/store/audience.ts';
import type { Chunks } from '#memory/store/chunks.ts';
import type { Term } from './query.ts';
import { spellings } from './spelling.ts';

export interface WeightedTerm extends Term {
  weight: number;
  /** Its weight as a word that nobody has used. */
  weightIfUnknown: number;
  /** Rows inside the scope that hold it, newest first; of a word in very many only those. */
  rows: readonly number[];
  /** So usual in this scope that it brings in no chunks of its own when a rarer word does. */
  common: boolean;
  /** The words that count as it, with how alike they are, 0 to 1. */
  forms: ReadonlyMap<string, number>;
}

/** Imagined rows without the word: keeps weights alike in a store of four rows and of four million. */
const imaginedRows = 100;
const weakShare = 0.25;
const commonShare = 0.2;
const largeScope = 200;
/** A plain word that nobody has used may only be said differently; a name or number that nobody has used is truly missing. */
const unknownShare = 0.5;
const unknownParticularShare = 1.25;

/** The terms with weights by rarity inside the scope (a smoothed inverse document frequency) and the rows that hold them. */
export function weigh(terms: readonly Term[], chunks: Chunks, readable: Readable): WeightedTerm[] {
  if (readable.match === undefined || terms.length === 0) return [];
  const total = chunks.total(readable);
  return terms.map((term) => {
    const weightIfUnknown = share(term) * unknown(term) * rarity(1, total);
    const exact = chunks.holding([term.form], readable);
    const found =
      exact.count > 0
        ? { ...exact, forms: new Map([[term.form, 1]]) }
        : spellings(term, { chunks, readable });
    const { rows, count, forms } = found;
    const weight = count > 0 ? share(term) * rarity(count, total) : weightIfUnknown;
    const common = total >= largeScope && count > total * commonShare;
    return { ...term, rows, forms, common, weight, weightIfUnknown };
  });
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
