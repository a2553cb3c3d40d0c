// The full-text indexes as things that can break and be made again from the rows: noticed, built, and done without.
import { codeOf, errorMessage } from '#base/errors.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { chunksFullText } from '#memory/tables/schemas/chunk-schema.ts';
import { recordsFullText } from '#memory/tables/schemas/record-schema.ts';
import { audiencePredicate, type ScopeFilter } from './audience.ts';

export interface FullText {
  /** True when one of the indexes is damaged or gone, and the error comes from that. */
  isReason(error: unknown): boolean;
  /** Whether one of them is not in the file as a whole. */
  isMissing(): boolean;
  /** Makes all of them again from the rows, in one transaction: seconds for a large memory. */
  build(): void;
  /** Whether a word of a chunk is in many parts of the index: more than an eighth of it is outside its largest part. */
  isScattered(): boolean;
  /** As `createMergeWords` has it. */
  mergeWords: MergeWords;
  /** Rows inside the scope whose text holds one of the words, found without an index; with how many words each holds, most first. */
  rowsLike(words: readonly string[], readable: ScopeFilter, limit: number): { row: number; met: number }[];
}

/**
 * Merges a part of the words of chunks in the caller's transaction: `first` begins it. False once all of them are merged. Each write adds a
 * part to the index, in which a question looks for its words too; and a removal empties pages of frequent words, which it passes over.
 */
export type MergeWords = (part: 'first' | 'next') => boolean;

/** Pages that are merged in one transaction: some five milliseconds. */
const mergedPages = 16;
/** What is outside the largest part is worth a merge from so many pages on, and from this share of that part: then each page is written again some eight times as a memory grows. */
const scattered = { pages: 32, share: 1 / 8 };

const indexes = [
  { name: 'global_memory_fts', make: chunksFullText, derived: ['global_memory_words'] },
  { name: 'memory_records_fts', make: recordsFullText, derived: [] },
] as const;
/** The tables that FTS5 makes of an index whose words are read from another table. */
const shadows = ['config', 'data', 'docsize', 'idx'];
const goneWords =
  /no such (fts5 )?table: (main\.)?(global_memory_(fts|words)|memory_records_fts)|vtable constructor failed: (global_memory|memory_records)/;

/** The indexes of one open database. */
export function createFullText(database: Sqlite): FullText {
  const isThere = database
    .prepare<[string], number>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    .pluck();
  const isWhole = ({ name, derived }: (typeof indexes)[number]): boolean =>
    [name, ...derived, ...shadows.map((shadow) => `${name}_${shadow}`)].every(
      (table) => isThere.get(table) !== undefined,
    );
  const build = database.transaction((): void => {
    for (const index of indexes) {
      const { name, make, derived } = index;
      if (!isWhole(index)) {
        for (const table of [...derived, name]) database.exec(`DROP TABLE IF EXISTS ${table}`);
        database.exec(make);
      }
      database.exec(`INSERT INTO ${name} (${name}) VALUES ('rebuild')`);
    }
  });
  const like = database.prepare<[object], { row: number; met: number }>(
    `SELECT row, (SELECT count(*) FROM json_each(@patterns) WHERE content LIKE value ESCAPE '\\') AS met
     FROM global_memory_chunks WHERE met > 0 AND ${audiencePredicate} ORDER BY met DESC, row DESC LIMIT @limit`,
  );
  const pagesOfParts = database
    .prepare<[], number>('SELECT count(*) FROM global_memory_fts_idx GROUP BY segid')
    .pluck();
  return {
    isScattered() {
      const pages = pagesOfParts.all();
      const largest = Math.max(0, ...pages);
      const outside = pages.reduce((sum, count) => sum + count, -largest);
      return outside >= Math.max(scattered.pages, scattered.share * largest);
    },
    mergeWords: createMergeWords(database),
    isReason: (error) => codeOf(error) === 'SQLITE_CORRUPT_VTAB' || goneWords.test(errorMessage(error)),
    isMissing: () => !indexes.every(isWhole),
    build: () => build.immediate(),
    rowsLike(words, readable, limit) {
      const patterns = JSON.stringify(words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`));
      return like.all({ ...readable.parameters, patterns, limit });
    },
  };
}

/** Over one open database. */
export function createMergeWords(database: Sqlite): MergeWords {
  const merge = database.prepare<[number]>(
    "INSERT INTO global_memory_fts (global_memory_fts, rank) VALUES ('merge', ?)",
  );
  const written = database.prepare<[], number>('SELECT total_changes()').pluck();
  return (part) => {
    const before = written.get() ?? 0;
    merge.run(part === 'first' ? -mergedPages : mergedPages);
    // the command itself counts as one
    return (written.get() ?? 0) - before > 1;
  };
}

/** Merges all of them, a transaction for each part, with a pause between two. */
export async function mergeInSteps(
  mergeWords: MergeWords,
  { atOnce, pause }: { atOnce<T>(work: () => T): Promise<T>; pause(): Promise<void> },
): Promise<void> {
  for (let part: 'first' | 'next' = 'first'; await atOnce(() => mergeWords(part)); part = 'next')
    await pause();
}
