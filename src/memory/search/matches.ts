// Where the words of a question stand in passages: how often, in which lines, beside each other. Numbers only; their worth is weighed elsewhere.
import type { Passage } from './passage.ts';
import type { WeightedTerm } from './weights.ts';
import type { WordNumbers } from './word-numbers.ts';

/** The terms found in passages; a set of terms is a number with a bit for each, in their order. */
export interface Matches {
  /** How often each term stands in each passage, a passage after the other. */
  counts: Float64Array;
  /** The terms in each line of the passage at this place. */
  lines(place: number): number[];
  /** The terms in what the passage is about. */
  about(place: number): number;
  /** The share of neighbouring terms that also stand near each other in the passage. */
  pairs(place: number): number;
}

/** At most 24 terms, see `termsOf`. */
export function matchesIn(
  passages: readonly Passage[],
  terms: readonly WeightedTerm[],
  numbers: WordNumbers,
): Matches {
  const size = terms.length;
  const counts = new Float64Array(passages.length * size);
  const meant = new Uint32Array(numbers.size);
  const likeness = new Map<number, number[]>();
  for (const [index, { forms }] of terms.entries()) {
    for (const [form, alike] of forms) {
      const word = numbers.known(form);
      if (word === undefined) continue;
      meant[word] = (meant[word] ?? 0) | (1 << index);
      if (alike === 1 && forms.size === 1) continue;
      const list = likeness.get(word) ?? Array.from({ length: size }, () => 1);
      list[index] = alike;
      likeness.set(word, list);
    }
  }
  for (const [place, { words }] of passages.entries()) {
    for (const word of words) {
      for (let left = meant[word] ?? 0; left !== 0; left &= left - 1) {
        const index = 31 - Math.clz32(left & -left);
        const at = place * size + index;
        counts[at] = (counts[at] ?? 0) + (likeness.get(word)?.[index] ?? 1);
      }
    }
  }
  const asked = terms.map(({ form }) => numbers.known(form) ?? -1);

  return {
    counts,
    lines(place) {
      const { words, lineEnds } = passages[place] ?? { words: [], lineEnds: [] };
      let from = 0;
      return Array.from(lineEnds, (end) => {
        let found = 0;
        for (; from < end; from += 1) found |= meant[words[from] ?? 0] ?? 0;
        return found;
      });
    },
    about(place) {
      let found = 0;
      for (const word of passages[place]?.about ?? []) found |= meant[word] ?? 0;
      return found;
    },
    pairs(place) {
      const words = passages[place]?.words ?? new Uint32Array();
      let near = 0;
      for (let index = 1; index < size; index += 1) {
        const [first, second] = [asked[index - 1] ?? -1, asked[index] ?? -1];
        const at = first < 0 ? -1 : words.indexOf(first);
        if (at < 0 || second < 0) continue;
        if (words.subarray(Math.max(0, at - 2), at + 4).includes(second)) near += 1;
      }
      return near / (size - 1);
    },
  };
}
