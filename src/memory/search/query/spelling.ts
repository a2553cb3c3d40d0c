// What a word that nobody has used may have meant: indexed words a letter or two away. Only words that are in the scope count.
import { distance } from 'fastest-levenshtein';
import type { Work } from '#base/sql/work.ts';
import type { ChunkWork } from '#memory/chunks/chunks.ts';
import { type Posting, queryFor } from '#memory/chunks/word-rows.ts';
import type { ScopeFilter } from '#memory/tables/audience.ts';
import { type StemmedLanguage, stemIn } from '#memory/words/languages.ts';
import type { Term } from './query-terms.ts';

/** Shorter words have too many neighbours of other meaning. */
const shortest = 5;
const longWord = 8;
/** Letters of each of two words that were run together. */
const shortestPart = 4;
/** A letter that joins two words. */
const joint = /(?<=..)s$/;
const vowels = 'aeiouy';
const maxNeighbours = 24;
/** A misspelling is worth less than the word itself. */
const trust = 0.9;

/** Where words are looked for: the languages there, and about how many rows the scope reads. */
interface Within {
  chunks: Pick<ChunkWork, 'holding' | 'wordsWith'>;
  readable: ScopeFilter;
  total: number;
  languages: readonly StemmedLanguage[];
}

type Spelled = Posting & { forms: ReadonlyMap<string, number> };

/** Rows that hold a near spelling of the term, and those spellings with their similarity; both empty when there is none. */
export function* spellings(term: Term, { languages, ...within }: Within): Work<Spelled> {
  const forms = new Map<string, number>();
  if (term.plain.length < shortest || !/^\p{L}+$/u.test(term.plain)) return { rows: [], count: 0, forms };
  const known: string[] = [];
  for (const opening of openings(term.form)) known.push(...(yield* within.chunks.wordsWith(opening)));
  const near = known
    .map((word) => ({ word, edits: edits(term.form, word) }))
    .filter(({ edits: count }) => count <= (term.form.length < longWord ? 1 : 2))
    .sort((a, b) => a.edits - b.edits || (a.word < b.word ? -1 : 1))
    .slice(0, maxNeighbours);
  if (near.length === 0) return yield* twoWords(term, { ...within, languages });
  const found = new Set<number>();
  const postings = yield* within.chunks.holding(
    near.map(({ word }) => ({ type: 'word', in: 'text', word })),
    within,
  );
  for (const [index, { word, edits: count }] of near.entries()) {
    const rows = postings[index]?.rows ?? [];
    if (rows.length === 0) continue;
    forms.set(word, trust * (1 - count / term.form.length));
    for (const row of rows) found.add(row);
  }
  return { rows: [...found].sort((a, b) => b - a), count: found.size, forms };
}

/** Two words that were run together, each of them known: `lockercode`. */
function* twoWords({ plain }: Term, { languages, ...within }: Within): Work<Spelled> {
  for (let cut = plain.length - shortestPart; cut >= shortestPart; cut -= 1) {
    for (const language of languages) {
      const parts = [plain.slice(0, cut).replace(joint, ''), plain.slice(cut)].map((part) =>
        stemIn(language, part),
      );
      const [first, second] = yield* within.chunks.holding(
        parts.map((part) => queryFor(part, [[language, part]])),
        within,
      );
      if (first === undefined || second === undefined || first.count === 0 || second.count === 0) continue;
      const rows = [...new Set([...first.rows, ...second.rows])].sort((a, b) => b - a);
      return { rows, count: rows.length, forms: new Map(parts.map((part) => [part, 0.5])) };
    }
  }
  return { rows: [], count: 0, forms: new Map() };
}

/** How the meant word may open: the first letter is trusted, the second may be missing, swapped or another vowel. */
function openings(word: string): string[] {
  const [first, second = '', third = ''] = word;
  const seconds = new Set([second, third, ...(vowels.includes(second) ? vowels : '')]);
  return [...seconds].map((letter) => `${first}${letter}`);
}

/** Letters to change, two swapped neighbours counting as one. */
function edits(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 9;
  const count = distance(a, b);
  return count === 2 && a.length === b.length && sorted(a) === sorted(b) ? 1 : count;
}

function sorted(word: string): string {
  return [...word].sort().join('');
}
