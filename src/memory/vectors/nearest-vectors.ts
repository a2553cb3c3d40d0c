// Finding the stored vectors of one model that are nearest to a question's, inside a scope.
import { type Work, type Working, working } from '#base/sql/work.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { bytesOf } from '#base/sqlite/vector-functions.ts';
import { audiencePredicate, largeShare, type ScopeFilter } from '#memory/tables/audience.ts';
import { signBitsOf } from './sign-bits.ts';
import { openSignBlocks, type SignBlocks } from './sign-blocks.ts';

/** A row with the cosine similarity of its vector, -1 to 1. */
export interface Neighbor {
  row: number;
  similarity: number;
}

export interface NearestVectors {
  /** Rows of the scope whose vectors are nearest, best first, at most `limit`; `rows` is about how many the scope reads. */
  nearest(vector: Float32Array, within: { readable: ScopeFilter; rows: number }, limit: number): Neighbor[];
  /** The cosine similarity, -1 to 1, of those of the rows that have a vector. They still have to pass the scope. */
  similarity(vector: Float32Array, rows: readonly number[]): Map<number, number>;
}

/** Scopes of at most this many rows are compared exactly, row by row. */
export const maxExact = 500;
/** Of a scope that is part of the memory, so many times as many rows as are wanted are chosen by their sign bits, and then compared exactly. */
export const spare = 4;

/** False for a stored vector whose numbers were damaged: SQL has no distance for it, and `parley memory verify` names it. */
function isNear({ similarity }: { similarity: number | null }): boolean {
  return similarity !== null;
}

/** How one engine keeps the vectors of one model and compares them. */
export interface VectorTable extends Working<NearestVectors> {
  /** False for a vector that is not finite, is zero or has other dimensions. */
  isComparable(vector: Float32Array): Work<boolean>;
  /** Stores a vector of length 1 of a row, inside the caller's transaction; false for one that cannot be compared. */
  write(at: { row: number; hash: string }, vector: Float32Array): Work<boolean>;
}

/** Vectors in an open file, by the functions of SQL, and their sign bits. */
export function openSqliteVectors(
  database: Sqlite,
  { model, dimensions }: { model: number; dimensions: number },
): VectorTable {
  const bits = openSignBlocks(database, { model, dimensions });
  // a vector that is zero, is not finite or gets so has no distance from itself
  const comparison = `vec_length(@vector) = ${dimensions} AND vec_distance_cosine(vec_normalize(@vector), @vector) IS NOT NULL`;
  const comparable = database.prepare<[object], number>(`SELECT ${comparison}`).pluck();
  /** Returns the sign bits of what it stored, and nothing when the vector cannot be compared. */
  const write = database
    .prepare<[object], Buffer>(
      `INSERT OR REPLACE INTO memory_embeddings (row, model, text_hash, embedding)
       SELECT @row, @model, @hash, vec_normalize(@vector) WHERE ${comparison}
       RETURNING ${signBitsOf('embedding', dimensions)}`,
    )
    .pluck();
  return working({
    ...openNearestVectors(database, { model, bits }),
    isComparable: (vector: Float32Array) => comparable.get({ vector: bytesOf(vector) }) === 1,
    write(at: { row: number; hash: string }, vector: Float32Array): boolean {
      const stored = write.get({ ...at, model, vector: bytesOf(vector) });
      if (stored !== undefined) bits.put(at.row, stored);
      return stored !== undefined;
    },
  });
}

/** Over the vectors of one model and their sign bits. */
function openNearestVectors(
  database: Sqlite,
  { model, bits }: { model: number; bits: SignBlocks },
): NearestVectors {
  // chunks' rows, since counting vectors takes as long as comparing their sign bits
  const newest = database.prepare<[], number | null>('SELECT max(row) FROM global_memory_chunks').pluck();
  const compared = `SELECT row, 1 - vec_distance_cosine(embedding, @vector) AS similarity FROM memory_embeddings
    WHERE model = @model AND embedding IS NOT NULL`;
  const among = 'row IN (SELECT value FROM json_each(@rows))';
  const some = database
    .prepare<[object], [row: number, similarity: number]>(`${compared} AND ${among}`)
    .raw();
  const nearest = database.prepare<[object], Neighbor>(
    `${compared} AND row IN (SELECT row FROM global_memory_chunks WHERE ${among} AND ${audiencePredicate})
     ORDER BY similarity DESC, row DESC LIMIT @limit`,
  );
  const inScope = database
    .prepare<[string], number>(
      'SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ? ORDER BY rowid',
    )
    .pluck();

  /** Rows whose vectors may be near, of which the scope may still read only a part. */
  const promising = (vector: Float32Array, match: string, { rows, most }: { rows: number; most: number }) => {
    if (rows <= maxExact) return inScope.all(match);
    const all = newest.get() ?? 0;
    if (rows < largeShare * all) return bits.nearest(vector, spare * most, inScope.all(match));
    return bits.nearest(vector, Math.ceil((most * all) / rows));
  };
  const asked = (vector: Float32Array, rows: readonly number[]) => ({
    ...{ model, vector: bytesOf(vector), rows: JSON.stringify(rows) },
  });

  return {
    nearest(vector, { readable, rows }, limit) {
      if (readable.match === undefined) return [];
      const near = promising(vector, readable.match, { rows, most: limit });
      return nearest.all({ ...readable.parameters, ...asked(vector, near), limit }).filter(isNear);
    },
    similarity: (vector, rows) =>
      new Map(some.all(asked(vector, rows)).filter(([, similarity]) => isNear({ similarity }))),
  };
}
