// What a text is known by among the vectors: half as much of its hash as earlier versions stored, whose rows are met as well.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { digestOf } from '#memory/words/content-hash.ts';
import { embeddedText } from '#memory/words/embedded-text.ts';

/** Characters of it; 128 bits. */
const length = 32;

/** The hash of a text, in hexadecimal. */
export function hashOf(text: string): string {
  return digestOf(text).slice(0, length);
}

/** What a model gets of a row now; undefined where there is none. */
export function createTextOfRow(database: Sqlite): (row: number) => string | undefined {
  const find = database.prepare<[number], Parameters<typeof embeddedText>[0]>(
    `SELECT source, content, user_text AS userText, assistant_text AS assistantText FROM global_memory_chunks WHERE row = ?`,
  );
  return (row) => {
    const texts = find.get(row);
    return texts && embeddedText(texts);
  };
}

/** SQL: whether a row's text has `@hash`, by the index of `text_hash`. */
export const hasHash = "text_hash >= @hash AND text_hash < @hash || 'g'";

/** SQL: the hash of a row's text. */
export const storedHash = `substr(text_hash, 1, ${length})`;
