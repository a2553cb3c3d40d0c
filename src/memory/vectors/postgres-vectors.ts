// Vectors in PostgreSQL: chosen by their sign bits inside the scope, then compared exactly here, by the same numbers as on SQLite.
import type { Sql } from '#base/sql/sql.ts';
import { Answered, type Work } from '#base/sql/work.ts';
import { bytesOf, cosineOf, floatsOf, normalized } from '#base/sqlite/vector-functions.ts';
import { readingIn } from '#memory/tables/audience.ts';
import { maxExact, type Neighbor, spare, type VectorTable } from './nearest-vectors.ts';

/** Of one model. */
export function createPostgresVectors(
  sql: Sql,
  { model, dimensions }: { model: number; dimensions: number },
): VectorTable {
  const write = sql.prepare<[object], never>(
    `INSERT INTO memory_embeddings (row, model, text_hash, embedding, bits) VALUES (@row, @model, @hash, @embedding, @bits::bit varying)
     ON CONFLICT (row, model) DO UPDATE SET text_hash = excluded.text_hash, embedding = excluded.embedding,
       bits = excluded.bits, refusal = NULL, ask_again = NULL`,
  );
  const promising = sql.prepare<[object], { row: number; embedding: Buffer }>(
    `SELECT row, embedding FROM memory_embeddings JOIN global_memory_chunks USING (row)
     WHERE model = @model AND embedding IS NOT NULL AND ${readingIn(sql.dialect).audience}
     ORDER BY bit_count(bits # @bits::bit varying), row DESC LIMIT @most`,
  );
  const some = sql.prepare<[object], { row: number; embedding: Buffer }>(
    `SELECT row, embedding FROM memory_embeddings
     WHERE model = @model AND embedding IS NOT NULL AND row IN ${sql.dialect.numbers('@rows')}`,
  );
  const isComparable = (vector: Float32Array): boolean =>
    vector.length === dimensions && cosineOf(normalized(vector), vector) !== undefined;
  return {
    isComparable: (vector) => new Answered(isComparable(vector)),
    *write(at, vector) {
      if (!isComparable(vector)) return false;
      const stored = normalized(vector);
      yield* write.run({ ...at, model, embedding: bytesOf(stored), bits: signsOf(stored) });
      return true;
    },
    *nearest(vector, { readable, rows }, limit) {
      if (readable.match === undefined) return [];
      const most = rows <= maxExact ? maxExact : Math.max(maxExact / 2, spare * limit);
      const found = yield* promising.all({ ...readable.parameters, model, bits: signsOf(vector), most });
      return compared(vector, found)
        .sort((a, b) => b.similarity - a.similarity || b.row - a.row)
        .slice(0, limit);
    },
    *similarity(vector, rows): Work<Map<number, number>> {
      const found = yield* some.all({ model, rows: JSON.stringify(rows) });
      return new Map(compared(vector, found).map(({ row, similarity }) => [row, similarity]));
    },
  };
}

/** Without those whose numbers were damaged. */
function compared(vector: Float32Array, found: readonly { row: number; embedding: Buffer }[]): Neighbor[] {
  return found.flatMap(({ row, embedding }) => {
    const similarity = cosineOf(floatsOf(embedding), vector);
    return similarity === undefined ? [] : [{ row, similarity }];
  });
}

/** A bit for each dimension that is above 0, as PostgreSQL writes bits. */
function signsOf(vector: Float32Array): string {
  return Array.from(vector, (value) => (value > 0 ? '1' : '0')).join('');
}
