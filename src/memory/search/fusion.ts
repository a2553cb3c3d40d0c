// Words and vectors together: how far a candidate's vector stands out adds to what its words say. Numbers only.
import type { Candidates } from './candidates.ts';

/** What a standard deviation of nearness is worth, of the candidate and of the ones before and after it, in the scores of words. */
const worth = { own: 0.6, neighbour: 0.15 };
/** Vectors that carry information agree with the words: below the first correlation they count nothing, from the second on in full. */
const agreement = { none: 0.1, full: 0.3 };
/** From fewer vectors no correlation is computed. */
const minVectors = 8;

/**
 * The scores with their vectors' part, and by how many standard deviations each stands out. A candidate whose vector is not made yet
 * is taken to be as near as any that its words are better than, so that none is ranked above it only for having a vector.
 */
export function fuse(
  { entries, before, after }: Pick<Candidates, 'entries' | 'before' | 'after'>,
  byWords: Float64Array,
  nearness: readonly (number | undefined)[],
): { scores: Float64Array; standing: Float64Array } {
  const known = [...nearness.keys()].filter((place) => nearness[place] !== undefined);
  if (known.length === 0) return { scores: byWords, standing: new Float64Array(entries.length) };
  const [mean, deviation] = spread(known.map((place) => nearness[place] ?? 0));
  const z = new Float64Array(entries.length);
  for (const place of known) z[place] = ((nearness[place] ?? 0) - mean) / deviation;
  const trust = trustIn(known, z, byWords);
  if (known.length < entries.length) {
    let most = 0;
    for (const place of [...entries.keys()].sort((a, b) => (byWords[a] ?? 0) - (byWords[b] ?? 0)))
      if (nearness[place] === undefined) z[place] = most;
      else most = Math.max(most, z[place] ?? 0);
  }
  const of = (place: number): number => (place < 0 ? 0 : (z[place] ?? 0));
  const scores = byWords.map(
    (score, place) =>
      score +
      trust * (worth.own * of(place) + worth.neighbour * (of(before[place] ?? -1) + of(after[place] ?? -1))),
  );
  return { scores, standing: z };
}

/** 0 to 1. Of few candidates nothing can be said, and the vectors are believed. */
function trustIn(known: readonly number[], z: Float64Array, byWords: Float64Array): number {
  if (known.length < minVectors) return 1;
  const words = known.map((place) => byWords[place] ?? 0);
  const [mean, deviation] = spread(words);
  const sum = known.reduce((all, place, at) => all + (z[place] ?? 0) * ((words[at] ?? 0) - mean), 0);
  const correlation = sum / deviation / known.length;
  return Math.min(1, Math.max(0, (correlation - agreement.none) / (agreement.full - agreement.none)));
}

function spread(values: readonly number[]): [mean: number, deviation: number] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return [mean, Math.sqrt(variance) || 1];
}
