// A word as the dimensions that it and its groups of three and four letters fall into. Not text, not vectors.

/** Dimensions of the vectors that are made of letters. */
export const letterDimensions = 384;
/** What a whole word counts, where a group of letters counts 1. */
const wordWeight = 2;
const mostForms = 40;

/** The features of the words: dimension, kind and sign of each in one number, which `addLetters` takes apart. */
export function lettersOf(words: readonly string[]): Int16Array {
  const features: number[] = [];
  for (const word of words.slice(0, mostForms)) {
    const padded = `^${word}$`;
    features.push(featureOf(fnv1a(`w:${word}`, 0, word.length + 2), 1));
    for (let size = 3; size <= 4; size += 1)
      for (let start = 0; start + size <= padded.length; start += 1)
        features.push(featureOf(fnv1a(padded, start, start + size), 0));
  }
  return Int16Array.from(features);
}

/** Adds a word's features to the sums of a text. */
export function addLetters(sums: Int16Array, letters: Int16Array): void {
  for (const feature of letters) {
    const packed = Math.abs(feature) - 1;
    const weight = (packed & 1) === 1 ? wordWeight : 1;
    sums[packed >> 1] = (sums[packed >> 1] ?? 0) + (feature < 0 ? -weight : weight);
  }
}

function featureOf(hash: number, isWord: 0 | 1): number {
  const packed = 2 * (hash % letterDimensions) + isWord + 1;
  return hash & 0x80000000 ? -packed : packed;
}

/** FNV-1a over UTF-16 units with a final mix, unsigned 32 bits. */
function fnv1a(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let index = from; index < to; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
