// The vector index over chunks (sqlite-vec), one model only. Absent extension or broken index: said in words, and all else works.
import { load } from 'sqlite-vec';
import { wordsOf } from '#base/errors.ts';
import type { Sqlite } from '#base/sqlite.ts';
import { audiencePredicate, type Readable } from './audience.ts';
import { hashedEmbedding, hashedModel } from './hashed-embedding.ts';
import { isBusy } from './patience.ts';

export interface Vectors {
  /** Indexes a chunk's text inside the caller's transaction; false when there is no vector for it. */
  add(row: number, text: string): boolean;
  /** Removes the vector of a chunk that goes, inside the caller's transaction. Throws while the index cannot be written: nothing is half forgotten. */
  remove(row: number): void;
  /** Rows inside the scope whose vectors are nearest, with cosine similarity -1 to 1, best first. */
  nearest(text: string, readable: Readable, limit: number): { row: number; similarity: number }[];
  /** Gives vectors to at most `limit` chunks that have none of this model; returns how many it looked at. */
  catchUp(limit: number): number;
  count(): number;
  /** Vectors whose chunk is gone; 0 while the index cannot be read. */
  orphans(): number;
  /** What cannot be done, in the words that every search repeats; empty when all is well. */
  degraded(): string[];
  /** Why the extension did not load, for a status or a doctor. */
  missing: string | undefined;
}

/** Loads the vector extension into a connection; throws when the platform has none. */
export type LoadVectorExtension = (database: Sqlite) => void;

/** sqlite-vec from its npm package, which has no build for some platforms (musl, Windows on ARM). */
export const loadSqliteVec: LoadVectorExtension = (database) => load(database);

/** Chunks without a vector of this model, each way through the index over `vector_model`. */
const withoutVector = '(vector_model IS NULL OR vector_model < @model OR vector_model > @model)';

/** The vector index of the built-in model; `missing` is why the extension could not be loaded. */
export function openVectors(options: {
  database: Sqlite;
  now: number;
  missing: string | undefined;
}): Vectors {
  const { database, now } = options;
  const model = modelId(database, now);
  let reason = options.missing === undefined ? undefined : 'vector extension missing';
  let table: VectorTable | undefined;
  if (reason === undefined) {
    reason = attempt(() => {
      table = openTable(database);
    });
  }

  const behind = database
    .prepare<[object], number>(`SELECT count(*) FROM global_memory_chunks WHERE ${withoutVector}`)
    .pluck();
  const waiting = database.prepare<[object], { row: number; content: string }>(
    `SELECT row, content FROM global_memory_chunks WHERE ${withoutVector} LIMIT @limit`,
  );
  const indexed = database
    .prepare<[number], number>('SELECT count(*) FROM global_memory_chunks WHERE vector_model = ?')
    .pluck();
  const mark = database.prepare<[number, number]>(
    'UPDATE global_memory_chunks SET vector_model = ? WHERE row = ?',
  );

  function add(row: number, text: string): boolean {
    if (reason !== undefined) return false;
    const vector = hashedEmbedding(text);
    const failed = attempt(() => {
      if (vector !== undefined) table?.put(row, vector);
      mark.run(model, row);
    });
    if (failed === undefined) return vector !== undefined;
    reason = failed;
    return false;
  }

  const batch = database.transaction((limit: number): number => {
    const rows = waiting.all({ model, limit });
    for (const { row, content } of rows) add(row, content);
    return rows.length;
  });

  return {
    add,
    remove(row) {
      table?.drop(row);
    },
    nearest(text, readable, limit) {
      const vector = reason === undefined ? hashedEmbedding(text) : undefined;
      if (vector === undefined) return [];
      try {
        return table?.nearest({ vector, readable, limit, model }) ?? [];
      } catch (error) {
        reason = `vector index unreadable (${wordsOf(error)})`;
        return [];
      }
    },
    catchUp: (limit) =>
      reason === undefined && (behind.get({ model }) ?? 0) > 0 ? batch.immediate(limit) : 0,
    count: () => indexed.get(model) ?? 0,
    missing: options.missing,
    orphans: () => table?.orphans() ?? 0,
    degraded() {
      if (reason !== undefined) return [reason];
      const count = behind.get({ model }) ?? 0;
      return count === 0 ? [] : [`index behind by ${count}`];
    },
  };

  function attempt(work: () => void): string | undefined {
    try {
      work();
      return undefined;
    } catch (error) {
      if (isBusy(error)) throw error;
      return `vector index unusable (${wordsOf(error)})`;
    }
  }
}

