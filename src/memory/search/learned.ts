// Two looks at a pool of passages, with weights that `npm run learn:ranking` writes. Not where passages come from.
import type { Dialogue } from './dialogue.ts';
import type { Evidence } from './evidence.ts';
import { askedOnly, firstFeatures } from './first-look.ts';
import type { Question } from './question.ts';
import ranking from './ranking.json' with { type: 'json' };
import { companyOf, secondFeatures } from './second-look.ts';

/** A weight for each feature, by its name; a feature without one counts nothing. */
export interface RankingWeights {
  first: Readonly<Record<string, number>>;
  second: Readonly<Record<string, number>>;
}

const features = Object.entries(firstFeatures);
const names = features.map(([name]) => name);
const weights: RankingWeights = ranking;

/** What the first look sees of every passage, in the order of `firstFeatures`. */
export function firstVectors(evidence: Evidence, question: Question): number[][] {
  const columns = features.map(([name, feature]) =>
    askedOnly[name]?.(question) === false ? undefined : feature(evidence, question),
  );
  return evidence.passages.map((_, place) => columns.map((column) => column?.[place] ?? 0));
}

/** What the second look sees of every passage, in the order of `secondNames`: all of the first, and its company. */
export function secondVectors(
  dialogue: Dialogue,
  first: readonly (readonly number[])[],
  scores: readonly number[],
): number[][] {
  const company = companyOf(dialogue, Float64Array.from(scores));
  return first.map((vector, place) => [
    ...vector,
    ...secondFeatures.map((name) => company[name][place] ?? 0),
  ]);
}

/** The names of a second vector's numbers. */
export const secondNames: readonly string[] = [...names, ...secondFeatures];

/** How well each passage answers, in the dialogue's order: only differences mean something, 1 being about e times as likely. */
export function learnedScores(dialogue: Dialogue, evidence: Evidence, question: Question) {
  const first = new Float64Array(evidence.passages.length);
  const second = new Float64Array(evidence.passages.length);
  for (const [name, feature] of features) {
    const [early, late] = [weights.first[name] ?? 0, weights.second[name] ?? 0];
    if ((early === 0 && late === 0) || askedOnly[name]?.(question) === false) continue;
    const column = feature(evidence, question);
    for (let place = 0; place < column.length; place += 1) {
      const value = column[place] ?? 0;
      first[place] = (first[place] ?? 0) + value * early;
      second[place] = (second[place] ?? 0) + value * late;
    }
  }
  const company = companyOf(dialogue, first);
  for (const name of secondFeatures) {
    const [column, weight] = [company[name], weights.second[name] ?? 0];
    if (weight === 0) continue;
    for (let place = 0; place < column.length; place += 1)
      second[place] = (second[place] ?? 0) + (column[place] ?? 0) * weight;
  }
  return second;
}
