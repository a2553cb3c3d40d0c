// The numbers of a vector as they are stored and compared: a byte each, or, from earlier versions, four.

/** The vector with length 1; undefined when it is zero or not finite. */
export function normalised(vector: Float32Array): Float32Array | undefined {
  const length = Math.hypot(...vector);
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
  if (bytes.length !== dimensions) return floatsOf(bytes);
  const numbers = Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  return normalised(numbers) ?? numbers;
}

function floatsOf(bytes: Buffer): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes;
  // numbers of four bytes can only be read in place where they begin at a multiple of four
  return byteOffset % 4 === 0
    ? new Float32Array(buffer, byteOffset, byteLength / 4)
    : new Float32Array(Uint8Array.from(bytes).buffer);
}

/** The cosine similarity of a vector of length 1 and stored bytes, compared where they are: to copy them takes ten times as long. */
export function cosineTo(vector: Float32Array, bytes: Buffer): number {
  const other =
    bytes.length === vector.length
      ? new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
      : floatsOf(bytes);
  let [sum, squares] = [0, 0];
  for (let index = 0; index < other.length; index += 1) {
    const value = other[index] ?? 0;
    sum += (vector[index] ?? 0) * value;
    squares += value * value;
  }
  return squares === 0 ? 0 : sum / Math.sqrt(squares);
}
