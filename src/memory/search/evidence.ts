// What the words of a question find in each candidate, in its neighbours and in its session. Numbers only; their worth is learned.

import { type AnalyzedQuery, isNameOf, namedSpeakers } from '#memory/search/query/query-analysis.ts';
import type { WeightedTerm } from '#memory/search/query/weights.ts';
import type { Candidates } from './candidates.ts';
import type { SearchEntry } from './entry.ts';
import { type Match, matchesIn, sum } from './matches.ts';

/** The candidates under one question. Columns hold a number for each of them, 0 to 1. */
export interface SearchEvidence extends Candidates {
  question: AnalyzedQuery;
  matches: readonly Match[];
  /** BM25 as shares of the best among the candidates: for it, without the question's dates, of the person's and the assistant's words. */
  words: Float64Array;
  subject: Float64Array;
  said: Float64Array;
  answered: Float64Array;
  /** The same of one, two and four neighbours on either side with it, of it with the two before, of its session. */
  around1: Float64Array;
  around2: Float64Array;
  around4: Float64Array;
  leadingUp: Float64Array;
  session: Float64Array;
  /** How promising the best of its session is. */
  sessionBest: Float64Array;
  /** The share of the question's weight, and of its words, that it holds; in the person's words, in the assistant's. */
  coverage: Float64Array;
  count: Float64Array;
  saidCoverage: Float64Array;
  answeredCoverage: Float64Array;
  /** The question names one speaker, and this is that one, or is not. */
  named: Float64Array;
  another: Float64Array;
  /** How much longer than a turn of usual length the candidates are on average, at least 1. */
  scale: number;
}

/** BM25's constants, over a fixed average length so that no other text in the store changes a score. */
const bm25 = { k1: 1.2, b: 0.75, averageWords: 24 };
const monthWord = /^(january|february|march|april|may|june|july|august|september|october|november|december)$/;

/** The evidence for every candidate. */
export function evidenceOf(
  candidates: Candidates,
  terms: readonly WeightedTerm[],
  question: AnalyzedQuery,
): SearchEvidence {
  const { entries, before, after } = candidates;
  const speakers = new Set(
    entries.flatMap(({ chunk }) => (chunk.source === 'document' ? [] : chunk.speaker)),
  );
  const named = [...namedSpeakers(question, speakers)];
  const sought = Float64Array.from(terms, ({ plain, weight }) =>
    named.some((speaker) => isNameOf(plain, speaker)) ? 0 : weight,
  );
  const undated = sought.map((weight, index) => (isDate(terms[index]) ? 0 : weight));
  const matches = matchesIn(entries, terms, sought);
  const usual = entries.reduce((all, { length }) => all + length, 0) / Math.max(1, entries.length);
  const scale = Math.max(1, usual / bm25.averageWords);
  // by its place: an iterator makes an object for each of the candidates, and there are twenty columns
  const column = (value: (place: number) => number): Float64Array => {
    const values = new Float64Array(entries.length);
    for (let place = 0; place < values.length; place += 1) values[place] = value(place);
    return values;
  };
  const windows = createWindows({ entries, matches, sought, scale });
  const whole = sum(sought) || 1;
  const covered = (of: Float64Array = none): number => {
    let all = 0;
    for (let index = 0; index < of.length; index += 1) if ((of[index] ?? 0) > 0) all += sought[index] ?? 0;
    return all / whole;
  };
  const many = Math.max(1, sought.filter((weight) => weight > 0).length);
  const around = (place: number, [back, forth]: readonly [number, number]): number[] => {
    const found = [place];
    for (let at = before[place] ?? -1; at >= 0 && found.length <= back; at = before[at] ?? -1) found.push(at);
    const most = found.length + forth;
    for (let at = after[place] ?? -1; at >= 0 && found.length < most; at = after[at] ?? -1) found.push(at);
    return found;
  };
  const members = Map.groupBy(entries.keys(), (place) => sessionOf(entries[place]));
  const bySession = new Map(
    [...members].map(([session, places]) => [session, windows.of(places, Math.max(places.length, 8))]),
  );
  const isNamed = (place: number): boolean => named.includes(entries[place]?.chunk.speaker ?? '');
  const found: SearchEvidence = {
    ...candidates,
    question,
    matches,
    scale,
    words: relative(column((place) => windows.of([place], 1))),
    subject: relative(
      column((place) => windows.single(matches[place]?.counts, undated, entries[place]?.length)),
    ),
    said: relative(
      column((place) => windows.single(matches[place]?.said, sought, 2 * saidLength(entries[place]))),
    ),
    answered: relative(
      column((place) =>
        windows.single(matches[place]?.answered, sought, 2 * (entries[place]?.answerLength ?? 0)),
      ),
    ),
    around1: relative(column((place) => windows.of(around(place, [1, 1]), 3))),
    around2: relative(column((place) => windows.of(around(place, [2, 2]), 5))),
    around4: relative(column((place) => windows.of(around(place, [4, 4]), 9))),
    leadingUp: relative(column((place) => windows.of(around(place, [2, 0]), 3))),
    session: relative(column((place) => bySession.get(sessionOf(entries[place])) ?? 0)),
    sessionBest: column(() => 0),
    coverage: column((place) => covered(matches[place]?.counts)),
    count: column((place) => countOf(matches[place]?.counts, sought) / many),
    saidCoverage: column((place) => covered(matches[place]?.said)),
    answeredCoverage: column((place) => covered(matches[place]?.answered)),
    named: column((place) => (named.length === 1 && isNamed(place) ? 1 : 0)),
    another: column((place) => (named.length === 1 && !isNamed(place) ? 1 : 0)),
  };
  writeSessionBest(found, members.values());
  return found;
}

