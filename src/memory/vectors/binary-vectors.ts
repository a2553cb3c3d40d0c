// The sign bits of vectors, one bit a dimension, in a table of sqlite-vec that finds those that differ in the fewest bits.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { partsOf } from './drop-signs.ts';

/** The sign bits of one model's vectors. */
export interface BinaryVectorIndex {
  /** Writes the sign bits of a row, inside the caller's transaction. */
  put(row: number, vector: Float32Array): void;
  /** At most `most` of the rows whose sign bits differ least from the vector's, best first: of all, or of those that hold a full-text expression. */
  nearest(vector: Float32Array, most: number, match?: string): number[];
  /** How many rows have sign bits. */
  count(): number;
}

/**
 * The bit table of a model, made when it is not there; its module exists only while the extension is loaded, so no migration can
 * make it. Throws when one of its tables is missing.
 */
export function openBinaryVectorIndex(
  database: Sqlite,
  options: { table: string; dimensions: number },
): BinaryVectorIndex {
  const { table, dimensions } = options;
  database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING vec0(signs bit[${dimensions}])`);
  // deleting from a vec0 table that lost one of its tables ends the process
  const { present, isWhole } = partsOf(database, table);
  if (!isWhole) throw new Error(`expected all tables of ${table}, found ${present.length}`);
  const known = database.prepare<[number], number>(`SELECT 1 FROM ${table}_rowids WHERE rowid = ?`).pluck();
  const insert = database.prepare<[bigint, Buffer]>(
    `INSERT INTO ${table} (rowid, signs) VALUES (?, vec_bit(?))`,
  );
  const drop = database.prepare<[bigint]>(`DELETE FROM ${table} WHERE rowid = ?`);
  const count = database.prepare<[], number>(`SELECT count(*) FROM ${table}_rowids`).pluck();
  const nearest = database
    .prepare<[Buffer, bigint], number>(`SELECT rowid FROM ${table} WHERE signs MATCH vec_bit(?) AND k = ?`)
    .pluck();
  const nearestIn = database
    .prepare<[Buffer, bigint, string], number>(
      `SELECT rowid FROM ${table} WHERE signs MATCH vec_bit(?) AND k = ?
       AND rowid IN (SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ?)`,
    )
    .pluck();
  return {
    put(row, vector) {
      // sqlite-vec has no INSERT OR REPLACE
      if (known.get(row) !== undefined) drop.run(BigInt(row));
      insert.run(BigInt(row), signsOf(vector));
    },
    nearest: (vector, most, match) =>
      match === undefined
        ? nearest.all(signsOf(vector), BigInt(most))
        : nearestIn.all(signsOf(vector), BigInt(most), match),
    count: () => count.get() ?? 0,
  };
}

/** A bit for each dimension above 0. */
function signsOf(vector: Float32Array): Buffer {
  const bits = Buffer.alloc(vector.length / 8);
  for (const [index, value] of vector.entries())
    if (value > 0) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  return bits;
}
