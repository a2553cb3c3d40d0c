// The signs of vectors, one bit a dimension: kept by sqlite-vec, read whole into memory, and compared there. Not exact distances.
import type { Sqlite } from '#base/sqlite.ts';
import { type BitRows, createBitRows } from './bit-rows.ts';
import { partsOf } from './drop-signs.ts';
import type { RowSet } from './row-set.ts';

type Numbers = Float32Array | Int16Array;

/** The signs of one model's vectors. */
export interface Bits {
  /** Adds the signs of a row that has none yet, inside the caller's transaction. */
  insert(row: number, vector: Numbers): void;
  /** The same for a row that may have signs. */
  put(row: number, vector: Numbers): void;
  /** Takes them away, if they are there. */
  drop(row: number): void;
  /** At most `most` of the rows whose signs differ least from the vector's, best first; dimensions in which it is 0 do not count. */
  nearest(query: { vector: Numbers; rows: RowSet; most: number }): number[];
  /** Rows that have signs. */
  count(): number;
}

/** Rows as sqlite-vec keeps them together: a bit for each place that is taken, the rows' numbers of 64 bits, their signs. */
interface Block {
  validity: Buffer;
  rows: Buffer;
  signs: Buffer;
}

/** More new rows than this are read together with all others. */
const mostOneByOne = 2_000;

/**
 * The bit table of a model, made when it is not there; its module exists only while the extension is loaded, so no migration can
 * make it. Throws when one of its own tables is missing.
 */
export function openBits(database: Sqlite, options: { table: string; dimensions: number }): Bits {
  const { table, dimensions } = options;
  const bytes = dimensions / 8;
  database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING vec0(signs bit[${dimensions}])`);
  // deleting from a vec0 table that lost one of its own tables ends the process
  const { present, isWhole } = partsOf(database, table);
  if (!isWhole) throw new Error(`expected all tables of its own, found ${present.length}`);
  const known = database.prepare<[number], number>(`SELECT 1 FROM ${table}_rowids WHERE rowid = ?`).pluck();
  const insert = database.prepare<[bigint, Buffer]>(
    `INSERT INTO ${table} (rowid, signs) VALUES (?, vec_bit(?))`,
  );
  const drop = database.prepare<[bigint]>(`DELETE FROM ${table} WHERE rowid = ?`);
  const count = database
    .prepare<[number], number>(`SELECT count(*) FROM ${table}_rowids WHERE rowid > ?`)
    .pluck();
  const newest = database.prepare<[], number | null>(`SELECT max(rowid) FROM ${table}_rowids`).pluck();
  const fresh = database.prepare<[number, number, number], { row: number; signs: Buffer }>(
    `SELECT r.rowid AS row, substr(v.vectors, r.chunk_offset * ? + 1, ?) AS signs
     FROM ${table}_rowids r JOIN ${table}_vector_chunks00 v ON v.rowid = r.chunk_id
     WHERE r.rowid > ? ORDER BY r.rowid`,
  );
  const blocks = database.prepare<[], Block>(
    `SELECT c.validity, c.rowids AS rows, v.vectors AS signs
     FROM ${table}_chunks c JOIN ${table}_vector_chunks00 v ON v.rowid = c.chunk_id`,
  );
  const removals = database.prepare<[], number>('SELECT removals FROM memory_changes').pluck();
  // SQLite copies it
  const written = Buffer.alloc(bytes);
  let loaded: BitRows | undefined;
  let [upTo, seenRemovals] = [0, -1];

  const addBlock = (to: BitRows, { validity, rows, signs }: Block): void => {
    const numbers = new Uint32Array(rows.length / 8);
    for (let place = 0; place < numbers.length; place += 1) numbers[place] = rows.readUInt32LE(8 * place);
    const isFull = validity.every((eight) => eight === 255);
    if (isFull) to.add(numbers, signs, 0);
    for (const [place, row] of isFull ? [] : numbers.entries())
      if (((validity[place >> 3] ?? 0) & (1 << (place & 7))) !== 0) to.add([row], signs, place * bytes);
  };

  /** All signs as they are now. */
  const load = (): BitRows => {
    const [last, removed] = [newest.get() ?? 0, removals.get() ?? 0];
    if (loaded !== undefined && removed === seenRemovals && upTo >= last) return loaded;
    const isGrown = loaded !== undefined && removed === seenRemovals;
    const more = count.get(isGrown ? upTo : 0) ?? 0;
    if (loaded === undefined || !isGrown || more > mostOneByOne) {
      loaded = createBitRows(dimensions, more);
      for (const block of blocks.iterate()) addBlock(loaded, block);
    } else {
      for (const { row, signs } of fresh.all(bytes, bytes, upTo)) loaded.add([row], signs, 0);
    }
    [upTo, seenRemovals] = [last, removed];
    return loaded;
  };

  return {
    insert: (row, vector) => void insert.run(BigInt(row), signsIn(written, vector)),
    put(row, vector) {
      // sqlite-vec has no INSERT OR REPLACE
      if (known.get(row) !== undefined) drop.run(BigInt(row));
      insert.run(BigInt(row), signsIn(written, vector));
    },
    drop(row) {
      if (known.get(row) !== undefined) drop.run(BigInt(row));
    },
    nearest: ({ vector, rows, most }) => load().nearest({ ...signsOf(vector), rows, most }),
    count: () => count.get(0) ?? 0,
  };
}

/** A bit for each dimension above 0, and one for each that is not 0. */
function signsOf(vector: Numbers): { signs: Buffer; told: Buffer } {
  const [signs, told] = [Buffer.alloc(vector.length / 8), Buffer.alloc(vector.length / 8)];
  for (let index = 0; index < vector.length; index += 1)
    if (vector[index] !== 0) told[index >> 3] = (told[index >> 3] ?? 0) | (1 << (index & 7));
  return { signs: signsIn(signs, vector), told };
}

/** Writes a bit for each dimension above 0. */
function signsIn(signs: Buffer, vector: Numbers): Buffer {
  for (let byte = 0, index = 0; byte < signs.length; byte += 1) {
    let bits = 0;
    for (let bit = 1; bit < 256; bit <<= 1, index += 1) if ((vector[index] ?? 0) > 0) bits |= bit;
    signs[byte] = bits;
  }
  return signs;
}
