// A word as the dimensions that it and its groups of three and four letters fall into. Not text, not vectors.

/** Dimensions of the vectors that are made of letters. */
export const letterDimensions = 384;
/** What a whole word counts, where a group of letters counts 1. */
const wordWeight = 2;
const mostForms = 40;

/** The features of the words, a UTF-16 unit for each: dimension and weight in one number, which `addLetters` takes apart. A string is the smallest list of them. */
export function lettersOf(words: readonly string[]): string {
  let features = '';
  for (const word of words.slice(0, mostForms)) {
    const padded = `^${word}$`;
    features += featureOf(fnv1a(`w:${word}`, 0, word.length + 2), wordWeight);
    for (let size = 3; size <= 4; size += 1)
      for (let start = 0; start + size <= padded.length; start += 1)
        features += featureOf(fnv1a(padded, start, start + size), 1);
  }
  return features;
}

/** Adds a word's features to the sums of a text. */
export function addLetters(sums: Int16Array, letters: string): void {
  for (let at = 0; at < letters.length; at += 1) {
    const packed = letters.charCodeAt(at);
    const dimension = packed >> weightBits;
    sums[dimension] = (sums[dimension] ?? 0) + (packed & (2 ** weightBits - 1)) - wordWeight;
  }
}

/** Weights from -2 to 2 are written as 0 to 4. */
const weightBits = 3;

function featureOf(hash: number, weight: number): string {
  const signed = hash & 0x80000000 ? -weight : weight;
  return String.fromCharCode(((hash % letterDimensions) << weightBits) | (signed + wordWeight));
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
