// All that is derived from a chunk next to its full text, taken away with it: vectors of every model, what is cached.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { dropSignsOf, partsOf } from './drop-signs.ts';
import { storedHash } from './text-hash.ts';
import { formerTable } from './vector-extension.ts';

export interface DerivedData {
  /** Takes away what was derived of a chunk that goes permanently, inside the caller's transaction. */
  forget(row: number): void;
  /** The same for a chunk whose file is imported again: its vector is stored until that is done, for a chunk of the same text. */
  replace(row: number): void;
  /** How many sign bits, of any model, have no chunk any more. */
  orphans(): number;
  /** Takes these away. */
  dropOrphans(): void;
  /** Takes away every vector that waits for its file to be imported again; how many. */
  dropCache(): number;
}

/** Over one open database; tables of models that are no longer asked are emptied too, also where the extension is `missing`. */
export function createDerivedData(database: Sqlite, missing: string | undefined): DerivedData {
  /** Removes a row's sign bits from the table of one model. */
  type Drop = (row: number) => void;
  const dropFrom = (table: string): Drop => {
    if (missing !== undefined || !partsOf(database, table).isWhole) return dropSignsOf(database, table);
    const known = database.prepare<[number]>(`SELECT 1 FROM ${table}_rowids WHERE rowid = ?`);
    const drop = database.prepare<[bigint]>(`DELETE FROM ${table} WHERE rowid = ?`);
    return (row) => {
      if (known.get(row) !== undefined) drop.run(BigInt(row));
    };
  };
  const tables = database
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND (name GLOB 'memory_signs_[0-9]*' OR name = '${formerTable}') AND sql LIKE 'CREATE VIRTUAL%'`,
    )
    .pluck();
  const schema = database.prepare<[], number>('PRAGMA schema_version').pluck();
  let drops: { version: number | undefined; all: Drop[] } | undefined;
  const signDrops = (): Drop[] => {
    const version = schema.get();
    if (drops === undefined || drops.version !== version)
      drops = { version, all: tables.all().map(dropFrom) };
    return drops.all;
  };
  const cache = database.prepare<[number]>(
    `INSERT OR IGNORE INTO memory_embedding_cache (model, text_hash, embedding)
     SELECT model, text_hash, embedding FROM memory_embeddings WHERE row = ? AND embedding IS NOT NULL`,
  );
  const uncache = database.prepare<[number]>(
    `DELETE FROM memory_embedding_cache WHERE ${storedHash} IN
       (SELECT ${storedHash} FROM memory_embeddings WHERE row = ?)`,
  );
  const dropCache = database.prepare<[]>('DELETE FROM memory_embedding_cache');
  const remove = (row: number): void => {
    for (const drop of signDrops()) drop(row);
  };
  /** The rows of one table that no chunk has any more. */
  const lostIn = (table: string): number[] =>
    partsOf(database, table).present.includes(`${table}_rowids`)
      ? database
          .prepare<[], number>(
            `SELECT rowid FROM ${table}_rowids WHERE rowid NOT IN (SELECT row FROM global_memory_chunks)`,
          )
          .pluck()
          .all()
      : [];
  const lost = (): number[] => tables.all().flatMap(lostIn);
  return {
    orphans: () => lost().length,
    dropOrphans() {
      for (const row of new Set(lost())) remove(row);
    },
    forget(row) {
      uncache.run(row);
      remove(row);
    },
    replace(row) {
      cache.run(row);
      remove(row);
    },
    dropCache: () => dropCache.run().changes,
  };
}
