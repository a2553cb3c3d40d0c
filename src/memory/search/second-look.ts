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
export function companyOf(dialogue: Dialogue, scores: readonly number[]): Company[] {
  const { passages } = dialogue;
  const top = Math.max(...scores);
  const raised = scores.map((score) => Math.exp(score - top));
  const sum = raised.reduce((total, value) => total + value, 0);
  const shares = raised.map((value) => value / sum);
  const index = new Map(passages.map((passage, place) => [passage, place]));
  const sessionShare = new Map<string, number>();
  for (const [place, passage] of passages.entries()) {
    sessionShare.set(passage.session, (sessionShare.get(passage.session) ?? 0) + (shares[place] ?? 0));
  }
  const best = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, mostBest);
  const likeness = likenessOf(passages, best);
  return passages.map((passage, place): Company => {
    const near = (steps: number, of: (neighbour: number) => number): number => {
      const neighbour = dialogue.turnFrom(passage, steps);
      const found = neighbour === undefined ? undefined : index.get(neighbour);
      return found === undefined ? noNeighbour : of(found);
    };
    const shareAt = (at: number): number => shares[at] ?? 0;
    const scoreAt = (at: number): number => ((scores[at] ?? top) - top) / 5;
    const session = sessionShare.get(passage.session) ?? 0;
    const alike = best.map((other, at) => (other === place ? 0 : (likeness[place]?.[at] ?? 0)));
    return {
      score: scoreAt(place),
      share: shareAt(place),
      sessionLog: Math.log(session + 1e-4),
      sessionRest: session - shareAt(place),
      shareBefore: near(-1, shareAt),
      shareAfter: near(1, shareAt),
      shareTwoBefore: near(-2, shareAt),
      shareTwoAfter: near(2, shareAt),
      scoreBefore: near(-1, scoreAt),
      scoreAfter: near(1, scoreAt),
      likeBest: alike.reduce((total, value, at) => total + value * shareAt(best[at] ?? 0), 0),
      likeMost: Math.max(0, ...alike),
      likeMean: alike.reduce((total, value) => total + value, 0) / Math.max(1, best.length),
    };
  });
}

/** Cosine of the telling words of each passage with each of the best, words weighed by how few of these passages hold them. */
function likenessOf(passages: readonly Passage[], best: readonly number[]): number[][] {
  const holders = new Map<string, number>();
  for (const { telling } of passages)
    for (const word of telling) holders.set(word, (holders.get(word) ?? 0) + 1);
  const weights = new Map<string, number>();
  for (const [word, count] of holders) weights.set(word, Math.log(1 + passages.length / (1 + count)) ** 2);
  const weight = (word: string): number => weights.get(word) ?? 0;
  const norm = ({ telling }: Passage): number => {
    let sum = 0;
    for (const word of telling) sum += weight(word);
    return Math.sqrt(sum) || 1;
  };
  const bestNorms = best.map((place) => {
    const passage = passages[place];
    return passage === undefined ? 1 : norm(passage);
  });
  const sought = new Map<string, number[]>();
  for (const [at, place] of best.entries()) {
    for (const word of passages[place]?.telling ?? []) {
      const places = sought.get(word);
      if (places === undefined) sought.set(word, [at]);
      else places.push(at);
    }
  }
  return passages.map((passage) => {
    const sums = best.map(() => 0);
    for (const word of passage.telling) {
      const places = sought.get(word);
      if (places === undefined) continue;
      for (const at of places) sums[at] = (sums[at] ?? 0) + weight(word);
    }
    const own = norm(passage);
    return sums.map((value, at) => value / (own * (bestNorms[at] ?? 1)));
  });
}
