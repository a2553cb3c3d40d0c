// Words that were met before with what is known of each, looked up where they stand in a text, without cutting them out. Bounded.

/** What is known of words, found by a stretch of a text and its hash. */
export interface WordTable<T> {
  /** What belongs to the word from `from` to `to`; `hash` is `wordHash` over its units. */
  at(text: string, from: number, to: number, hash: number): T;
}

/** Where the hash of a word begins. */
export const wordHashSeed = 0x811c9dc5 | 0;

/** The hash with one more UTF-16 unit (FNV-1a). */
export function wordHash(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

interface Generation<T> {
  /** Places in the lists plus one, by hash; 0 is empty. */
  slots: Int32Array;
  hashes: Int32Array;
  words: string[];
  known: T[];
}

/**
 * A table of at most `most` words, for which `make` is asked when they are new. Of two generations the older one goes when the
 * younger is full: those that were looked up last stay. What it gives is shared, and must not be changed.
 */
export function createWordTable<T>(most: number, make: (word: string) => T): WordTable<T> {
  const half = Math.ceil(most / 2);
  const size = 2 ** Math.ceil(Math.log2(2 * half)); // at most half full
  const empty = (): Generation<T> => ({
    slots: new Int32Array(size),
    hashes: new Int32Array(half),
    words: [],
    known: [],
  });
  let [young, old] = [empty(), empty()];

  /** Its place in the generation; below 0 the empty slot where it belongs, as `-1 - slot`. */
  const placeIn = (
    { slots, hashes, words }: Generation<T>,
    of: { text: string; from: number; to: number },
    hash: number,
  ): number => {
    for (let slot = (hash ^ (hash >>> 15)) & (size - 1); ; slot = (slot + 1) & (size - 1)) {
      const place = (slots[slot] ?? 0) - 1;
      if (place < 0) return -1 - slot;
      const word = words[place] ?? '';
      if (hashes[place] === hash && word.length === of.to - of.from && of.text.startsWith(word, of.from))
        return place;
    }
  };

  return {
    at(text, from, to, hash) {
      const of = { text, from, to };
      const place = placeIn(young, of, hash);
      if (place >= 0) return young.known[place] as T; // `known` is as long as `words`
      const before = placeIn(old, of, hash);
      const word = before < 0 ? text.slice(from, to) : (old.words[before] ?? '');
      const known = before < 0 ? make(word) : (old.known[before] as T); // as above
      let slot = -1 - place;
      if (young.words.length === half) {
        [old, young] = [young, empty()];
        slot = (hash ^ (hash >>> 15)) & (size - 1);
      }
      young.hashes[young.words.length] = hash;
      young.words.push(word);
      young.known.push(known);
      young.slots[slot] = young.words.length;
      return known;
    },
  };
}
