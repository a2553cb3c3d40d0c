// A set of row numbers as one bit each, for scopes of a million rows. Grows; never shrinks.

export interface RowSet {
  has(row: number): boolean;
  add(row: number): void;
  /** Writes those of these rows that are in it to the beginning of `found`, which has room for all of them; how many. */
  among(rows: Uint32Array, found: Uint32Array): number;
  /** How many rows are in it. */
  readonly size: number;
  /** The rows, ascending. */
  rows(): Uint32Array;
  /** Writes the bits of the first rows, 32 to a number, the lowest bit first. */
  copyTo(bits: Uint32Array): void;
}

/** An empty set with room for rows up to `last`; larger ones make it grow. */
export function createRowSet(last: number): RowSet {
  let words = new Uint32Array((last >>> 5) + 1);
  let size = 0;
  return {
    has: (row) => ((words[row >>> 5] ?? 0) & (1 << (row & 31))) !== 0,
    add(row) {
      if (row >>> 5 >= words.length) {
        const wider = new Uint32Array(Math.max(2 * words.length, (row >>> 5) + 1));
        wider.set(words);
        words = wider;
      }
      const [word, bit] = [words[row >>> 5] ?? 0, 1 << (row & 31)];
      if ((word & bit) !== 0) return;
      words[row >>> 5] = word | bit;
      size += 1;
    },
    among(rows, found) {
      const bits = words;
      let count = 0;
      for (let at = 0; at < rows.length; at += 1) {
        const row = rows[at] ?? 0;
        // written in any case: it is the next one's place if this one is not in the set
        found[count] = row;
        count += ((bits[row >>> 5] ?? 0) >>> (row & 31)) & 1;
      }
      return count;
    },
    get size() {
      return size;
    },
    copyTo(bits) {
      bits.fill(0);
      bits.set(words.length > bits.length ? words.subarray(0, bits.length) : words);
    },
    rows() {
      const found = new Uint32Array(size);
      let at = 0;
      for (const [index, word] of words.entries()) {
        for (let left = word; left !== 0; left &= left - 1) {
          found[at] = (index << 5) | (31 - Math.clz32(left & -left));
          at += 1;
        }
      }
      return found;
    },
  };
}

/** True when an ascending list of rows holds the row. */
export function holds(rows: Uint32Array, row: number): boolean {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row;
}
