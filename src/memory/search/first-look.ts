// The first ranking: each passage by what the question finds in it and around it. One line a feature; the weights are learned.
import type { Evidence } from './evidence.ts';
import type { Question } from './question.ts';

type Feature = (evidence: Evidence, question: Question) => number;

const when = (condition: boolean, value = 1): number => (condition ? value : 0);
const named = (evidence: Evidence): boolean => evidence.speaker === 'named';

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
  answersMatch: (e) => when(e.answers, e.before),
  answersCoverage: (e) => when(e.answers, e.coverageBefore),
  answers: (e) => when(e.answers),
  named: (e) => when(named(e)),
  namedAnswers: (e) => when(named(e) && e.answers),
  namedSession: (e) => when(named(e), e.session),
  another: (e) => when(e.speaker === 'another'),
  asks: (e) => e.passage.asks,
  asksWords: (e) => e.passage.asks * e.words,
  endsAsking: (e) => when(e.passage.endsAsking),
  length: (e) => Math.log1p(Math.min(e.passage.words.length, 60)) / 4,
  short: (e) => when(e.passage.words.length < 8),
  telling: (e) => Math.log1p(Math.min(e.passage.telling.length, 30)) / 3,
  names: (e) => Math.min(3, e.passage.names) / 3,
  picture: (e) => when(e.passage.showsPicture),
  opens: (e) => when(e.isFirst),
  whenTime: (e, q) => when(q.wants.time && e.passage.tellsTime),
  whenTimeWords: (e, q) => when(q.wants.time && e.passage.tellsTime, e.words),
  howMany: (e, q) => when(q.wants.number && e.passage.tellsNumber),
  howManyWords: (e, q) => when(q.wants.number && e.passage.tellsNumber, e.words),
  whereNames: (e, q) => when(q.wants.place, Math.min(2, e.passage.names) / 2),
  whoNames: (e, q) => when(q.wants.person, Math.min(2, e.passage.names) / 2),
  nameNames: (e, q) => when(q.wants.name, Math.min(2, e.passage.names) / 2),
  nameQuotes: (e, q) => when(q.wants.name && e.passage.quotes),
  whyCause: (e, q) => when(q.wants.cause && e.passage.tellsCause),
  howFeels: (e, q) => when(q.wants.feeling && e.passage.tellsFeeling),
  pictureAsked: (e, q) => when(q.wants.picture && e.passage.showsPicture),
  month: (e, q) => when(isInMonth(e, q)),
  monthAfter: (e, q) => when(isSoonAfterMonth(e, q)),
  day: (e, q) => nearestDay(e, q),
  year: (e, q) => when(q.months.length === 0 && q.years.includes(new Date(e.passage.at).getUTCFullYear())),
};

const wants =
  (kind: keyof Question['wants']) =>
  (question: Question): boolean =>
    question.wants[kind];
const namesMonth = ({ months }: Question): boolean => months.length > 0;

/** Features that are 0 for every passage unless the question asks for something. */
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

function isInMonth({ passage }: Evidence, { months, years }: Question): boolean {
  const date = new Date(passage.at);
  const inYear = years.length === 0 || years.includes(date.getUTCFullYear());
  return inYear && months.includes(date.getUTCMonth());
}

/** What happened at the end of a month is often told in the first days of the next. */
function isSoonAfterMonth({ passage }: Evidence, { months }: Question): boolean {
  const date = new Date(passage.at);
  return date.getUTCDate() < 12 && months.includes((date.getUTCMonth() + 11) % 12);
}

/** 1 on a day that is asked about, less on each of the seven days after it. */
function nearestDay({ passage }: Evidence, { months, days }: Question): number {
  const date = new Date(passage.at);
  if (!months.includes(date.getUTCMonth())) return 0;
  const later = days.map((day) => date.getUTCDate() - day).filter((gap) => gap >= 0 && gap <= 7);
  return later.length === 0 ? 0 : 1 - Math.min(...later) / 10;
}
