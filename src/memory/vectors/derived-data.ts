// All that is derived from a chunk besides its full text, taken away with it: vectors of every model, what is cached.
import { sqliteSql } from '#base/sql/sqlite-sql.ts';
import { finish } from '#base/sql/work.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { createEraseSignBits, orphanedSignBits, rebuildSignBits } from './sign-blocks.ts';
import { createTextOfRow, hashOf } from './text-hash.ts';

/** SQL: the row's vector has a number that is not finite, or only zeros. */
export const hasNoDistance = 'embedding IS NOT NULL AND vec_distance_cosine(embedding, embedding) IS NULL';

export interface DerivedData {
  /** Takes away what was derived of a chunk that goes permanently, inside the caller's transaction. */
  forget(row: number): void;
  /** The same for a chunk whose file is imported again: its vector is kept until that is done, for a chunk of the same text. */
  replace(row: number): void;
  /** How many sign bits, of any model, have no chunk any more. */
  orphans(): number;
  /** How many stored vectors cannot be compared, since a number of them was damaged; looks through all of them. */
  incomparable(): number;
  /** Makes the sign bits of all vectors again, inside the caller's transaction. */
  rebuild(): void;
  /** Takes away every vector that waits for its file to be imported again; how many. */
  dropCache(): number;
}

/** Over one open database. */
export function createDerivedData(database: Sqlite): DerivedData {
  const eraseSignBits = createEraseSignBits(database);
  const cache = database.prepare<[number]>(
    `INSERT OR IGNORE INTO memory_embedding_cache (model, text_hash, embedding)
     SELECT model, text_hash, embedding FROM memory_embeddings WHERE row = ? AND embedding IS NOT NULL`,
  );
  const textOfRow = createTextOfRow(sqliteSql(database));
  // a row whose file was imported again may have no vector yet
  const uncache = database.prepare<[object]>(
    `DELETE FROM memory_embedding_cache WHERE text_hash = @hash OR text_hash IN
       (SELECT text_hash FROM memory_embeddings WHERE row = @row)`,
  );
  const incomparable = database
    .prepare<[], number>(`SELECT count(*) FROM memory_embeddings WHERE ${hasNoDistance}`)
    .pluck();
  const dropCache = database.prepare<[]>('DELETE FROM memory_embedding_cache');
  return {
    orphans: () => orphanedSignBits(database),
    incomparable: () => incomparable.get() ?? 0,
    rebuild: () => rebuildSignBits(database),
    forget(row) {
      uncache.run({ row, hash: hashOf(finish(textOfRow(row)) ?? '') });
      eraseSignBits(row);
    },
    replace(row) {
      cache.run(row);
      eraseSignBits(row);
    },
    dropCache: () => dropCache.run().changes,
  };
}
