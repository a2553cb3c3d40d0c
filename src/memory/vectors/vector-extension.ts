// The vector extension of a connection: loaded, or said why not; and what earlier versions made with it, taken away.
import { load } from 'sqlite-vec';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** Loads the vector extension into a connection; throws when the platform has none. */
export type LoadVectorExtension = (database: Sqlite) => void;

/** sqlite-vec from its npm package, which has no build for some platforms (musl, Windows on ARM). */
export const loadSqliteVec: LoadVectorExtension = (database) => load(database);

/** The similarity of letters that earlier versions stored about each chunk. */
export const formerTable = 'memory_likeness';

/** Drops the tables of earlier versions; only a connection with the extension can. */
export function dropFormer(database: Sqlite): void {
  for (const table of ['global_memory_vectors', formerTable]) database.exec(`DROP TABLE IF EXISTS ${table}`);
}
