// Where the words of a question stand in passages: how often, in which lines, beside each other. Numbers only; their worth is weighed elsewhere.

import { createHashTable } from '#memory/store/hash-table.ts';
import type { Passage } from '#memory/store/passage.ts';
import { hashOfWord } from '#memory/store/word-table.ts';
import type { WeightedTerm } from './weights.ts';

/** The terms found in passages; a set of terms is a number with a bit for each, in their order. */
export interface Matches {
  /** How often each term stands in each passage, a passage after the other. */
  counts: Float64Array;
  /** The terms in each of these lines of the passage's words, as far as there are any; see `Passage.lines`. */
  inLines(place: number, each: (terms: number, line: number) => void): void;
  /** The terms in what the passage is about. */
  about(place: number): number;
  /** The share of neighbouring terms that also stand near each other in the passage. */
  pairs(place: number): number;
}

const filterSize = 1_024;

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
  // most words are none of those that are looked for, which one look at a few bits of their hash tells
  const may = new Uint8Array(filterSize);
  for (const { forms } of terms)
    for (const form of forms.keys()) may[hashOfWord(form) & (filterSize - 1)] = 1;
  /** The places of the words that were found among those of their passage, with their terms; and where each passage's end. */
  const [placed, found]: [number[], number[]] = [[], []];
  const ends = new Uint32Array(passages.length);
  for (let place = 0, row = 0; place < passages.length; place += 1, row += size) {
    const words = passages[place]?.words ?? none;
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] ?? 0;
      if (may[word & (filterSize - 1)] === 0) continue;
      let left = meant(word);
      if (left === 0) continue;
      placed.push(at);
      found.push(left);
      const list = likeness.size === 0 ? undefined : likeness.get(word);
      for (; left !== 0; left &= left - 1) {
        const index = 31 - Math.clz32(left & -left);
        counts[row + index] = (counts[row + index] ?? 0) + (list?.[index] ?? 1);
      }
    }
    ends[place] = placed.length;
  }
  const asked = terms.map(({ form }) => hashOfWord(form));

  return {
    counts,
    inLines(place, each) {
      const lines = passages[place]?.lines ?? none;
      let [line, inLine] = [0, 0];
      for (let next = place === 0 ? 0 : (ends[place - 1] ?? 0); next < (ends[place] ?? 0); next += 1) {
        while ((lines[line] ?? 0) >> 1 <= (placed[next] ?? 0)) {
          if (inLine !== 0) each(inLine, lines[line] ?? 0);
          inLine = 0;
          line += 1;
        }
        inLine |= found[next] ?? 0;
      }
      if (inLine !== 0) each(inLine, lines[line] ?? 0);
    },
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
