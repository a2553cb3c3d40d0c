// Vectors made of nothing but their text, the same each time: texts that share words lie near each other. Not a model of meaning.
import type { Embedder } from '#memory/types/embedding.ts';

export const dimensions = 384;
const wordsCounted = 12;

/** A vector of 384 numbers for the text, of no particular length. */
export function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(dimensions);
  const words = text.toLowerCase().match(/[a-z]{4,}/g) ?? [text];
  for (const word of words.slice(0, wordsCounted)) {
    let state = 0x811c9dc5;
    for (let index = 0; index < word.length; index += 1)
      state = Math.imul(state ^ word.charCodeAt(index), 0x01000193);
    for (let index = 0; index < dimensions; index += 1) {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
      vector[index] = (vector[index] ?? 0) + ((state >>> 8) / 2 ** 24 - 0.5);
    }
  }
  return vector;
}

/** The same as a model that memory can ask. */
export const benchEmbedder: Embedder = {
  identity: { provider: 'bench', model: 'words', dimensions },
  atOnce: 64,
  embed: async (texts) => texts.map((text) => Array.from(vectorOf(text))),
};
