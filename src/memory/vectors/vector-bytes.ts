// The numbers of a vector as they are stored and compared: a byte each, or, from earlier versions, four.

/** The vector with length 1; undefined when it is zero or not finite. */
export function normalised(vector: Float32Array): Float32Array | undefined {
  let squares = 0;
  // by its place: Math.hypot takes thirty times as long, and squares of floats do not overflow
  for (let index = 0; index < vector.length; index += 1) squares += (vector[index] ?? 0) ** 2;
  const length = Math.sqrt(squares);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : undefined;
}

/** A byte for each number, the largest as 127: its direction is the same to about a thousandth. */
export function smallOf(vector: Float32Array): Buffer {
  let most = 1e-12;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  const small = new Int8Array(vector.length);
  // by its place: a callback for each number takes ten times as long
  for (let index = 0; index < small.length; index += 1)
    small[index] = Math.round((127 * (vector[index] ?? 0)) / most);
  return Buffer.from(small.buffer);
}

/** The vector of stored bytes with length 1: of a byte each, or, from earlier versions, of four. */
export function vectorIn(bytes: Buffer, dimensions: number): Float32Array {
  const numbers = numbersIn(bytes, dimensions);
  if (numbers instanceof Float32Array) return numbers;
  const vector = Float32Array.from(numbers);
  return normalised(vector) ?? vector;
}

/** The stored numbers where they are: they have the direction of the vector, and of bytes not its length. */
export function numbersIn(bytes: Buffer, dimensions: number): Int8Array | Float32Array {
  return bytes.length === dimensions
    ? new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    : floatsOf(bytes);
}

function floatsOf(bytes: Buffer): Float32Array {
  const { buffer, byteOffset, byteLength } = inFourBytes(bytes);
  return new Float32Array(buffer, byteOffset, byteLength / 4);
}

/** The bytes where numbers of four bytes can be read in place: those begin at a multiple of four. */
export function inFourBytes(bytes: Buffer): Uint8Array {
  return bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
}

/** The cosine similarity of a vector of length 1 and stored bytes, compared where they are: to copy them takes ten times as long. */
export function cosineTo(vector: Float32Array, bytes: Buffer): number {
  const other = numbersIn(bytes, vector.length);
  let [sum, squares] = [0, 0];
  for (let index = 0; index < other.length; index += 1) {
    const value = other[index] ?? 0;
    sum += (vector[index] ?? 0) * value;
    squares += value * value;
  }
  return squares === 0 ? 0 : sum / Math.sqrt(squares);
}
