// The functions of sqlite-vec in a connection; where the extension cannot be loaded, those that are used here, in JavaScript. SQL is the same with both.
import { getLoadablePath } from 'sqlite-vec';
import { errorMessage } from '#base/errors.ts';
import type { Sqlite } from './sqlite.ts';

/**
 * Makes `vec_length`, `vec_normalize`, `vec_distance_cosine` and `vec_quantize_binary` known to the connection. Returns why sqlite-vec could
 * not be loaded, and they are the ones below (npm has no build for musl and for Windows on ARM); undefined when it was loaded.
 */
export function loadVectorFunctions(database: Sqlite): string | undefined {
  try {
    database.loadExtension(getLoadablePath());
    return undefined;
  } catch (error) {
    for (const [name, run] of Object.entries(inJavaScript))
      database.function(name, { deterministic: true }, run);
    return errorMessage(error);
  }
}

/** The vector with the length 1, and the cosine of two: as sqlite-vec has them, for an engine that has no functions for vectors. */
export const normalized = (vector: Float32Array): Float32Array =>
  floatsOf(inJavaScript.vec_normalize(bytesOf(vector)));

/** Undefined where one of them is zero or has a number that is not finite. Throws for vectors of other lengths. */
export function cosineOf(one: Float32Array, other: Float32Array): number | undefined {
  const distance = inJavaScript.vec_distance_cosine(bytesOf(one), bytesOf(other));
  return distance === null ? undefined : 1 - distance;
}

/** As sqlite-vec defines them (https://alexgarcia.xyz/sqlite-vec/api-reference.html), for vectors of floats of 32 bits. */
const inJavaScript = {
  vec_length: (bytes: Buffer): number => floatsOf(bytes).length,
  vec_normalize(bytes: Buffer): Buffer {
    const vector = floatsOf(bytes);
    const length = Math.sqrt(productOf(vector, vector));
    return bytesOf(vector.map((value) => value / length));
  },
  vec_distance_cosine(one: Buffer, other: Buffer): number | null {
    const [a, b] = [floatsOf(one), floatsOf(other)];
    if (a.length !== b.length)
      throw new Error(`expected two vectors of the same dimensions, got ${a.length} and ${b.length}`);
    const cosine = productOf(a, b) / (Math.sqrt(productOf(a, a)) * Math.sqrt(productOf(b, b)));
    return Number.isNaN(cosine) ? null : 1 - cosine;
  },
  vec_quantize_binary(bytes: Buffer): Buffer {
    const vector = floatsOf(bytes);
    if (vector.length % 8 !== 0)
      throw new Error(`expected a multiple of 8 dimensions, got a vector of ${vector.length}`);
    const bits = Buffer.alloc(vector.length / 8);
    for (let index = 0; index < vector.length; index += 1)
      if ((vector[index] ?? 0) > 0) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
    return bits;
  },
};

/** The numbers of a vector as they are stored. Throws for bytes that are none. */
export function floatsOf(bytes: Buffer): Float32Array {
  if (bytes.length === 0 || bytes.length % 4 !== 0)
    throw new Error(`expected a vector of floats of 4 bytes, got ${bytes.length} bytes`);
  // floats are read in place where they begin at a multiple of four
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Float32Array(buffer, byteOffset, bytes.length / 4);
}

/** A vector as it is stored. */
export function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Summed in 32 bits, as sqlite-vec does: a product too small for them is 0, and a vector of such numbers has no direction. */
function productOf(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1)
    sum = Math.fround(sum + Math.fround((one[index] ?? 0) * (other[index] ?? 0)));
  return sum;
}
