// The sign bits of vectors, one bit a dimension, in blocks of rows; and which rows differ least from a question's.

/** Rows of one block; a row's place in its block is its number modulo this. */
export const blockRows = 256;
/** A block begins with one bit for each row: whether it has sign bits. */
const headWords = blockRows / 32;

/** Numbers of 32 bits that the sign bits of one vector take. */
const wordsOf = (dimensions: number): number => Math.ceil(dimensions / 32);

/** A block in which no row has sign bits. */
export function emptyBlock(dimensions: number): Int32Array {
  return new Int32Array(headWords + blockRows * wordsOf(dimensions));
}

/** A block as it is stored. */
export function blockIn(bytes: Buffer): Int32Array {
  const { buffer, byteOffset, byteLength } = bytes;
  // numbers of four bytes can only be read in place where they begin at a multiple of four
  return byteOffset % 4 === 0
    ? new Int32Array(buffer, byteOffset, byteLength / 4)
    : new Int32Array(Uint8Array.from(bytes).buffer);
}

/** A bit for each dimension above 0. */
export function signBitsOf(vector: Float32Array): Int32Array {
  const bits = new Int32Array(wordsOf(vector.length));
  for (let index = 0; index < vector.length; index += 1)
    if ((vector[index] ?? 0) > 0) bits[index >> 5] = (bits[index >> 5] ?? 0) | (1 << (index & 31));
  return bits;
}

/** Gives the row its sign bits, or none: then no bit of it is left. */
export function setBits(block: Int32Array, row: number, bits: Int32Array | undefined): void {
  const place = row % blockRows;
  const bit = 1 << (place & 31);
  const head = block[place >> 5] ?? 0;
  block[place >> 5] = bits === undefined ? head & ~bit : head | bit;
  const words = (block.length - headWords) / blockRows;
  const from = headWords + place * words;
  if (bits === undefined) block.fill(0, from, from + words);
  else block.set(bits, from);
}

/** The rows of the block with this number that have sign bits. */
export function rowsIn(block: Int32Array, number: number): number[] {
  const rows: number[] = [];
  for (let place = 0; place < blockRows; place += 1)
    if (has(block, place)) rows.push(number * blockRows + place);
  return rows;
}

/**
 * At most `most` rows whose sign bits differ in the fewest places from `bits`, best first: of all rows of the blocks, or of `rows`,
 * which are in order. The number of bits that differ grows with the angle between two vectors (Charikar 2002, random hyperplanes).
 */
export function nearestRows(
  blocks: ReadonlyMap<number, Int32Array>,
  bits: Int32Array,
  { most, rows }: { most: number; rows?: readonly number[] | undefined },
): number[] {
  const nearest = createNearest(most);
  if (rows === undefined) {
    for (const [number, block] of blocks)
      for (let place = 0; place < blockRows; place += 1)
        if (has(block, place)) nearest.add(number * blockRows + place, difference(block, place, bits));
    return nearest.rows();
  }
  let [number, block]: [number, Int32Array | undefined] = [-1, undefined];
  for (const row of rows) {
    if (Math.floor(row / blockRows) !== number) {
      number = Math.floor(row / blockRows);
      block = blocks.get(number);
    }
    const place = row % blockRows;
    if (block !== undefined && has(block, place)) nearest.add(row, difference(block, place, bits));
  }
  return nearest.rows();
}

function has(block: Int32Array, place: number): boolean {
  return (((block[place >> 5] ?? 0) >>> (place & 31)) & 1) === 1;
}

/** In how many bits a row differs: set bits of each 32, counted side by side in pairs, fours and eights (Warren, Hacker's Delight, 5-1). */
function difference(block: Int32Array, place: number, bits: Int32Array): number {
  const from = headWords + place * bits.length;
  let count = 0;
  for (let index = 0; index < bits.length; index += 1) {
    let differing = (block[from + index] ?? 0) ^ (bits[index] ?? 0);
    differing -= (differing >>> 1) & 0x55555555;
    differing = (differing & 0x33333333) + ((differing >>> 2) & 0x33333333);
    count += Math.imul((differing + (differing >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** The best of many rows, at most so many; of equals those that were added first. */
function createNearest(most: number) {
  const rows: number[] = [];
  const differences: number[] = [];
  let worst = Infinity;
  return {
    add(row: number, differs: number): void {
      if (differs >= worst) return;
      let at = rows.length < most ? rows.length : most - 1;
      for (; at > 0 && (differences[at - 1] ?? 0) > differs; at -= 1) {
        rows[at] = rows[at - 1] ?? 0;
        differences[at] = differences[at - 1] ?? 0;
      }
      rows[at] = row;
      differences[at] = differs;
      if (rows.length === most) worst = differences[most - 1] ?? 0;
    },
    rows: () => rows,
  };
}