const none = new Float64Array();

/** How many of the terms with a weight are there. */
function countOf(counts: Float64Array = none, weights: Float64Array): number {
  let met = 0;
  for (let index = 0; index < counts.length; index += 1)
    if ((counts[index] ?? 0) > 0 && (weights[index] ?? 0) > 0) met += 1;
  return met;
}

function isDate(term: WeightedTerm | undefined): boolean {
  return term !== undefined && (/^\d{1,4}(st|nd|rd|th)?$/.test(term.plain) || monthWord.test(term.plain));
}

function saidLength(entry: SearchEntry | undefined): number {
  return entry === undefined ? 0 : entry.length - entry.answerLength;
}

/** What has no session counts as a session. */
function sessionOf(entry: SearchEntry | undefined): string {
  const { sessionID = '', row = 0 } = entry?.chunk ?? {};
  return sessionID === '' ? `row ${row}` : sessionID;
}

/** BM25 of a candidate, and of several taken together as one text of `size` times the usual length. */
function createWindows(from: {
  entries: readonly SearchEntry[];
  matches: readonly Match[];
  sought: Float64Array;
  scale: number;
}) {
  const { entries, matches, sought, scale } = from;
  const together = new Float64Array(sought.length);
  const score = (
    counts: Float64Array,
    weights: Float64Array,
    { length, size }: Record<'length' | 'size', number>,
  ) => {
    const longer = bm25.k1 * (1 - bm25.b + (bm25.b * length) / (size * scale) / bm25.averageWords);
    let found = 0;
    for (let index = 0; index < counts.length; index += 1) {
      const count = counts[index] ?? 0;
      if (count > 0) found += ((weights[index] ?? 0) * count) / (count + longer);
    }
    return found;
  };
  return {
    single: (counts: Float64Array | undefined, weights: Float64Array, length = 0): number =>
      counts === undefined ? 0 : score(counts, weights, { length, size: 1 }),
    of(places: readonly number[], size: number): number {
      together.fill(0);
      let length = 0;
      for (const place of places) {
        length += entries[place]?.length ?? 0;
        const own = matches[place]?.counts ?? none;
        for (let index = 0; index < own.length; index += 1)
          together[index] = (together[index] ?? 0) + (own[index] ?? 0);
      }
      return score(together, sought, { length, size });
    },
  };
}

/** Scores as shares of the best among these candidates. */
function relative(column: Float64Array): Float64Array {
  const best = column.reduce((most, value) => Math.max(most, value), 1e-9);
  return column.map((value) => value / best);
}

/** How promising a candidate looks before anything is learned. */
function promise({ words, around2, session, named }: SearchEvidence, place: number): number {
  return (
    (words[place] ?? 0) + ((around2[place] ?? 0) + (session[place] ?? 0)) / 2 + 0.4 * (named[place] ?? 0)
  );
}

function writeSessionBest(found: SearchEvidence, sessions: Iterable<readonly number[]>): void {
  const own = found.entries.map((_, place) => promise(found, place));
  const best = Math.max(...own, 1e-9);
  for (const places of sessions) {
    const most = Math.max(...places.map((place) => own[place] ?? 0));
    for (const place of places) found.sessionBest[place] = most / best;
  }
}
