// The second ranking: each passage by how good its neighbours, its session and the passages most like it looked at first.

import type { Passage } from '#memory/store/passage.ts';
import type { Dialogue } from './dialogue.ts';
import type { Column } from './evidence.ts';

/** What the first look and its company say of each passage, in the order in which it is weighed. */
export const secondFeatures = [
  /** Its first score, 0 for the best and below for others, in fifths. */
  'score',
  /** Its share of all the first look's confidence. */
  'share',
  'sessionLog',
  'sessionRest',
  'shareBefore',
  'shareAfter',
  'shareTwoBefore',
  'shareTwoAfter',
  'scoreBefore',
  'scoreAfter',
  /** Likeness to the ten best, by their share, at most and on average. */
  'likeBest',
  'likeMost',
  'likeMean',
] as const;

export type Company = Record<(typeof secondFeatures)[number], Column>;

const mostBest = 10;
/** A passage without a neighbour has one that looks this much worse than the best. */
const noNeighbour = 0;

/** The company of every passage of the dialogue, in its order. `scores` are the first look's, in the same order. */
export function companyOf(dialogue: Dialogue, scores: Float64Array): Company {
  const { passages, before, after } = dialogue;
  const top = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  const share = scores.map((score) => Math.exp(score - top));
  const sum = share.reduce((total, value) => total + value, 0);
  const ofSession = new Map<string, number>();
  for (const [place, { session }] of passages.entries()) {
    const own = (share[place] ?? 0) / sum;
    share[place] = own;
    ofSession.set(session, (ofSession.get(session) ?? 0) + own);
  }
  const score = scores.map((one) => (one - top) / 5);
  const inSession = Float64Array.from(passages, ({ session }) => ofSession.get(session) ?? 0);
  const best = bestOf(scores);
  const { likeBest, likeMost, likeMean } = likenessTo(passages, best, share);
  return {
    score,
    share,
    sessionLog: inSession.map((session) => Math.log(session + 1e-4)),
    sessionRest: inSession.map((session, place) => session - (share[place] ?? 0)),
    shareBefore: linked(share, before),
    shareAfter: linked(share, after),
    shareTwoBefore: linked(linked(share, before), before),
    shareTwoAfter: linked(linked(share, after), after),
    scoreBefore: linked(score, before),
    scoreAfter: linked(score, after),
    likeBest,
    likeMost,
    likeMean,
  };
}

/** The number of the passage that each one is linked to. */
function linked(column: Column, links: Int32Array): Column {
  const found = new Float64Array(column.length);
  for (let place = 0; place < found.length; place += 1) {
    const to = links[place] ?? -1;
    found[place] = to < 0 ? noNeighbour : (column[to] ?? 0);
  }
  return found;
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

/** Cosine of the telling words of each passage with each of the best, words weighed by how few of these passages hold them. */
function likenessTo(
  passages: readonly Passage[],
  best: readonly number[],
  share: Column,
): Pick<Company, 'likeBest' | 'likeMost' | 'likeMean'> {
  const words = wordsOf(passages);
  const { weights } = words;
  // a bit for each of the best that holds the word
  const sought = new Uint16Array(weights.length);
  for (const [at, place] of best.entries())
    for (let next = words.from(place); next < words.from(place + 1); next += 1) {
      const word = words.of[next] ?? 0;
      sought[word] = (sought[word] ?? 0) | (1 << at);
    }
  const norms = new Float64Array(passages.length);
  const found = new Float64Array(passages.length * best.length);
  for (let place = 0, next = 0; place < passages.length; place += 1) {
    let sum = 0;
    const row = place * best.length;
    for (const end = words.from(place + 1); next < end; next += 1) {
      const word = words.of[next] ?? 0;
      const weight = weights[word] ?? 0;
      sum += weight;
      for (let left = sought[word] ?? 0; left !== 0; left &= left - 1) {
        const at = row + 31 - Math.clz32(left & -left);
        found[at] = (found[at] ?? 0) + weight;
      }
    }
    norms[place] = Math.sqrt(sum) || 1;
  }
  const column = (): Column => new Float64Array(passages.length);
  const [likeBest, likeMost, likeMean] = [column(), column(), column()];
  for (let place = 0; place < passages.length; place += 1) {
    let [weighed, most, sum] = [0, 0, 0];
    for (let at = 0; at < best.length; at += 1) {
      const other = best[at] ?? 0;
      if (other === place) continue;
      const alike = (found[place * best.length + at] ?? 0) / ((norms[place] ?? 1) * (norms[other] ?? 1));
      weighed += alike * (share[other] ?? 0);
      if (alike > most) most = alike;
      sum += alike;
    }
    likeBest[place] = weighed;
    likeMost[place] = most;
    likeMean[place] = sum / Math.max(1, best.length);
  }
  return { likeBest, likeMost, likeMean };
}

/** The telling words of the passages, one after another, by numbers of their own, with the weight of each. */
function wordsOf(passages: readonly Passage[]) {
  const ends = new Uint32Array(passages.length);
  let size = 0;
  for (const [place, { telling }] of passages.entries()) {
    size += telling.length;
    ends[place] = size;
  }
  const of = new Uint32Array(size);
  const holders = new Uint16Array(size);
  // a hash and its number side by side, at most half of them taken; written out here, since it is met thousands of times
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(16, 4 * size))));
  const mask = slots.length - 1;
  let [count, next] = [0, 0];
  for (const { telling } of passages) {
    for (let at = 0; at < telling.length; at += 1, next += 1) {
      const word = telling[at] ?? 0;
      let slot = ((word ^ (word >>> 15)) << 1) & mask;
      while (slots[slot + 1] !== 0 && slots[slot] !== word) slot = (slot + 2) & mask;
      let own = slots[slot + 1] ?? 0;
      if (own === 0) {
        count += 1;
        own = count;
        slots[slot] = word;
        slots[slot + 1] = own;
      }
      of[next] = own - 1;
      holders[own - 1] = (holders[own - 1] ?? 0) + 1;
    }
  }
  const byHolders = new Float32Array(passages.length + 1);
  const weights = new Float32Array(count);
  for (let word = 0; word < count; word += 1) {
    const some = holders[word] ?? 0;
    if (byHolders[some] === 0) byHolders[some] = Math.log(1 + passages.length / (1 + some)) ** 2;
    weights[word] = byHolders[some] ?? 0;
  }
  return { of, weights, from: (place: number): number => (place === 0 ? 0 : (ends[place - 1] ?? 0)) };
}
