// Two looks at a pool of passages, with weights that `npm run learn:ranking` writes. Not where passages come from.
import type { Dialogue } from './dialogue.ts';
import type { Evidence } from './evidence.ts';
import { firstFeatures } from './first-look.ts';
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
  return companyOf(dialogue, scores).map((company, place) => [
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
): number[] {
  const weights: RankingWeights = ranking;
  const [firstWeights, secondWeights] = [
    names.map((name) => weights.first[name] ?? 0),
    secondNames.map((name) => weights.second[name] ?? 0),
  ];
  const first = evidence.map((one) => firstVector(one, question));
  const scores = first.map((vector) => dot(vector, firstWeights));
  return secondVectors(dialogue, first, scores).map((vector) => dot(vector, secondWeights));
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (const [index, value] of a.entries()) sum += value * (b[index] ?? 0);
  return sum;
}
