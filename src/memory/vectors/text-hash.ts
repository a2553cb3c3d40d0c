// What a text is known by among the vectors: half as much of its hash as earlier versions stored, whose rows are met as well.
import { digestOf } from '#memory/words/content-hash.ts';

/** Characters of it; 128 bits. */
const length = 32;

/** The hash of a text, in hexadecimal. */
export function hashOf(text: string): string {
  return digestOf(text).slice(0, length);
}

/** SQL: whether a row's text has `@hash`, by the index of `text_hash`. */
export const hasHash = "text_hash >= @hash AND text_hash < @hash || 'g'";

/** SQL: the hash of a row's text. */
export const storedHash = `substr(text_hash, 1, ${length})`;
