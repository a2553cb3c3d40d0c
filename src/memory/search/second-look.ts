// The second ranking: each passage by how good its neighbours, its session and the passages most like it looked at first.
import type { Dialogue } from './dialogue.ts';
import type { Passage } from './passage.ts';

/** One passage with what the first look and its company say. */
export interface Company {
  /** Its first score, 0 for the best and below for others, in fifths. */
  score: number;
  /** Its share of all the first look's confidence. */
  share: number;
  sessionLog: number;
  sessionRest: number;
  shareBefore: number;
  shareAfter: number;
  shareTwoBefore: number;
  shareTwoAfter: number;
  scoreBefore: number;
  scoreAfter: number;
  /** Likeness to the ten best, by their share, at most and on average. */
  likeBest: number;
  likeMost: number;
  likeMean: number;
}

/** Names of the numbers above, in the order in which they are weighed. */
export const secondFeatures = [
  'score',
  'share',
  'sessionLog',
  'sessionRest',
  'shareBefore',
  'shareAfter',
  'shareTwoBefore',
  'shareTwoAfter',
  'scoreBefore',
  'scoreAfter',
  'likeBest',
  'likeMost',
  'likeMean',
] as const satisfies readonly (keyof Company)[];

const mostBest = 10;
/** A passage without a neighbour has one that looks this much worse than the best. */
const noNeighbour = 0;

/** The company of every passage of the dialogue, in its order. `scores` are the first look's, in the same order. */
export function companyOf(dialogue: Dialogue, scores: Float64Array): Company[] {
  const { passages, before, after } = dialogue;
  const top = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  const shares = scores.map((score) => Math.exp(score - top));
  const sum = shares.reduce((total, value) => total + value, 0);
  const sessionShare = new Map<string, number>();
  for (const [place, { session }] of passages.entries()) {
    const share = (shares[place] ?? 0) / sum;
    shares[place] = share;
    sessionShare.set(session, (sessionShare.get(session) ?? 0) + share);
  }
  const best = bestOf(scores);
  const likeness = likenessTo(passages, best);
  const shareAt = (at: number): number => (at < 0 ? noNeighbour : (shares[at] ?? 0));
  const scoreAt = (at: number): number => (at < 0 ? noNeighbour : ((scores[at] ?? top) - top) / 5);
  return passages.map((passage, place): Company => {
    const [last, next] = [before[place] ?? -1, after[place] ?? -1];
    const session = sessionShare.get(passage.session) ?? 0;
    let [likeBest, likeMost, likeSum] = [0, 0, 0];
    for (const [at, other] of best.entries()) {
      if (other === place) continue;
      const alike = likeness[place * best.length + at] ?? 0;
      likeBest += alike * shareAt(other);
      likeMost = Math.max(likeMost, alike);
      likeSum += alike;
    }
    return {
      score: scoreAt(place),
      share: shareAt(place),
      sessionLog: Math.log(session + 1e-4),
      sessionRest: session - shareAt(place),
      shareBefore: shareAt(last),
      shareAfter: shareAt(next),
      shareTwoBefore: shareAt(before[last] ?? -1),
      shareTwoAfter: shareAt(after[next] ?? -1),
      scoreBefore: scoreAt(last),
      scoreAfter: scoreAt(next),
      likeBest,
      likeMost,
      likeMean: likeSum / Math.max(1, best.length),
    };
  });
}

/** The places of the best scores, the best first. */
function bestOf(scores: Float64Array): number[] {
  const best: number[] = [];
  for (const [place, score] of scores.entries()) {
    if (best.length === mostBest && score <= (scores[best[mostBest - 1] ?? 0] ?? 0)) continue;
    const at = best.findIndex((other) => (scores[other] ?? 0) < score);
    best.splice(at < 0 ? best.length : at, 0, place);
    best.length = Math.min(best.length, mostBest);
  }
  return best;
}

/**
 * Cosine of the telling words of each passage with each of the best, words weighed by how few of these passages hold them: the
 * numbers of a passage, one for each of the best, after those of the one before.
 */
function likenessTo(passages: readonly Passage[], best: readonly number[]): Float64Array {
  const largest = passages.reduce((most, { telling }) => Math.max(most, telling.at(-1) ?? 0), 0);
  const weights = new Float32Array(largest + 1);
  for (const { telling } of passages) for (const word of telling) weights[word] = (weights[word] ?? 0) + 1;
  for (const { telling } of passages) {
    for (const word of telling) {
      const holders = weights[word] ?? 0;
      // what is weighed already is below 0
      if (holders > 0) weights[word] = -(Math.log(1 + passages.length / (1 + holders)) ** 2);
    }
  }
  const norms = Float64Array.from(passages, ({ telling }) => {
    let sum = 0;
    for (const word of telling) sum -= weights[word] ?? 0;
    return Math.sqrt(sum) || 1;
  });
  // a bit for each of the best that holds the word
  const sought = new Uint16Array(largest + 1);
  for (const [at, place] of best.entries())
    for (const word of passages[place]?.telling ?? []) sought[word] = (sought[word] ?? 0) | (1 << at);
  const found = new Float64Array(passages.length * best.length);
  for (const [place, { telling }] of passages.entries()) {
    const from = place * best.length;
    for (const word of telling) {
      for (let left = sought[word] ?? 0; left !== 0; left &= left - 1) {
        const at = from + 31 - Math.clz32(left & -left);
        found[at] = (found[at] ?? 0) - (weights[word] ?? 0);
      }
    }
    for (const [at, other] of best.entries())
      found[from + at] = (found[from + at] ?? 0) / ((norms[place] ?? 1) * (norms[other] ?? 1));
  }
  return found;
}
