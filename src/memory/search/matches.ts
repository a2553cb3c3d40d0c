// Where the words of a question stand in each candidate: how often, in whose words, in which sentences. Numbers only; their worth is learned.

import type { WeightedTerm } from '#memory/search/query/weights.ts';
import {
  asPart,
  beginsOrEndsWith,
  forEachLanguage,
  joinsWords,
  minPart,
  type StemmedLanguage,
} from '#memory/words/languages.ts';
import type { SearchEntry } from './entry.ts';

/** The terms in one candidate. Shares are of the weight of all that is sought. */
export interface Match {
  /** How often each term is in it, and how often in the person's and in the assistant's words. */
  counts: Float64Array;
  said: Float64Array;
  answered: Float64Array;
  /** The largest share in one sentence, and in one that states something. */
  sentence: number;
  told: number;
  /** The share in what it is about. */
  about: number;
  /** The share of neighbouring terms that also stand near each other. */
  pairs: number;
  /** 0 to 1: how much of the whole question its own words meet, whatever else there is; what recall admits by. */
  meets: number;
  /** It holds a telling word of the question in what was written, not only in its date or its speaker's name. */
  telling: boolean;
}

/** How much it counts for `meets` where a word stands. A question that was answered is worth more than one that was not. */
const worth = { said: 1, answered: 0.95, asked: 0.85, requestedInVain: 0.5, requestedBack: 0.5, about: 0.8 };
/** What `meets` is made of; the shares sum to 1, so that only a perfect match reaches it. */
const shares = { coverage: 0.72, sentence: 0.16, frequency: 0.12 };
/** BM25's usual constants, over a fixed average length so that no other text in the store changes a score. */
const bm25 = { k1: 1.2, b: 0.5, averageWords: 40 };

interface Placed {
  /** For `meets`: how well each term is in it at best, and the terms of each sentence that holds any. */
  strengths: Float64Array;
  lines: Float64Array[];
}

/** The matches of all entries; `sought` are the weights of the terms with those left out that only name a speaker at 0. */
export function matchesIn(
  entries: readonly SearchEntry[],
  terms: readonly WeightedTerm[],
  sought: Float64Array,
): Match[] {
  const meaningsIn = createMeanings(terms);
  const total = sum(sought) || 1;
  const aboutIn = createAbout(meaningsIn);
  const placed: Placed[] = [];
  const matches = entries.map((entry): Match => {
    const match = emptyMatch(terms.length);
    const own: Placed = { strengths: new Float64Array(terms.length), lines: [] };
    const meaningsOf = meaningsIn(entry.chunk.language);
    const isAnswered = entry.lines.some((line) => line.isAnswer && !line.asks);
    for (const line of entry.lines) {
      let values: Float64Array | undefined;
      const value = worthOf(line, isAnswered);
      let held = 0;
      // by its place: an iterator makes an object for each of some ten thousand words
      for (let at = 0; at < line.words.length; at += 1) {
        const meant = meaningsOf(line.words[at] ?? '');
        if (meant.length === 0) continue;
        values ??= new Float64Array(terms.length);
        for (const { index, similarity } of meant) {
          if (values[index] === 0) held += sought[index] ?? 0;
          values[index] = Math.max(values[index] ?? 0, similarity * value);
          add(match.counts, index, similarity);
          add(line.isAnswer ? match.answered : match.said, index, similarity);
          if (terms[index]?.kind === 'telling') match.telling = true;
        }
      }
      if (values === undefined) continue;
      own.lines.push(values);
      for (let index = 0; index < values.length; index += 1)
        own.strengths[index] = Math.max(own.strengths[index] ?? 0, values[index] ?? 0);
      match.sentence = Math.max(match.sentence, held / total);
      if (!line.asks) match.told = Math.max(match.told, held / total);
    }
    for (const index of aboutIn(entry.chunk.language)(entry.about)) {
      match.about += (sought[index] ?? 0) / total;
      own.strengths[index] = Math.max(own.strengths[index] ?? 0, worth.about);
    }
    if (own.lines.length > 0) match.pairs = pairsIn(entry, terms, match.counts);
    placed.push(own);
    return match;
  });
  const shareOf = sharesOf(terms, placed);
  for (const [place, match] of matches.entries()) {
    const [own, entry] = [placed[place], entries[place]];
    if (own !== undefined && entry !== undefined) match.meets = meets(own, match, { shareOf, entry });
  }
  return matches;
}

interface Meaning {
  index: number;
  similarity: number;
}

const noMeaning: readonly Meaning[] = [];

