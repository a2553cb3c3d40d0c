// The blocks of sign bits in their table: written with each vector, read again only where they changed, erased with what is forgotten.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { bytesOf } from '#base/sqlite/vector-functions.ts';
import { signBits } from '#memory/tables/schemas/vector-schema.ts';
import {
  blockIn,
  blockRows,
  emptyBlock,
  hasBits,
  nearestRows,
  rowsIn,
  setBits,
  signBitsOf,
  wordsIn,
} from './sign-bits.ts';

/** The sign bits of one model's vectors. */
export interface SignBlocks {
  /** Writes the sign bits of a row, as SQL made them, inside the caller's transaction. */
  put(row: number, bits: Buffer): void;
  /** At most `most` rows whose sign bits differ least from the vector's, best first: of all, or of `rows`, which are in order. */
  nearest(vector: Float32Array, most: number, rows?: readonly number[]): number[];
}

interface Model {
  model: number;
  dimensions: number;
}

/** Over one open database. */
export function openSignBlocks(database: Sqlite, { model, dimensions }: Model): SignBlocks {
  const write = createWrite(database);
  const stored = database
    .prepare<[number, number], Buffer>('SELECT bits FROM memory_vector_bits WHERE block = ? AND model = ?')
    .pluck();
  const changed = database
    .prepare<[number, number], [version: number, number: number, bits: Buffer]>(
      'SELECT version, block, bits FROM memory_vector_bits WHERE version > ? AND model = ? ORDER BY version',
    )
    .raw();
  const asked = database.prepare<[object], Buffer>(`SELECT ${signBitsOf('@vector', dimensions)}`).pluck();
  const blocks = new Map<number, Int32Array>();
  let last = 0;
  return {
    put(row, bits) {
      const number = Math.floor(row / blockRows);
      const bytes = stored.get(number, model);
      const block = bytes === undefined ? emptyBlock(dimensions) : blockIn(bytes);
      setBits(block, row, wordsIn(bits, dimensions));
      write({ block: number, model }, block);
    },
    nearest(vector, most, rows) {
      // also what another process wrote
      for (const [version, number, bits] of changed.all(last, model)) {
        blocks.set(number, blockIn(bits));
        last = version;
      }
      const bits = asked.get({ vector: bytesOf(vector) });
      return bits === undefined ? [] : nearestRows(blocks, wordsIn(bits, dimensions), { most, rows });
    },
  };
}

/** Writes a block with the next version. */
function createWrite(database: Sqlite) {
  const write = database.prepare<[object]>(
    `INSERT INTO memory_vector_bits (block, model, version, bits)
     VALUES (@block, @model, (SELECT coalesce(max(version), 0) + 1 FROM memory_vector_bits), @bits)
     ON CONFLICT (block, model) DO UPDATE SET version = excluded.version, bits = excluded.bits`,
  );
  return (at: { block: number; model: number }, block: Int32Array): void =>
    void write.run({ ...at, bits: Buffer.from(block.buffer, block.byteOffset, block.byteLength) });
}

/** Erases the sign bits of a row, of every model, inside the caller's transaction. */
export function createEraseSignBits(database: Sqlite): (row: number) => void {
  const write = createWrite(database);
  const stored = database.prepare<[number], { model: number; bits: Buffer }>(
    'SELECT model, bits FROM memory_vector_bits WHERE block = ?',
  );
  return (row) => {
    const number = Math.floor(row / blockRows);
    for (const { model, bits } of stored.all(number)) {
      const block = blockIn(bits);
      if (!hasBits(block, row)) continue;
      setBits(block, row, undefined);
      write({ block: number, model }, block);
    }
  };
}

/** How many sign bits, of any model, have no chunk any more. */
export function orphanedSignBits(database: Sqlite): number {
  const all = database.prepare<[], { block: number; bits: Buffer }>(
    'SELECT block, bits FROM memory_vector_bits',
  );
  const chunks = database
    .prepare<[number, number], number>('SELECT row FROM global_memory_chunks WHERE row >= ? AND row < ?')
    .pluck();
  let orphans = 0;
  for (const { block, bits } of all.iterate()) {
    const there = new Set(chunks.all(block * blockRows, (block + 1) * blockRows));
    orphans += rowsIn(blockIn(bits), block).filter((row) => !there.has(row)).length;
  }
  return orphans;
}

/** Whether the table of blocks is there, has blocks if there are vectors, and each has its length: what is not whole is to be made again. */
export function areSignBitsWhole(database: Sqlite): boolean {
  const isThere = database.prepare<[], number>(
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'memory_vector_bits'",
  );
  if (isThere.get() === undefined) return false;
  const sizes = database
    .prepare<[], { dimensions: number; bytes: number }>(
      `SELECT DISTINCT dimensions, length(bits) AS bytes
       FROM memory_vector_bits JOIN embedding_models ON id = model`,
    )
    .all();
  if (sizes.length === 0)
    return (
      database.prepare('SELECT 1 FROM memory_embeddings WHERE embedding IS NOT NULL LIMIT 1').get() ===
      undefined
    );
  return sizes.every(({ dimensions, bytes }) => bytes === emptyBlock(dimensions).byteLength);
}

/** Makes the sign bits of all stored vectors again, inside the caller's transaction, and their table where there is none. */
export function rebuildSignBits(database: Sqlite): void {
  database.exec(signBits);
  const write = createWrite(database);
  const models = database.prepare<[], Model>('SELECT id AS model, dimensions FROM embedding_models').all();
  const numbers = database
    .prepare<[object], number>(
      `SELECT row / ${blockRows} FROM memory_embeddings WHERE model = @model
       UNION SELECT block FROM memory_vector_bits WHERE model = @model`,
    )
    .pluck();
  for (const { model, dimensions } of models) {
    const vectors = database.prepare<[number, number, number], { row: number; bits: Buffer }>(
      `SELECT row, ${signBitsOf('embedding', dimensions)} AS bits FROM memory_embeddings
       WHERE row >= ? AND row < ? AND model = ? AND embedding IS NOT NULL`,
    );
    for (const number of numbers.all({ model })) {
      const block = emptyBlock(dimensions);
      for (const { row, bits } of vectors.all(number * blockRows, (number + 1) * blockRows, model))
        setBits(block, row, wordsIn(bits, dimensions));
      write({ block: number, model }, block);
    }
  }
}
