// A deterministic vector of a text's words and letter groups, for near-duplicates and misspellings. It knows no meanings and is not called semantic.
import { letterDimensions } from './letters.ts';
import { indexWords } from './tokens.ts';

/** The model's identity beside its vectors: it changes whenever the same text would give another vector. */
export const hashedModel = { name: 'hashed-384-signs', dimensions: letterDimensions } as const;

/** A vector of length 1 and 384 dimensions, or undefined for a text without words. */
export function hashedEmbedding(text: string): Float32Array | undefined {
  const sums = new Int16Array(letterDimensions);
  indexWords(text, sums);
  return normalised(new Float32Array(sums));
}

/** The vector scaled to length 1; undefined unless every value is finite and one is not zero (such a vector would come first or last in every search). */
export function normalised(vector: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (let index = 0; index < vector.length; index += 1) squares += (vector[index] ?? 0) ** 2;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) return undefined;
  const scaled = new Float32Array(vector.length);
  for (let index = 0; index < vector.length; index += 1) scaled[index] = (vector[index] ?? 0) / length;
  return scaled;
}
