// The one ranking: each candidate by what the question finds in it and around it. One line a feature; `npm run learn:ranking` writes the weights.
import { kind } from '#memory/words/word-kinds.ts';
import { namesIn, quotes, type SearchEntry } from './entry.ts';
import type { SearchEvidence } from './evidence.ts';
import ranking from './ranking.json' with { type: 'json' };

/** What a feature is of the candidate at a place. One that a kind of memory cannot have (speaker, neighbour, date, answer) is 0 there. */
type Feature = (evidence: SearchEvidence, place: number, entry: SearchEntry) => number;

const before = (e: SearchEvidence, place: number): number => e.before[place] ?? -1;
const afterAsking = (e: SearchEvidence, place: number): boolean =>
  e.entries[before(e, place)]?.endsAsking === true;
const has = (entry: SearchEntry, bit: number): number => ((entry.kinds & bit) === 0 ? 0 : 1);
const names = (entry: SearchEntry, most: number): number => Math.min(most, namesIn(entry)) / most;
const exchanged = ({ chunk }: SearchEntry): boolean => chunk.source === 'exchange';
const at = (column: Float64Array, place: number): number => column[place] ?? 0;

/** Each feature, 0 to about 1. */
export const features: Readonly<Record<string, Feature>> = {
  words: (e, p) => at(e.words, p),
  subject: (e, p) => at(e.subject, p),
  coverage: (e, p) => at(e.coverage, p),
  count: (e, p) => at(e.count, p),
  sentence: (e, p) => e.matches[p]?.sentence ?? 0,
  told: (e, p) => e.matches[p]?.told ?? 0,
  pairs: (e, p) => e.matches[p]?.pairs ?? 0,
  about: (e, p) => e.matches[p]?.about ?? 0,
  around1: (e, p) => at(e.around1, p),
  around2: (e, p) => at(e.around2, p),
  around4: (e, p) => at(e.around4, p),
  leadingUp: (e, p) => at(e.leadingUp, p),
  session: (e, p) => at(e.session, p),
  sessionBest: (e, p) => at(e.sessionBest, p),
  answers: (e, p) => (afterAsking(e, p) ? 1 : 0),
  answersMatch: (e, p) => (afterAsking(e, p) ? at(e.words, before(e, p)) : 0),
  named: (e, p) => at(e.named, p),
  namedSession: (e, p) => at(e.named, p) * at(e.session, p),
  another: (e, p) => at(e.another, p),
  saidWords: (e, p, entry) => (exchanged(entry) ? at(e.said, p) : 0),
  answeredWords: (e, p, entry) => (exchanged(entry) ? at(e.answered, p) : 0),
  saidNamed: (e, p, entry) => (exchanged(entry) ? at(e.said, p) * at(e.named, p) : 0),
  answeredAnother: (e, p, entry) => (exchanged(entry) ? at(e.answered, p) * at(e.another, p) : 0),
  requestedAndAnswered: (e, p, entry) => (exchanged(entry) && entry.opensAsking ? at(e.saidCoverage, p) : 0),
  asks: (_e, _p, entry) => entry.asks,
  endsAsking: (_e, _p, entry) => (entry.endsAsking ? 1 : 0),
  length: (e, _p, entry) => Math.log1p(Math.min(entry.length, 60 * e.scale)) / 4,
  telling: (e, _p, entry) => Math.log1p(Math.min(entry.telling, 30 * e.scale)) / 3,
  names: (_e, _p, entry) => names(entry, 3),
  opens: (e, p, entry) => (e.opens[p] === true && entry.chunk.source !== 'document' ? 1 : 0),
  whenTime: (e, _p, entry) => (e.question.wants.time ? has(entry, kind.time) : 0),
  whenTimeWords: (e, p, entry) => (e.question.wants.time ? has(entry, kind.time) * at(e.words, p) : 0),
  howMany: (e, _p, entry) => (e.question.wants.number ? has(entry, kind.number) : 0),
  whereNames: (e, _p, entry) => (e.question.wants.place ? names(entry, 2) : 0),
  nameNames: (e, _p, entry) => (e.question.wants.name ? names(entry, 2) : 0),
  nameQuotes: (e, _p, entry) => (e.question.wants.name && quotes(entry) ? 1 : 0),
  whyCause: (e, _p, entry) => (e.question.wants.cause ? has(entry, kind.cause) : 0),
  howFeels: (e, _p, entry) => (e.question.wants.feeling ? has(entry, kind.feeling) : 0),
  month: (e, _p, entry) => (isInMonth(entry, e) ? 1 : 0),
  day: (e, _p, entry) => nearestDay(entry, e),
  year: (e, _p, entry) => (isOnlyInYear(entry, e) ? 1 : 0),
};

const weights: Readonly<Record<string, number>> = ranking;
const weighed = Object.entries(features).flatMap(([name, feature]) => {
  const weight = weights[name] ?? 0;
  return weight === 0 ? [] : [{ weight, feature }];
});

/** How well each candidate answers, by words: only differences mean something, 1 being about e times as likely. */
export function learnedScores(evidence: SearchEvidence): Float64Array {
  return Float64Array.from(evidence.entries, (entry, place) => {
    let score = 0;
    for (const { weight, feature } of weighed) score += weight * feature(evidence, place, entry);
    return score;
  });
}

function isInMonth({ chunk }: SearchEntry, { question: { months, years } }: SearchEvidence): boolean {
  if (months.length === 0) return false;
  const date = new Date(chunk.at);
  return (years.length === 0 || years.includes(date.getUTCFullYear())) && months.includes(date.getUTCMonth());
}

function isOnlyInYear({ chunk }: SearchEntry, { question: { months, years } }: SearchEvidence): boolean {
  return months.length === 0 && years.includes(new Date(chunk.at).getUTCFullYear());
}

/** 1 on a day that the question names, less the farther from it. */
function nearestDay({ chunk }: SearchEntry, { question: { days, months, years } }: SearchEvidence): number {
  const [month] = months;
  if (month === undefined || chunk.source === 'document') return 0;
  const year = years[0] ?? new Date(chunk.at).getUTCFullYear();
  const away = days.map((day) => Math.abs(chunk.at - Date.UTC(year, month, day)) / 86_400_000);
  return away.length === 0 ? 0 : Math.exp(-Math.min(...away) / 4);
}
