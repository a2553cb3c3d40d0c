// The built-in likeness over chunks: signs of hashed vectors, for misspellings. Absent extension or broken index: said in words, and all else works.
import { load } from 'sqlite-vec';
import { wordsOf } from '#base/errors.ts';
import type { Sqlite } from '#base/sqlite.ts';
import { audiencePredicate, type Readable } from './audience.ts';
import { type Bits, openBits } from './bits.ts';
import type { Changes } from './changes.ts';
import type { Inserted } from './chunks.ts';
import { dropSignsOf } from './drop-signs.ts';
import { hashedEmbedding, hashedModel } from './hashed-embedding.ts';
import { modelId } from './models.ts';
import { isBusy } from './patience.ts';
import type { RowSet } from './row-set.ts';

export interface Vectors {
  /** The model's number for the rows that will have its vector; null while there is none to be had. */
  model(): number | null;
  /** Indexes a row that was just inserted with `model()`, inside the caller's transaction. */
  insert(inserted: Inserted): void;
  /** Removes the vector of a chunk that goes, inside the caller's transaction, also without the extension. Throws while the index cannot be written: nothing is half forgotten. */
  remove(row: number): void;
  /** Rows inside the scope whose vectors are nearest, with cosine similarity -1 to 1, best first. */
  nearest(
    text: string,
    within: { readable: Readable; rows: RowSet },
    limit: number,
  ): { row: number; similarity: number }[];
  /** Gives vectors to at most `limit` chunks that have none of this model; returns how many it looked at. */
  catchUp(limit: number): number;
  count(): number;
  /** What cannot be done, in the words that every search repeats; empty when all is well. Nothing is counted where `now` says that all is as it was. */
  degraded(now?: Changes): string[];
  /** Why the extension did not load, for a status or a doctor. */
  missing: string | undefined;
}

/** Loads the vector extension into a connection; throws when the platform has none. */
export type LoadVectorExtension = (database: Sqlite) => void;

/** sqlite-vec from its npm package, which has no build for some platforms (musl, Windows on ARM). */
export const loadSqliteVec: LoadVectorExtension = (database) => load(database);

/** The table of the built-in model's signs. */
export const likenessTable = 'memory_likeness';

/** Chunks without a vector of this model, each way a range of the index over `vector_model`. */
const withoutVector = ['vector_model IS NULL', 'vector_model < @model', 'vector_model > @model'];
/** Rows whose signs are near are compared exactly: so many for each one wanted. */
const candidatesEach = 12;

/** The vector index of the built-in model; `missing` is why the extension could not be loaded. */
export function openVectors(options: {
  database: Sqlite;
  now: number;
  missing: string | undefined;
}): Vectors {
  const { database, now } = options;
  const model = modelId(database, hashedModel, now);
  let reason = options.missing === undefined ? undefined : 'vector extension missing';
  let bits: Bits | undefined;
  if (reason === undefined) {
    reason = attempt(() => {
      dropFormer(database);
      bits = openBits(database, { table: likenessTable, dimensions: hashedModel.dimensions });
    });
  }

  const dropWithout = bits === undefined ? dropSignsOf(database, likenessTable) : (): void => {};

  // a sum of three: of one count with OR, SQLite makes a walk through the whole index once it has counted its rows
  const behind = database
    .prepare<[object], number>(
      `SELECT ${withoutVector.map((range) => `(SELECT count(*) FROM global_memory_chunks WHERE ${range})`).join(' + ')}`,
    )
    .pluck();
  const waiting = database.prepare<[object], { row: number; text: string }>(
    `SELECT row, user_text || ' ' || assistant_text AS text FROM global_memory_chunks WHERE ${withoutVector.join(' OR ')} LIMIT @limit`,
  );
  const indexed = database
    .prepare<[number], number>('SELECT count(*) FROM global_memory_chunks WHERE vector_model = ?')
    .pluck();
  const mark = database.prepare<[number | null, number]>(
    'UPDATE global_memory_chunks SET vector_model = ? WHERE row = ?',
  );
  const contents = database.prepare<[object], { row: number; text: string }>(
    `SELECT row, user_text || ' ' || assistant_text AS text FROM global_memory_chunks
     WHERE row IN (SELECT value FROM json_each(@rows)) AND vector_model = @model AND ${audiencePredicate}`,
  );

  /** The file when no chunk was without a vector of this model; what this connection adds since then has one. */
  let complete: Pick<Changes, 'removals' | 'otherCommits'> | undefined;
  const withoutOne = (row: number): void => {
    complete = undefined;
    mark.run(null, row);
  };
  const behindNow = (now: Changes | undefined): number => {
    if (now && complete?.removals === now.removals && complete.otherCommits === now.otherCommits) return 0;
    const count = behind.get({ model }) ?? 0;
    complete = count === 0 ? now : undefined;
    return count;
  };

  const batch = database.transaction((limit: number): number => {
    const rows = waiting.all({ model, limit });
    for (const { row, text } of rows) {
      const vector = hashedEmbedding(text);
      const failed = attempt(() => {
        if (vector !== undefined) bits?.put(row, vector);
        mark.run(model, row);
      });
      reason ??= failed;
    }
    return rows.length;
  });

  return {
    model: () => (reason === undefined ? model : null),
    insert({ row, letters }) {
      if (reason !== undefined || letters.every((sum) => sum === 0)) return;
      reason = attempt(() => bits?.insert(row, letters));
      if (reason !== undefined) withoutOne(row);
    },
    remove: (row) => (bits === undefined ? dropWithout(row) : bits.drop(row)),
    nearest(text, { readable, rows }, limit) {
      const vector = reason === undefined ? hashedEmbedding(text) : undefined;
      if (vector === undefined || bits === undefined) return [];
      try {
        const near = bits.nearest({ vector, rows, most: candidatesEach * limit });
        return contents
          .all({ ...readable.parameters, model, rows: JSON.stringify(near) })
          .map((one) => ({ row: one.row, similarity: dot(vector, hashedEmbedding(one.text)) }))
          .sort((a, b) => b.similarity - a.similarity || b.row - a.row)
          .slice(0, limit);
      } catch (error) {
        reason = `vector index unreadable (${wordsOf(error)})`;
        return [];
      }
    },
    catchUp: (limit) =>
      reason === undefined && (behind.get({ model }) ?? 0) > 0 ? batch.immediate(limit) : 0,
    count: () => indexed.get(model) ?? 0,
    missing: options.missing,
    degraded(now) {
      if (reason !== undefined) return [reason];
      const count = behindNow(now);
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

/** Versions before this one kept whole vectors of the built-in model. */
function dropFormer(database: Sqlite): void {
  database.exec('DROP TABLE IF EXISTS global_memory_vectors');
}

function dot(a: Float32Array, b: Float32Array | undefined): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b?.[index] ?? 0);
  return sum;
}
