// Which rows a large scope reads, remembered from one question to the next.
import { memoize } from '#base/caches/memoize.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** Scopes that are remembered: up to 250 KB each for a memory of a million rows. */
export const maxScopes = 64;

/**
 * Whether a row fulfils a full-text expression over scope words. The first time all such rows are read, then those that were added: no row
 * changes its scope, and no number is used twice. A forgotten row still counts as one of them, but no word finds it.
 */
export function createScopeRows(database: Sqlite): (match: string) => (row: number) => boolean {
  // newest first, since full text walks there from its other end otherwise; it takes no bound that is not an integer
  const added = database
    .prepare<[string, number], number>(
      `SELECT rowid FROM global_memory_fts
       WHERE global_memory_fts MATCH ? AND rowid > CAST(? AS INTEGER) ORDER BY rowid DESC`,
    )
    .pluck();
  const scopeOf = memoize(maxScopes, (match) => {
    let [bits, last] = [new Uint8Array(0), 0];
    const has = (row: number): boolean => (((bits[row >> 3] ?? 0) >> (row & 7)) & 1) === 1;
    return {
      read() {
        const rows = added.all(match, last);
        last = rows[0] ?? last;
        if (last >> 3 >= bits.length) {
          const longer = new Uint8Array(2 * (last >> 3) + 1);
          longer.set(bits);
          bits = longer;
        }
        for (const row of rows) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
        return has;
      },
    };
  });
  return (match) => scopeOf(match).read();
}
