// Finding the stored vectors of one model that are nearest to a question's, inside a scope.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { audiencePredicate, largeShare, type ScopeFilter } from '#memory/tables/audience.ts';
import type { SignBlocks } from './sign-blocks.ts';
import { cosineTo } from './vector-bytes.ts';

/** A row with the cosine similarity of its vector, -1 to 1. */
interface Neighbor {
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
const maxExact = 500;
/** Of a scope that is part of the memory, so many times as many rows as are wanted are chosen by their sign bits, and then compared exactly. */
const spare = 4;

/** Over the vectors of one model and their sign bits. */
export function openNearestVectors(
  database: Sqlite,
  { model, bits }: { model: number; bits: SignBlocks },
): NearestVectors {
  // chunks' rows, since counting vectors takes as long as comparing their sign bits
  const newest = database.prepare<[], number | null>('SELECT max(row) FROM global_memory_chunks').pluck();
  const some = database
    .prepare<[object], [row: number, embedding: Buffer]>(
      `SELECT row, embedding FROM memory_embeddings
       WHERE row IN (SELECT value FROM json_each(@rows)) AND model = @model AND embedding IS NOT NULL`,
    )
    .raw();
  const readableRows = database
    .prepare<[object], number>(
      `SELECT row FROM global_memory_chunks WHERE row IN (SELECT value FROM json_each(@among)) AND ${audiencePredicate}`,
    )
    .pluck();
  const inScope = database
    .prepare<[string], number>(
      'SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ? ORDER BY rowid',
    )
    .pluck();

  /** In no order. */
  const similarTo = (vector: Float32Array, rows: readonly number[]): Neighbor[] =>
    some
      .all({ model, rows: JSON.stringify(rows) })
      .map(([row, embedding]) => ({ row, similarity: cosineTo(vector, embedding) }));
  /** Rows whose vectors may be near, of which the scope may read those that `readableRows` leaves. */
  const promising = (vector: Float32Array, match: string, { rows, most }: { rows: number; most: number }) => {
    if (rows <= maxExact) return inScope.all(match);
    const all = newest.get() ?? 0;
    if (rows < largeShare * all) return bits.nearest(vector, spare * most, inScope.all(match));
    return bits.nearest(vector, Math.ceil((most * all) / rows));
  };

  return {
    nearest(vector, { readable, rows }, limit) {
      if (readable.match === undefined) return [];
      const near = promising(vector, readable.match, { rows, most: limit });
      const readableOnes = readableRows.all({ ...readable.parameters, among: JSON.stringify(near) });
      return similarTo(vector, readableOnes)
        .sort((a, b) => b.similarity - a.similarity || b.row - a.row)
        .slice(0, limit);
    },
    similarity: (vector, rows) =>
      new Map(similarTo(vector, rows).map(({ row, similarity }) => [row, similarity])),
  };
}
