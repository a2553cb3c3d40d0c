// Finding the stored vectors of one model that are nearest to a question's, inside a scope.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { audiencePredicate, largeShare, type ScopeFilter } from '#memory/tables/audience.ts';
import type { BinaryVectorIndex } from './binary-vectors.ts';
import { bytesOf, cosineTo, smallOf, widened } from './vector-bytes.ts';

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

/** Scopes of at most this many rows, or of at most this share of all, are compared exactly, row by row: sign bits are compared for all rows. */
const [maxExact, exactShare] = [1_000, 1 / 50];
/** sqlite-vec's own bound. */
const maxNeighbours = 4_096;

/** Over the vectors of one model; without `bits`, their sign bits in sqlite-vec, every vector of the scope is compared here. */
export function openNearestVectors(
  database: Sqlite,
  { model, dimensions, bits }: { model: number; dimensions: number; bits: BinaryVectorIndex | undefined },
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
    .prepare<[string], number>('SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ?')
    .pluck();
  /** The same compared by the extension, which spares the vectors their way here: half the time. */
  const compared = database
    .prepare<[object], [row: number, distance: number]>(
      `SELECT row, iif(length(embedding) = ${dimensions}, vec_distance_cosine(vec_int8(embedding), vec_int8(@small)),
         vec_distance_cosine(embedding, @vector)) FROM memory_embeddings
       WHERE row IN (SELECT value FROM json_each(@rows)) AND model = @model AND embedding IS NOT NULL
       ORDER BY 2, row DESC LIMIT @limit`,
    )
    .raw();

  /** The best first; all of them without `limit`. */
  const similarTo = (vector: Float32Array, rows: readonly number[], limit?: number): Neighbor[] => {
    const list = JSON.stringify(rows);
    if (bits !== undefined)
      return compared
        .all({ model, rows: list, vector: bytesOf(vector), small: smallOf(vector), limit: limit ?? -1 })
        .map(([row, distance]) => ({ row, similarity: 1 - distance }));
    return some
      .all({ model, rows: list })
      .map(([row, embedding]) => ({ row, similarity: cosineTo(vector, embedding) }))
      .sort((a, b) => b.similarity - a.similarity || b.row - a.row)
      .slice(0, limit);
  };
  /** Rows whose vectors may be near, of which the scope may read those that `readableRows` leaves. */
  const promising = (vector: Float32Array, match: string, { rows, most }: { rows: number; most: number }) => {
    const all = newest.get() ?? 0;
    if (bits === undefined || rows <= Math.max(maxExact, exactShare * all)) return inScope.all(match);
    const wide = widened(vector, 8 * Math.ceil(dimensions / 8));
    if (rows < largeShare * all) return bits.nearest(wide, most, match);
    return bits.nearest(wide, Math.min(maxNeighbours, Math.ceil((most * all) / Math.max(1, rows))));
  };

  return {
    nearest(vector, { readable, rows }, limit) {
      if (readable.match === undefined) return [];
      const near = promising(vector, readable.match, { rows, most: limit });
      const readableOnes = readableRows.all({ ...readable.parameters, among: JSON.stringify(near) });
      return similarTo(vector, readableOnes, limit);
    },
    similarity: (vector, rows) =>
      new Map(similarTo(vector, rows).map(({ row, similarity }) => [row, similarity])),
  };
}
