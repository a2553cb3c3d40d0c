// A deterministic vector of a text's words and letter groups, for near-duplicates and misspellings. It knows no meanings and is not called semantic.
import { plainWords } from './tokens.ts';

/** The model's identity beside its vectors: it changes whenever the same text would give another vector. */
export const hashedModel = { name: 'hashed-384', dimensions: 384 } as const;

const wordWeight = 1;
const gramWeight = 0.5;
const mostWords = 2000;

/** A vector of length 1 and 384 dimensions, or undefined for a text without words. */
export function hashedEmbedding(text: string): Float32Array | undefined {
  const vector = new Float32Array(hashedModel.dimensions);
  for (const word of plainWords(text).slice(0, mostWords)) {
    add(vector, `w:${word}`, wordWeight);
    const padded = `^${word}$`;
    for (let size = 3; size <= 4; size += 1) {
      for (let start = 0; start + size <= padded.length; start += 1) {
        add(vector, padded.slice(start, start + size), gramWeight);
      }
    }
  }
  return normalised(vector);
}

/** The vector scaled to length 1; undefined unless every value is finite and one is not zero (such a vector would come first or last in every search). */
export function normalised(vector: Float32Array): Float32Array | undefined {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length) || length === 0) return undefined;
  return vector.map((value) => value / length);
}

function add(vector: Float32Array, feature: string, weight: number): void {
  const hash = fnv1a(feature);
  const index = hash % hashedModel.dimensions;
  const sign = hash & 0x80000000 ? -1 : 1;
  vector[index] = (vector[index] ?? 0) + sign * weight;
}

/** FNV-1a over UTF-16 units with a final mix, unsigned 32 bits. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
