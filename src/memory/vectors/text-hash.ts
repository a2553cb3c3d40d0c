// What a text is known by among the vectors.
import type { Sql } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import { digestOf } from '#memory/words/content-hash.ts';
import { embeddedText } from '#memory/words/embedded-text.ts';

/** The hash of a text, in hexadecimal: 128 bits of it are enough. */
export function hashOf(text: string): string {
  return digestOf(text).slice(0, 32);
}

/** What a model gets of a row now; undefined where there is none. */
export function createTextOfRow(sql: Sql): (row: number) => Work<string | undefined> {
  const find = sql.prepare<[number], Parameters<typeof embeddedText>[0]>(
    `SELECT source, content, user_text AS userText, assistant_text AS assistantText FROM global_memory_chunks WHERE row = ?`,
  );
  return function* (row) {
    const texts = yield* find.get(row);
    return texts && embeddedText(texts);
  };
}
