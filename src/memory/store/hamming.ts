// Rows with their bits in one block of memory, and those of them that differ least from a pattern. Knows no database.
import type { RowSet } from './row-set.ts';

export interface HammingRows {
  /** Adds a row; its bits begin at this byte. */
  add(row: number, bytes: Uint8Array, from: number): void;
  /** At most `most` rows of the set that differ least from `signs` where `told` has a bit, best first and newer ones first among equals. */
  nearest(query: { signs: Uint8Array; told: Uint8Array; rows: RowSet; most: number }): number[];
}

/** A table for rows of `bits` bits, with room for `expected` of them at first. */
export function hammingRows(bits: number, expected: number): HammingRows {
  const bytes = bits / 8;
  const size = Math.ceil(bytes / 4); // in words of 32 bits
  let words = new Uint32Array(Math.max(64, expected) * size);
  let rowAt = new Uint32Array(Math.max(64, expected));
  let count = 0;

  const grow = (): void => {
    const [wider, longer] = [new Uint32Array(2 * words.length), new Uint32Array(2 * rowAt.length)];
    wider.set(words);
    longer.set(rowAt);
    [words, rowAt] = [wider, longer];
  };

  return {
    add(row, from, start) {
      if (count === rowAt.length) grow();
      new Uint8Array(words.buffer, 4 * count * size, bytes).set(from.subarray(start, start + bytes));
      rowAt[count] = row;
      count += 1;
    },
    nearest({ signs, told, rows, most }) {
      const [asked, mask] = [wordsOf(signs, size), wordsOf(told, size)];
      const distances = new Uint16Array(count);
      const holders = new Uint32Array(bits + 1);
      for (let at = 0, from = 0; at < count; at += 1, from += size) {
        if (!rows.has(rowAt[at] ?? 0)) {
          distances[at] = bits + 1;
          continue;
        }
        let distance = 0;
        for (let word = 0; word < size; word += 1)
          distance += ones(((words[from + word] ?? 0) ^ (asked[word] ?? 0)) & (mask[word] ?? 0));
        distances[at] = distance;
        holders[distance] = (holders[distance] ?? 0) + 1;
      }
      let [farthest, within] = [0, holders[0] ?? 0];
      while (within < most && farthest < bits) {
        farthest += 1;
        within += holders[farthest] ?? 0;
      }
      const found: number[] = [];
      for (let at = count - 1; at >= 0; at -= 1) if ((distances[at] ?? 0) <= farthest) found.push(at);
      return found
        .sort((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0) || b - a)
        .slice(0, most)
        .map((at) => rowAt[at] ?? 0);
    },
  };
}

function wordsOf(bytes: Uint8Array, size: number): Uint32Array {
  const padded = new Uint8Array(4 * size);
  padded.set(bytes);
  return new Uint32Array(padded.buffer);
}

/** How many bits of a word are set. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
