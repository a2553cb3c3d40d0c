// Words that were met before with what is known of each, looked up where they stand in a text, without cutting them out. Bounded.

/** What is known of words, found by a stretch of a text and its hash. */
export interface WordTable<T> {
  /** What belongs to the word from `from` to `to`; `hash` is `wordHash` over its units. */
  at(text: string, from: number, to: number, hash: number): T;
  /** What belongs to the word, if it was met. */
  known(word: string): T | undefined;
}

/** Where the hash of a word begins. */
export const wordHashSeed = 0x811c9dc5 | 0;

/** The hash with one more UTF-16 unit (FNV-1a). */
export function wordHash(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** The hash of a whole word. */
export function hashOfWord(word: string): number {
  let hash = wordHashSeed;
  for (let at = 0; at < word.length; at += 1) hash = wordHash(hash, word.charCodeAt(at));
  return hash;
}

const firstSlots = 1024;

/** Words of one time, in a hash table with open addressing that is at most half full. */
function createGeneration<T>() {
  const words: string[] = [];
  const known: T[] = [];
  /** The hash of each slot beside the place in the lists plus one, so that both are read at once; 0 is empty. */
  let slots = new Int32Array(2 * firstSlots);
  let mask = slots.length - 1;

  const add = (hash: number, place: number): void => {
    let slot = ((hash ^ (hash >>> 15)) << 1) & mask;
    while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
    slots[slot] = hash;
    slots[slot + 1] = place + 1;
  };
  const grow = (): void => {
    const before = slots;
    slots = new Int32Array(2 * before.length);
    mask = slots.length - 1;
    for (let slot = 0; slot < before.length; slot += 2)
      if (before[slot + 1] !== 0) add(before[slot] ?? 0, (before[slot + 1] ?? 0) - 1);
  };

  return {
    words,
    known,
    /** The place of the word, or -1. */
    find(text: string, from: number, to: number, hash: number): number {
      for (let slot = ((hash ^ (hash >>> 15)) << 1) & mask; ; slot = (slot + 2) & mask) {
        const place = (slots[slot + 1] ?? 0) - 1;
        if (place < 0) return -1;
        if (slots[slot] === hash && stands(words[place] ?? '', text, from, to)) return place;
      }
    },
    add(word: string, hash: number, value: T): void {
      if (4 * words.length >= slots.length) grow();
      add(hash, words.length);
      words.push(word);
      known.push(value);
    },
  };
}

function stands(word: string, text: string, from: number, to: number): boolean {
  if (word.length !== to - from) return false;
  for (let at = 0; at < word.length; at += 1)
    if (word.charCodeAt(at) !== text.charCodeAt(from + at)) return false;
  return true;
}

/**
 * A table of at most `most` words, for which `make` is asked when they are new. Of two generations the older one goes when the
 * younger is full: those that were looked up last stay. What it gives is shared, and must not be changed.
 */
export function createWordTable<T>(most: number, make: (word: string) => T): WordTable<T> {
  let [young, old] = [createGeneration<T>(), createGeneration<T>()];
  return {
    at(text, from, to, hash) {
      const place = young.find(text, from, to, hash);
      if (place >= 0) return young.known[place] as T; // `known` is as long as `words`
      const before = old.find(text, from, to, hash);
      const word = before < 0 ? text.slice(from, to) : (old.words[before] ?? '');
      const value = before < 0 ? make(word) : (old.known[before] as T); // as above
      if (2 * young.words.length >= most) [old, young] = [young, createGeneration<T>()];
      young.add(word, hash, value);
      return value;
    },
    known(word) {
      const hash = hashOfWord(word);
      const place = young.find(word, 0, word.length, hash);
      return place < 0 ? old.known[old.find(word, 0, word.length, hash)] : young.known[place];
    },
  };
}
