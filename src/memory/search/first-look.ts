// The first ranking: each passage by what the question finds in it and around it. One line a feature; the weights are learned.

import type { Passage } from '#memory/store/passage.ts';
import type { Column, Evidence } from './evidence.ts';
import type { Question } from './question.ts';

/** What a feature is of each passage. */
type Feature = (evidence: Evidence, question: Question) => Column;

const each = ({ passages }: Evidence, value: (passage: Passage, place: number) => number): Column => {
  const column = new Float64Array(passages.length);
  for (let place = 0; place < column.length; place += 1) {
    const passage = passages[place];
    if (passage !== undefined) column[place] = value(passage, place);
  }
  return column;
};
const product = (a: Column, b: Column): Column => a.map((value, place) => value * (b[place] ?? 0));
const has = (sign: 'endsAsking' | 'showsPicture') => (e: Evidence) => each(e, (p) => (p[sign] ? 1 : 0));
/** Signs of passages that a question may ask for. */
type Tells = 'tellsTime' | 'tellsNumber' | 'tellsCause' | 'tellsFeeling';
const telling = (sign: Tells) => (e: Evidence) => each(e, (p) => (p[sign] ? 1 : 0));
const tellingWords = (sign: Tells) => (e: Evidence) =>
  each(e, (p, place) => (p[sign] ? (e.words[place] ?? 0) : 0));
const twoNames = (e: Evidence): Column => each(e, ({ names }) => Math.min(2, names) / 2);

/** A feature that a store cannot have (no speakers, no dates, no neighbours) is the same for all its passages and so decides nothing. */
export const firstFeatures: Readonly<Record<string, Feature>> = {
  words: (e) => e.words,
  subject: (e) => e.subject,
  coverage: (e) => e.coverage,
  count: (e) => e.count,
  rarest: (e) => e.rarest,
  sentence: (e) => e.sentence,
  told: (e) => e.told,
  pairs: (e) => e.pairs,
  about: (e) => e.about,
  around1: (e) => e.around1,
  around2: (e) => e.around2,
  around4: (e) => e.around4,
  leadingUp: (e) => e.leadingUp,
  session: (e) => e.session,
  sessionBest: (e) => e.sessionBest,
  before: (e) => e.before,
  after: (e) => e.after,
  coverageAfter: (e) => e.coverageAfter,
  answersMatch: (e) => product(e.answers, e.before),
  answersCoverage: (e) => product(e.answers, e.coverageBefore),
  answers: (e) => e.answers,
  named: (e) => e.named,
  namedAnswers: (e) => product(e.named, e.answers),
  namedSession: (e) => product(e.named, e.session),
  another: (e) => e.another,
  asks: (e) => each(e, (p) => p.asks),
  asksWords: (e) => each(e, (p, place) => p.asks * (e.words[place] ?? 0)),
  endsAsking: has('endsAsking'),
  length: (e) => each(e, (p) => Math.log1p(Math.min(p.words.length, 60)) / 4),
  short: (e) => each(e, (p) => (p.words.length < 8 ? 1 : 0)),
  telling: (e) => each(e, (p) => Math.log1p(Math.min(p.telling.length, 30)) / 3),
  names: (e) => each(e, (p) => Math.min(3, p.names) / 3),
  picture: has('showsPicture'),
  opens: (e) => e.isFirst,
  whenTime: telling('tellsTime'),
  whenTimeWords: tellingWords('tellsTime'),
  howMany: telling('tellsNumber'),
  howManyWords: tellingWords('tellsNumber'),
  whereNames: twoNames,
  whoNames: twoNames,
  nameNames: twoNames,
  nameQuotes: (e) => each(e, (p) => (p.quotes ? 1 : 0)),
  whyCause: telling('tellsCause'),
  howFeels: telling('tellsFeeling'),
  pictureAsked: has('showsPicture'),
  month: (e, q) => each(e, (p) => (isInMonth(p, q) ? 1 : 0)),
  monthAfter: (e, q) => each(e, (p) => (isSoonAfterMonth(p, q) ? 1 : 0)),
  day: (e, q) => each(e, (p) => nearestDay(p, q)),
  year: (e, q) => each(e, (p) => (isOnlyInYear(p, q) ? 1 : 0)),
};

const wants =
  (kind: keyof Question['wants']) =>
  (question: Question): boolean =>
    question.wants[kind];
const namesMonth = ({ months }: Question): boolean => months.length > 0;

/** Features that count for a question alone that asks for something. */
export const askedOnly: Readonly<Record<string, (question: Question) => boolean>> = {
  whenTime: wants('time'),
  whenTimeWords: wants('time'),
  howMany: wants('number'),
  howManyWords: wants('number'),
  whereNames: wants('place'),
  whoNames: wants('person'),
  nameNames: wants('name'),
  nameQuotes: wants('name'),
  whyCause: wants('cause'),
  howFeels: wants('feeling'),
  pictureAsked: wants('picture'),
  month: namesMonth,
  monthAfter: namesMonth,
  day: namesMonth,
  year: ({ years }) => years.length > 0,
};

function isOnlyInYear({ at }: Passage, { months, years }: Question): boolean {
  return months.length === 0 && years.includes(new Date(at).getUTCFullYear());
}

function isInMonth(passage: Passage, { months, years }: Question): boolean {
  const date = new Date(passage.at);
  const inYear = years.length === 0 || years.includes(date.getUTCFullYear());
  return inYear && months.includes(date.getUTCMonth());
}

/** What happened at the end of a month is often told in the first days of the next. */
function isSoonAfterMonth(passage: Passage, { months }: Question): boolean {
  const date = new Date(passage.at);
  return date.getUTCDate() < 12 && months.includes((date.getUTCMonth() + 11) % 12);
}

/** 1 on a day that is asked about, less on each of the seven days after it. */
function nearestDay(passage: Passage, { months, days }: Question): number {
  const date = new Date(passage.at);
  if (!months.includes(date.getUTCMonth())) return 0;
  const later = days.map((day) => date.getUTCDate() - day).filter((gap) => gap >= 0 && gap <= 7);
  return later.length === 0 ? 0 : 1 - Math.min(...later) / 10;
}
