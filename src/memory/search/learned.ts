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

const names = Object.keys(firstFeatures);
const features = Object.values(firstFeatures);

const weights: RankingWeights = ranking;
const firstWeights = Float64Array.from(names, (name) => weights.first[name] ?? 0);
const secondWeights = Float64Array.from([...names, ...secondFeatures], (name) => weights.second[name] ?? 0);

/** What the first look sees of a passage, in the order of `firstFeatures`. */
export function firstVector(evidence: Evidence, question: Question): number[] {
  return features.map((feature) => feature(evidence, question));
}

/** What the second look sees of every passage, in the order of `secondNames`: all of the first, and its company. */
export function secondVectors(
  dialogue: Dialogue,
  first: readonly (readonly number[])[],
  scores: readonly number[],
): number[][] {
  return companyOf(dialogue, Float64Array.from(scores)).map((company, place) => [
    ...(first[place] ?? []),
    ...secondFeatures.map((name) => company[name]),
  ]);
}

/** The names of a second vector's numbers. */
export const secondNames: readonly string[] = [...names, ...secondFeatures];

/** How well each passage answers, in the dialogue's order: only differences mean something, 1 being about e times as likely. */
export function learnedScores(
  dialogue: Dialogue,
  evidence: readonly Evidence[],
  question: Question,
): Float64Array {
  const first = new Float64Array(evidence.length);
  const second = new Float64Array(evidence.length);
  for (const [index, feature] of features.entries()) {
    if (askedOnly[names[index] ?? '']?.(question) === false) continue;
    const [early, late] = [firstWeights[index] ?? 0, secondWeights[index] ?? 0];
    for (let place = 0; place < evidence.length; place += 1) {
      const one = evidence[place];
      const value = one === undefined ? 0 : feature(one, question);
      first[place] = (first[place] ?? 0) + value * early;
      second[place] = (second[place] ?? 0) + value * late;
    }
  }
  for (const [place, company] of companyOf(dialogue, first).entries()) {
    let sum = second[place] ?? 0;
    for (const [index, name] of secondFeatures.entries())
      sum += company[name] * (secondWeights[names.length + index] ?? 0);
    second[place] = sum;
  }
  return second;
}
