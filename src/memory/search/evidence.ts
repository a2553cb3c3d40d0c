// What the words of a question find in each passage, in the turns around it and in its session. Numbers only; their worth is learned.

import type { Passage } from '#memory/store/passage.ts';
import type { Dialogue } from './dialogue.ts';
import { type Matches, matchesIn } from './matches.ts';
import { isNameOf, namedSpeakers, type Question } from './question.ts';
import type { WeightedTerm } from './weights.ts';
import { windowSums } from './window-sums.ts';

/** A number for each passage, in the order of the dialogue. */
export type Column = Float64Array;

/** The passages under one question; scores are shares of the best that any candidate reached, 0 to 1. What is told is 0 or 1. */
export interface Evidence {
  passages: readonly Passage[];
  words: Column;
  /** Without the question's dates. */
  subject: Column;
  coverage: Column;
  count: Column;
  rarest: Column;
  sentence: Column;
  told: Column;
  pairs: Column;
  about: Column;
  around1: Column;
  around2: Column;
  around4: Column;
  leadingUp: Column;
  session: Column;
  sessionBest: Column;
  before: Column;
  after: Column;
  coverageBefore: Column;
  coverageAfter: Column;
  /** The turn before ends with a question. */
  answers: Column;
  isFirst: Column;
  /** The question names one speaker, and this is that one, or is not. */
  named: Column;
  another: Column;
}

/** The evidence for every passage of the dialogue. */
export function evidenceOf(dialogue: Dialogue, terms: readonly WeightedTerm[], question: Question): Evidence {
  const { passages } = dialogue;
  const speakers = new Set(passages.map((passage) => passage.speaker));
  const named = namedSpeakers(question, speakers);
  const names = [...named];
  const sought = terms.filter((term) => !names.some((speaker) => isNameOf(term.plain, speaker)));
  const weights = Float64Array.from(sought, (term) => term.weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const heaviest = Math.max(...weights, 1e-6);
  const isDate = sought.map(
    (term) => /^\d{1,4}(st|nd|rd|th)?$/.test(term.plain) || monthWord.test(term.plain),
  );
  const matches = matchesIn(passages, sought);
  const { counts } = matches;
  const sums = windowSums({ dialogue, counts, weights, total });
  const size = weights.length;
  const found = emptyEvidence(passages);
  for (const [place, passage] of passages.entries()) {
    let [covered, met, rarest] = [0, 0, 0];
    for (let index = 0, at = place * size; index < size; index += 1, at += 1) {
      if ((counts[at] ?? 0) <= 0) continue;
      const weight = weights[index] ?? 0;
      covered += weight;
      met += 1;
      if (weight > rarest) rarest = weight;
    }
    if (met > 0) {
      const { sentence, told } = heaviestLines(matches, place, weights);
      found.sentence[place] = sentence / total;
      found.told[place] = told / total;
    }
    sums.write(place, found);
    found.subject[place] = isDate.includes(true) ? sums.of([place], 1, isDate) : (found.words[place] ?? 0);
    found.coverage[place] = covered / total;
    found.count[place] = size === 0 ? 0 : met / size;
    found.rarest[place] = rarest / heaviest;
    found.pairs[place] = met < 2 ? 0 : matches.pairs(place);
    found.about[place] = sumOf(matches.about(place), weights) / total;
    const last = dialogue.before[place] ?? -1;
    found.answers[place] = passages[last]?.endsAsking === true ? 1 : 0;
    found.isFirst[place] = passage.isTurn && last < 0 ? 1 : 0;
    if (named.size !== 1) continue;
    found[named.has(passage.speaker) ? 'named' : 'another'][place] = 1;
  }
  writeSessions(found, passages, (members) => sums.of(members, Math.max(members.length, 8)));
  relative(found);
  related(found, dialogue);
  return found;
}

const monthWord = /^(january|february|march|april|may|june|july|august|september|october|november|december)$/;

function emptyEvidence(passages: readonly Passage[]): Evidence {
  const column = (): Column => new Float64Array(passages.length);
  return {
    passages,
    words: column(),
    subject: column(),
    coverage: column(),
    count: column(),
    rarest: column(),
    sentence: column(),
    told: column(),
    pairs: column(),
    about: column(),
    around1: column(),
    around2: column(),
    around4: column(),
    leadingUp: column(),
    session: column(),
    sessionBest: column(),
    before: column(),
    after: column(),
    coverageBefore: column(),
    coverageAfter: column(),
    answers: column(),
    isFirst: column(),
    named: column(),
    another: column(),
  };
}

/** The most weight that one line holds, and that one holds which does not only ask. */
function heaviestLines(
  matches: Matches,
  place: number,
  weights: Float64Array,
): { sentence: number; told: number } {
  let [sentence, told] = [0, 0];
  matches.inLines(place, (terms, line) => {
    const inLine = sumOf(terms, weights);
    if (inLine > sentence) sentence = inLine;
    if (inLine > told && (line & 1) === 0) told = inLine;
  });
  return { sentence, told };
}

/** The weights of a set of terms. */
function sumOf(terms: number, weights: Float64Array): number {
  let sum = 0;
  for (let left = terms; left !== 0; left &= left - 1) sum += weights[31 - Math.clz32(left & -left)] ?? 0;
  return sum;
}

function writeSessions(
  { session: scores }: Evidence,
  passages: readonly Passage[],
  score: (members: readonly number[]) => number,
): void {
  const members = new Map<string, number[]>();
  for (const [place, { session }] of passages.entries()) {
    const list = members.get(session);
    if (list === undefined) members.set(session, [place]);
    else list.push(place);
  }
  for (const list of members.values()) {
    const one = score(list);
    for (const place of list) scores[place] = one;
  }
}

/** Scores as shares of the best among these candidates. */
function relative({ words, subject, around1, around2, around4, leadingUp, session }: Evidence): void {
  for (const column of [words, subject, around1, around2, around4, leadingUp, session]) {
    let best = 1e-9;
    for (const value of column) if (value > best) best = value;
    for (let place = 0; place < column.length; place += 1) column[place] = (column[place] ?? 0) / best;
  }
}

/** What the neighbours and the best of the session say. */
function related(found: Evidence, dialogue: Dialogue): void {
  const { passages, words, around2, session, named, coverage } = found;
  const promised = new Float64Array(passages.length);
  const bestOf = new Map<string, number>();
  let best = 1e-9;
  for (const [place, passage] of passages.entries()) {
    const own =
      (words[place] ?? 0) +
      0.5 * (around2[place] ?? 0) +
      0.5 * (session[place] ?? 0) +
      (named[place] === 1 ? 0.4 : 0);
    promised[place] = own;
    best = Math.max(best, own);
    if (own > (bestOf.get(passage.session) ?? 0)) bestOf.set(passage.session, own);
  }
  for (const [place, passage] of passages.entries()) {
    const [last, next] = [dialogue.before[place] ?? -1, dialogue.after[place] ?? -1];
    found.sessionBest[place] = (bestOf.get(passage.session) ?? 0) / best;
    if (last >= 0) {
      found.before[place] = words[last] ?? 0;
      found.coverageBefore[place] = coverage[last] ?? 0;
    }
    if (next >= 0) {
      found.after[place] = words[next] ?? 0;
      found.coverageAfter[place] = coverage[next] ?? 0;
    }
  }
}
