// What the words of a question find in each passage, in the turns around it and in its session. Numbers only; their worth is learned.
import type { Dialogue } from './dialogue.ts';
import { matchesIn } from './matches.ts';
import type { Passage } from './passage.ts';
import { isNameOf, namedSpeakers, type Question } from './question.ts';
import type { WeightedTerm } from './weights.ts';
import { windowSums } from './window-sums.ts';
import type { WordNumbers } from './word-numbers.ts';

/** One passage under one question; scores are shares of the best that any candidate reached, 0 to 1. */
export interface Evidence {
  passage: Passage;
  words: number;
  /** Without the question's dates. */
  subject: number;
  coverage: number;
  count: number;
  rarest: number;
  sentence: number;
  told: number;
  pairs: number;
  about: number;
  around1: number;
  around2: number;
  around4: number;
  leadingUp: number;
  session: number;
  sessionBest: number;
  before: number;
  after: number;
  coverageBefore: number;
  coverageAfter: number;
  /** The turn before ends with a question. */
  answers: boolean;
  isFirst: boolean;
  /** Whether the question names one speaker, and this is or is not that one; or several. */
  speaker: 'named' | 'another' | 'one of several' | 'nobody is named';
}

/** The evidence for every passage of the dialogue. */
export function evidenceOf(
  dialogue: Dialogue,
  terms: readonly WeightedTerm[],
  asked: { question: Question; numbers: WordNumbers },
): readonly Evidence[] {
  const { question, numbers } = asked;
  const { passages } = dialogue;
  const speakers = new Set(passages.map((passage) => passage.speaker));
  const named = namedSpeakers(question, speakers);
  const isName = (term: WeightedTerm): boolean => [...named].some((speaker) => isNameOf(term.plain, speaker));
  const sought = terms.filter((term) => !isName(term));
  const weights = sought.map((term) => term.weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const heaviest = Math.max(...weights, 1e-6);
  const isDate = sought.map(
    (term) => /^\d{1,4}(st|nd|rd|th)?$/.test(term.plain) || monthWord.test(term.plain),
  );
  const matches = matchesIn(passages, sought, numbers);
  const { counts } = matches;
  const sums = windowSums({ dialogue, counts, weights, total });
  const bySession = sessionScores(passages, (members) => sums.of(members, Math.max(members.length, 8)));
  const size = weights.length;
  const drafts = passages.map((passage, place): Evidence => {
    const own = counts.subarray(place * size, (place + 1) * size);
    const window = sums.around(place);
    let [covered, met, rarest] = [0, 0, 0];
    for (let index = 0; index < size; index += 1) {
      if ((own[index] ?? 0) <= 0) continue;
      const weight = weights[index] ?? 0;
      covered += weight;
      met += 1;
      rarest = Math.max(rarest, weight);
    }
    let [sentence, told] = [0, 0];
    for (const [line, found] of met === 0 ? [] : matches.lines(place).entries()) {
      const inLine = sumOf(found, weights);
      sentence = Math.max(sentence, inLine);
      if (passage.lineAsks[line] !== true) told = Math.max(told, inLine);
    }
    return {
      passage,
      words: window.own,
      subject: sums.of([place], 1, isDate),
      coverage: covered / total,
      count: size === 0 ? 0 : met / size,
      rarest: rarest / heaviest,
      sentence: sentence / total,
      told: told / total,
      pairs: met < 2 ? 0 : matches.pairs(place),
      about: sumOf(matches.about(place), weights) / total,
      around1: window.around1,
      around2: window.around2,
      around4: window.around4,
      leadingUp: window.leadingUp,
      session: bySession.get(passage.session) ?? 0,
      sessionBest: 0,
      before: 0,
      after: 0,
      coverageBefore: 0,
      coverageAfter: 0,
      answers: passages[dialogue.before[place] ?? -1]?.endsAsking === true,
      isFirst: passage.isTurn && (dialogue.before[place] ?? -1) < 0,
      speaker: speakerOf(passage.speaker, named),
    };
  });
  return related(relative(drafts), dialogue);
}

const monthWord = /^(january|february|march|april|may|june|july|august|september|october|november|december)$/;

/** The weights of a set of terms. */
function sumOf(terms: number, weights: readonly number[]): number {
  let sum = 0;
  for (let left = terms; left !== 0; left &= left - 1) sum += weights[31 - Math.clz32(left & -left)] ?? 0;
  return sum;
}

function sessionScores(
  passages: readonly Passage[],
  score: (members: readonly number[]) => number,
): ReadonlyMap<string, number> {
  const members = new Map<string, number[]>();
  for (const [place, { session }] of passages.entries()) {
    const list = members.get(session);
    if (list === undefined) members.set(session, [place]);
    else list.push(place);
  }
  return new Map([...members].map(([session, list]) => [session, score(list)]));
}

function speakerOf(speaker: string, named: ReadonlySet<string>): Evidence['speaker'] {
  if (named.size === 0) return 'nobody is named';
  if (named.size > 1) return 'one of several';
  return named.has(speaker) ? 'named' : 'another';
}

const scaled = ['words', 'subject', 'around1', 'around2', 'around4', 'leadingUp', 'session'] as const;

/** Scores as shares of the best among these candidates. */
function relative(drafts: readonly Evidence[]): readonly Evidence[] {
  for (const key of scaled) {
    let best = 1e-9;
    for (const draft of drafts) best = Math.max(best, draft[key]);
    for (const draft of drafts) draft[key] /= best;
  }
  return drafts;
}

/** What the neighbours and the best of the session say. */
function related(list: readonly Evidence[], dialogue: Dialogue): readonly Evidence[] {
  const promise = (one: Evidence): number =>
    one.words + 0.5 * one.around2 + 0.5 * one.session + (one.speaker === 'named' ? 0.4 : 0);
  const bestOf = new Map<string, number>();
  let best = 1e-9;
  for (const one of list) {
    const { session } = one.passage;
    const promised = promise(one);
    best = Math.max(best, promised);
    bestOf.set(session, Math.max(bestOf.get(session) ?? 0, promised));
  }
  for (const [place, one] of list.entries()) {
    const [before, after] = [list[dialogue.before[place] ?? -1], list[dialogue.after[place] ?? -1]];
    one.sessionBest = (bestOf.get(one.passage.session) ?? 0) / best;
    one.before = before?.words ?? 0;
    one.after = after?.words ?? 0;
    one.coverageBefore = before?.coverage ?? 0;
    one.coverageAfter = after?.coverage ?? 0;
  }
  return list;
}