const tableParts = ['chunks', 'rowids', 'vector_chunks00'].map((part) => `global_memory_vectors_${part}`);
const presentParts = `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN (${tableParts.map((name) => `'${name}'`).join(', ')})`;

interface VectorTable {
  drop(row: number): void;
  orphans(): number;
  put(row: number, vector: Float32Array): void;
  nearest(query: {
    vector: Float32Array;
    readable: Readable;
    limit: number;
    model: number;
  }): { row: number; similarity: number }[];
}

/** The vec0 table, made when it is not there; its module exists only while the extension is loaded, so no migration can make it. */
function openTable(database: Sqlite): VectorTable {
  database.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS global_memory_vectors USING vec0(embedding float[${hashedModel.dimensions}] distance_metric=cosine)`,
  );
  // deleting from a vec0 table that lost one of its own tables ends the process, so this is asked of SQLite first
  const parts = database.prepare<[], number>(presentParts).pluck().get();
  if (parts !== tableParts.length)
    throw new Error(`expected ${tableParts.length} tables of its own, found ${parts}`);
  const known = database
    .prepare<[number], number>('SELECT 1 FROM global_memory_vectors_rowids WHERE rowid = ?')
    .pluck();
  const drop = database.prepare<[bigint]>('DELETE FROM global_memory_vectors WHERE rowid = ?');
  const insert = database.prepare<[bigint, Buffer]>(
    'INSERT INTO global_memory_vectors (rowid, embedding) VALUES (?, ?)',
  );
  const nearest = database.prepare<[object], { row: number; distance: number | null }>(
    `SELECT rowid AS row, distance FROM global_memory_vectors
     WHERE embedding MATCH @vector AND k = @limit
       AND rowid IN (SELECT row FROM global_memory_chunks WHERE vector_model = @model AND ${audiencePredicate})
     ORDER BY distance`,
  );
  const orphans = database
    .prepare<[], number>(
      'SELECT count(*) FROM global_memory_vectors_rowids WHERE rowid NOT IN (SELECT row FROM global_memory_chunks)',
    )
    .pluck();
  return {
    orphans: () => orphans.get() ?? 0,
    drop(row) {
      if (known.get(row) !== undefined) drop.run(BigInt(row));
    },
    put(row, vector) {
      // sqlite-vec has no INSERT OR REPLACE, and a vector of another model may still stand there
      if (known.get(row) !== undefined) drop.run(BigInt(row));
      insert.run(BigInt(row), bytesOf(vector));
    },
    nearest: ({ vector, readable, limit, model }) =>
      nearest
        .all({ ...readable.parameters, vector: bytesOf(vector), limit, model })
        .flatMap(({ row, distance }) => (distance === null ? [] : [{ row, similarity: 1 - distance }])),
  };
}

/** The row of the model's name, made when it is new: vectors of two models are never compared. */
function modelId(database: Sqlite, now: number): number {
  database
    .prepare(
      'INSERT INTO embedding_models (name, dimensions, created_at_ms) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING',
    )
    .run(hashedModel.name, hashedModel.dimensions, now);
  const id = database
    .prepare<[string], number>('SELECT id FROM embedding_models WHERE name = ?')
    .pluck()
    .get(hashedModel.name);
  if (id === undefined)
    throw new Error(`The embedding model ${hashedModel.name} has no row after its insert.`);
  return id;
}

function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
