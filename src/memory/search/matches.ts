// Where the words of a question stand in passages: how often, in which lines, beside each other. Numbers only; their worth is weighed elsewhere.

import { createHashTable } from '#memory/store/hash-table.ts';
import type { Passage } from '#memory/store/passage.ts';
import { hashOfWord } from '#memory/store/word-table.ts';
import type { WeightedTerm } from './weights.ts';

/** The terms found in passages; a set of terms is a number with a bit for each, in their order. */
export interface Matches {
  /** How often each term stands in each passage, a passage after the other. */
  counts: Float64Array;
  /** The terms that a word counts as, by its hash. */
  meant(word: number): number;
  /** The terms in what the passage is about. */
  about(place: number): number;
  /** The share of neighbouring terms that also stand near each other in the passage. */
  pairs(place: number): number;
}

/** At most 24 terms, see `termsOf`. */
export function matchesIn(passages: readonly Passage[], terms: readonly WeightedTerm[]): Matches {
  const size = terms.length;
  const counts = new Float64Array(passages.length * size);
  const { get: meant, set } = createHashTable(4 * terms.reduce((sum, { forms }) => sum + forms.size, 0));
  const likeness = new Map<number, number[]>();
  for (const [index, { forms }] of terms.entries()) {
    for (const [form, alike] of forms) {
      const word = hashOfWord(form);
      set(word, meant(word) | (1 << index));
      if (alike === 1 && forms.size === 1) continue;
      const list = likeness.get(word) ?? Array.from({ length: size }, () => 1);
      list[index] = alike;
      likeness.set(word, list);
    }
  }
  for (let place = 0, row = 0; place < passages.length; place += 1, row += size) {
    const words = passages[place]?.words ?? none;
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] ?? 0;
      let left = meant(word);
      if (left === 0) continue;
      const list = likeness.size === 0 ? undefined : likeness.get(word);
      for (; left !== 0; left &= left - 1) {
        const index = 31 - Math.clz32(left & -left);
        counts[row + index] = (counts[row + index] ?? 0) + (list?.[index] ?? 1);
      }
    }
  }
  const asked = terms.map(({ form }) => hashOfWord(form));

  return {
    counts,
    meant,
    about(place) {
      let found = 0;
      for (const word of passages[place]?.about ?? none) found |= meant(word);
      return found;
    },
    pairs(place) {
      const words = passages[place]?.words ?? none;
      let near = 0;
      for (let index = 1; index < size; index += 1) {
        const [first, second] = [asked[index - 1] ?? 0, asked[index] ?? 0];
        const at = words.indexOf(first);
        if (at < 0) continue;
        const end = Math.min(words.length, at + 4);
        for (let next = Math.max(0, at - 2); next < end; next += 1) {
          if (words[next] !== second) continue;
          near += 1;
          break;
        }
      }
      return near / (size - 1);
    },
  };
}

const none = new Int32Array();