/** Which terms a word of a language counts as. */
function createMeanings(terms: readonly WeightedTerm[]) {
  return forEachLanguage((language): ((word: string) => readonly Meaning[]) => {
    const meanings = new Map<string, Meaning[]>();
    for (const [index, { formsIn }] of terms.entries())
      for (const [form, similarity] of formsIn(language))
        meanings.set(form, [...(meanings.get(form) ?? []), { index, similarity }]);
    if (!joinsWords(language)) return (word) => meanings.get(word) ?? noMeaning;
    const parts = [...meanings].filter(([form]) => form.length >= minPart);
    return (word) =>
      meanings.get(word) ??
      parts.flatMap(([form, meant]) =>
        beginsOrEndsWith(word, form)
          ? meant.map(({ index, similarity }) => ({ index, similarity: asPart * similarity }))
          : [],
      );
  });
}

/** Which terms the words of a language are about; what pieces of one speaker and day are about is the same set. */
function createAbout(meaningsIn: (language: StemmedLanguage) => (word: string) => readonly Meaning[]) {
  const inEnglish = meaningsIn('en');
  return forEachLanguage((language) => {
    const [known, meaningsOf] = [new Map<SearchEntry['about'], Set<number>>(), meaningsIn(language)];
    return (about: SearchEntry['about']): ReadonlySet<number> => {
      const met = known.get(about) ?? new Set<number>();
      if (known.has(about)) return met;
      known.set(about, met);
      // who and when are English, headings are in the language of their document
      for (const word of about)
        for (const { index } of [...inEnglish(word), ...meaningsOf(word)]) met.add(index);
      return met;
    };
  });
}

function worthOf({ asks, isAnswer }: SearchEntry['lines'][number], isAnswered: boolean): number {
  if (isAnswer) return asks ? worth.requestedBack : worth.answered;
  if (!asks) return worth.said;
  return isAnswered ? worth.asked : worth.requestedInVain;
}

/** A word that was only ever asked about is as good as unknown: asking twice must not hide the answer. */
function sharesOf(terms: readonly WeightedTerm[], placed: readonly Placed[]): Float64Array {
  const weights = Float64Array.from(terms, (term, index) => {
    const best = placed.reduce((most, { strengths }) => Math.max(most, strengths[index] ?? 0), 0);
    return best > worth.requestedInVain ? term.weight : Math.min(term.weight, term.weightIfUnknown);
  });
  const total = sum(weights) || 1;
  return weights.map((weight) => weight / total);
}

function meets(own: Placed, { counts }: Match, of: { shareOf: Float64Array; entry: SearchEntry }): number {
  const { shareOf, entry } = of;
  const coverage = dot(shareOf, own.strengths);
  const sentence = own.lines.reduce((best, line) => Math.max(best, dot(shareOf, line)), 0);
  const { k1, b, averageWords } = bm25;
  const longer = k1 * (1 - b + (b * entry.length) / averageWords);
  let frequency = 0;
  for (let index = 0; index < counts.length; index += 1) {
    const count = counts[index] ?? 0;
    if (count > 0) frequency += ((shareOf[index] ?? 0) * count) / (count + longer);
  }
  return shares.coverage * coverage + shares.sentence * sentence + shares.frequency * frequency;
}

/** The share of terms that stand near the one that is asked before them. */
function pairsIn(
  { lines, chunk }: SearchEntry,
  terms: readonly WeightedTerm[],
  counts: Float64Array,
): number {
  let near = 0;
  for (let index = 1; index < terms.length; index += 1) {
    if (counts[index] === 0 || counts[index - 1] === 0) continue;
    const [first, next] = [terms[index - 1]?.formsIn(chunk.language), terms[index]?.formsIn(chunk.language)];
    const exists = ({ words }: SearchEntry['lines'][number]): boolean =>
      words.some(
        (word, at) =>
          first?.has(word) === true &&
          words.slice(Math.max(0, at - 2), at + 4).some((other) => next?.has(other)),
      );
    if (lines.some(exists)) near += 1;
  }
  return near / Math.max(1, terms.length - 1);
}

function emptyMatch(size: number): Match {
  const [counts, said, answered] = [0, 1, 2].map(() => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]; // three of them
  return { counts, said, answered, sentence: 0, told: 0, about: 0, pairs: 0, meets: 0, telling: false };
}

function add(to: Float64Array, index: number, value: number): void {
  to[index] = (to[index] ?? 0) + value;
}

/** The sum of all numbers. */
export function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let index = 0; index < a.length; index += 1) total += (a[index] ?? 0) * (b[index] ?? 0);
  return total;
}
