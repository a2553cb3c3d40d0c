// The sign bits of vectors, one bit a dimension as sqlite-vec makes them, in blocks of rows; and which rows differ least from a question's.

/** Rows of one block; a row's place in its block is its number modulo this. */
export const blockRows = 256;
/** A block begins with one bit for each row: whether it has sign bits. */
const headWords = blockRows / 32;

/** Numbers of 32 bits that the sign bits of one vector take: four at least, since four are compared at once. */
const wordsOf = (dimensions: number): number => 4 * Math.ceil(dimensions / 128);

/** A block in which no row has sign bits. */
export function emptyBlock(dimensions: number): Int32Array {
  return new Int32Array(headWords + blockRows * wordsOf(dimensions));
}

/** A block as it is stored. */
export function blockIn(bytes: Buffer): Int32Array {
  // numbers of four bytes are read in place where they begin at a multiple of four
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

/**
 * SQL: the sign bits of a vector of so many dimensions, a bit for each that is above 0. sqlite-vec makes whole bytes only; to join two values
 * makes a text of them, whose bytes are the same.
 */
export function signBitsOf(vector: string, dimensions: number): string {
  const missing = -dimensions & 7;
  return missing === 0
    ? `vec_quantize_binary(${vector})`
    : `vec_quantize_binary(CAST(${vector} || zeroblob(${4 * missing}) AS BLOB))`;
}

/** What that SQL makes, as the numbers that blocks consist of. */
export function wordsIn(bits: Buffer, dimensions: number): Int32Array {
  const words = new Int32Array(wordsOf(dimensions));
  new Uint8Array(words.buffer).set(bits);
  return words;
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
    if (hasBits(block, place)) rows.push(number * blockRows + place);
  return rows;
}

/**
 * At most `most` rows whose sign bits differ in the fewest places from `bits`, best first: of all rows of the blocks, or of `rows`. The number of bits that differ grows with the angle between two vectors (Charikar 2002, random hyperplanes).
 */
export function nearestRows(
  blocks: ReadonlyMap<number, Int32Array>,
  bits: Int32Array,
  { most, rows }: { most: number; rows?: readonly number[] | undefined },
): number[] {
  const nearest: Nearest = {
    ...{ bits, rows: new Float64Array(most), differences: new Int32Array(most) },
    ...{ count: 0, bound: 32 * bits.length + 1 },
  };
  if (rows === undefined)
    for (const [number, block] of blocks)
      for (let row = number * blockRows; row < (number + 1) * blockRows; row += 1)
        compare(nearest, block, row);
  for (const row of rows ?? []) compare(nearest, blocks.get(Math.floor(row / blockRows)), row);
  return [...nearest.rows.subarray(0, nearest.count)];
}

function compare(nearest: Nearest, block: Int32Array | undefined, row: number): void {
  if (block === undefined || !hasBits(block, row)) return;
  const differs = difference(block, row % blockRows, nearest.bits);
  if (differs < nearest.bound) add(nearest, row, differs);
}

/** Whether the row has sign bits in its block. */
export function hasBits(block: Int32Array, row: number): boolean {
  const place = row % blockRows;
  return (((block[place >> 5] as number) >>> (place & 31)) & 1) === 1; // a block has a bit for each of its places
}

/**
 * In how many bits a row differs: the set bits of four numbers at once, counted side by side in pairs, fours and eights (Warren, Hacker's
 * Delight, 5-1). This loop is most of a search by vectors: what is read is inside the block.
 */
function difference(block: Int32Array, place: number, bits: Int32Array): number {
  let at = headWords + place * bits.length;
  let count = 0;
  for (let index = 0; index < bits.length; index += 4) {
    const a = inPairs((block[at] as number) ^ (bits[index] as number));
    const b = inPairs((block[at + 1] as number) ^ (bits[index + 1] as number));
    const c = inPairs((block[at + 2] as number) ^ (bits[index + 2] as number));
    const d = inPairs((block[at + 3] as number) ^ (bits[index + 3] as number));
    const eights = inEights(inFours(a) + inFours(b)) + inEights(inFours(c) + inFours(d));
    count += Math.imul(eights, 0x01010101) >>> 24;
    at += 4;
  }
  return count;
}

const inPairs = (word: number): number => word - ((word >>> 1) & 0x55555555);
const inFours = (pairs: number): number => (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
const inEights = (fours: number): number => (fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f);

/** The best of many rows, at most so many; of equals those that were added first. */
interface Nearest {
  bits: Int32Array;
  rows: Float64Array;
  differences: Int32Array;
  count: number;
  /** What a row has to differ less than. */
  bound: number;
}

function add(nearest: Nearest, row: number, differs: number): void {
  const { rows, differences } = nearest;
  const most = rows.length;
  let at = nearest.count < most ? nearest.count++ : most - 1;
  for (; at > 0 && (differences[at - 1] ?? 0) > differs; at -= 1) {
    rows[at] = rows[at - 1] ?? 0;
    differences[at] = differences[at - 1] ?? 0;
  }
  rows[at] = row;
  differences[at] = differs;
  if (nearest.count === most) nearest.bound = differences[most - 1] ?? 0;
}
