// What the words of a question find in each passage, in the turns around it and in its session. Numbers only; their worth is learned.
import type { Dialogue } from './dialogue.ts';
import type { Passage } from './passage.ts';
import { isNameOf, namedSpeakers, type Question } from './question.ts';
import type { WeightedTerm } from './weights.ts';

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

/** BM25's constants, over a fixed average length so that no other text in the store changes a score. */
const bm25 = { k1: 1.2, b: 0.75, averageWords: 24 };

/** The evidence for every passage of the dialogue. */
export function evidenceOf(
  dialogue: Dialogue,
  terms: readonly WeightedTerm[],
  question: Question,
): readonly Evidence[] {
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
  const counts = new Map(passages.map((passage) => [passage, countsIn(passage, sought)]));
  const score = (members: readonly Passage[], size: number, only?: readonly boolean[]): number => {
    const length = members.reduce((sum, member) => sum + member.length, 0);
    let sum = 0;
    for (const [index, weight] of weights.entries()) {
      if (only?.[index] === true) continue;
      let count = 0;
      for (const member of members) count += counts.get(member)?.[index] ?? 0;
      if (count > 0) sum += weight * saturation(count, length / size);
    }
    return sum / total;
  };
  const windowOf = (passage: Passage, from: number, to: number): Passage[] => {
    const members: Passage[] = [];
    for (let step = from; step <= to; step += 1) {
      const member = step === 0 ? passage : dialogue.turnFrom(passage, step);
      if (member !== undefined) members.push(member);
    }
    return members;
  };
  const sessions = Map.groupBy(passages, (passage) => passage.session);
  const bySession = new Map(
    [...sessions].map(([session, members]) => [session, score(members, Math.max(members.length, 8))]),
  );
  const drafts = passages.map((passage): Evidence => {
    const own = counts.get(passage) ?? [];
    const share = (has: (index: number) => boolean): number =>
      weights.reduce((sum, weight, index) => (has(index) ? sum + weight : sum), 0) / total;
    const inLine = (line: { words: ReadonlySet<string> }): number =>
      share((index) => (own[index] ?? 0) > 0 && hasForm(line.words, sought[index]));
    const words = score([passage], 1);
    return {
      passage,
      words,
      subject: score([passage], 1, isDate),
      coverage: share((index) => (own[index] ?? 0) > 0),
      count: sought.length === 0 ? 0 : own.filter((count) => count > 0).length / sought.length,
      rarest: Math.max(0, ...weights.map((weight, index) => ((own[index] ?? 0) > 0 ? weight : 0))) / heaviest,
      sentence: words === 0 ? 0 : Math.max(0, ...passage.lines.map(inLine)),
      told: words === 0 ? 0 : Math.max(0, ...passage.lines.filter((line) => !line.asks).map(inLine)),
      pairs: words === 0 ? 0 : pairsIn(passage, sought),
      about: share((index) => hasForm(passage.about, sought[index])),
      around1: score(windowOf(passage, -1, 1), 3),
      around2: score(windowOf(passage, -2, 2), 5),
      around4: score(windowOf(passage, -4, 4), 9),
      leadingUp: score(windowOf(passage, -2, 0), 3),
      session: bySession.get(passage.session) ?? 0,
      sessionBest: 0,
      before: 0,
      after: 0,
      coverageBefore: 0,
      coverageAfter: 0,
      answers: dialogue.turnFrom(passage, -1)?.endsAsking === true,
      isFirst: passage.isTurn && dialogue.turnFrom(passage, -1) === undefined,
      speaker: speakerOf(passage.speaker, named),
    };
  });
  return related(relative(drafts), dialogue);
}

const monthWord = /^(january|february|march|april|may|june|july|august|september|october|november|december)$/;

function countsIn(passage: Passage, terms: readonly WeightedTerm[]): number[] {
  return terms.map((term) => {
    // nearly every term is sought as itself alone
    if (term.forms.size <= 1 && term.forms.get(term.form) === 1) return passage.counts.get(term.form) ?? 0;
    let count = 0;
    for (const [form, likeness] of term.forms) count += likeness * (passage.counts.get(form) ?? 0);
    return count;
  });
}

function hasForm(words: ReadonlySet<string>, term: WeightedTerm | undefined): boolean {
  if (term === undefined) return false;
  if (term.forms.size === 1 && term.forms.has(term.form)) return words.has(term.form);
  for (const form of term.forms.keys()) if (words.has(form)) return true;
  return false;
}

function saturation(count: number, length: number): number {
  const { k1, b, averageWords } = bm25;
  return count / (count + k1 * (1 - b + (b * length) / averageWords));
}

/** The share of the question's neighbouring words that also stand near each other here. */
function pairsIn(passage: Passage, terms: readonly WeightedTerm[]): number {
  if (terms.length < 2) return 0;
  let near = 0;
  for (let index = 1; index < terms.length; index += 1) {
    const [first, second] = [terms[index - 1]?.form, terms[index]?.form];
    if (first === undefined || second === undefined) continue;
    if (!passage.counts.has(first) || !passage.counts.has(second)) continue;
    const at = passage.order.indexOf(first);
    if (passage.order.slice(Math.max(0, at - 2), at + 4).includes(second)) near += 1;
  }
  return near / (terms.length - 1);
}

function speakerOf(speaker: string, named: ReadonlySet<string>): Evidence['speaker'] {
  if (named.size === 0) return 'nobody is named';
  if (named.size > 1) return 'one of several';
  return named.has(speaker) ? 'named' : 'another';
}

const scaled = ['words', 'subject', 'around1', 'around2', 'around4', 'leadingUp', 'session'] as const;

/** Scores as shares of the best among these candidates. */
function relative(drafts: readonly Evidence[]): readonly Evidence[] {
  const best = Object.fromEntries(
    scaled.map((key) => [key, Math.max(1e-9, ...drafts.map((draft) => draft[key]))]),
  );
  for (const draft of drafts) for (const key of scaled) draft[key] /= best[key] ?? 1;
  return drafts;
}

/** What the neighbours and the best of the session say. */
function related(list: readonly Evidence[], dialogue: Dialogue): readonly Evidence[] {
  const byPassage = new Map(list.map((one) => [one.passage, one]));
  const promise = (one: Evidence): number =>
    one.words + 0.5 * one.around2 + 0.5 * one.session + (one.speaker === 'named' ? 0.4 : 0);
  const bestOf = new Map<string, number>();
  for (const one of list) {
    const session = one.passage.session;
    bestOf.set(session, Math.max(bestOf.get(session) ?? 0, promise(one)));
  }
  const best = Math.max(1e-9, ...bestOf.values());
  for (const one of list) {
    const neighbour = (steps: number): Evidence | undefined => {
      const passage = dialogue.turnFrom(one.passage, steps);
      return passage === undefined ? undefined : byPassage.get(passage);
    };
    const [before, after] = [neighbour(-1), neighbour(1)];
    one.sessionBest = (bestOf.get(one.passage.session) ?? 0) / best;
    one.before = before?.words ?? 0;
    one.after = after?.words ?? 0;
    one.coverageBefore = before?.coverage ?? 0;
    one.coverageAfter = after?.coverage ?? 0;
  }
  return list;
}
