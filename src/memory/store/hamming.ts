// Rows with their bits in one block of memory, and those of them that differ least from a pattern. Knows no database.
import { createBitRows } from './bit-distances.ts';
import type { RowSet } from './row-set.ts';

export interface HammingRows {
  /** Adds a row; its bits begin at this byte. */
  add(row: number, bytes: Uint8Array, from: number): void;
  /** At most `most` rows of the set that differ least from `signs` where `told` has a bit, best first and newer ones first among equals. */
  nearest(query: { signs: Uint8Array; told: Uint8Array; rows: RowSet; most: number }): number[];
}

/** A table for rows of `bits` bits, with room for `expected` of them at first. */
export function hammingRows(bits: number, expected: number): HammingRows {
  const all = createBitRows(bits / 8, expected);
  let rowAt = new Uint32Array(Math.max(64, expected));
  let count = 0;
  return {
    add(row, bytes, from) {
      if (count === rowAt.length) {
        const longer = new Uint32Array(2 * rowAt.length);
        longer.set(rowAt);
        rowAt = longer;
      }
      all.add(bytes, from);
      rowAt[count] = row;
      count += 1;
    },
    nearest({ signs, told, rows, most }) {
      const distances = all.distances(signs, told);
      const holders = new Uint32Array(bits + 1);
      for (let at = 0; at < count; at += 1) {
        const distance = distances[at] ?? 0;
        if (rows.has(rowAt[at] ?? 0)) holders[distance] = (holders[distance] ?? 0) + 1;
      }
      let [farthest, within] = [0, holders[0] ?? 0];
      while (within < most && farthest < bits) {
        farthest += 1;
        within += holders[farthest] ?? 0;
      }
      const found: number[] = [];
      for (let at = count - 1; at >= 0; at -= 1)
        if ((distances[at] ?? 0) <= farthest && rows.has(rowAt[at] ?? 0)) found.push(at);
      return found
        .sort((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0) || b - a)
        .slice(0, most)
        .map((at) => rowAt[at] ?? 0);
    },
  };
}
