// Vectors that a model made of chunks, stored by its identity, and the durable state of making them.
import type { Sql } from '#base/sql/sql.ts';
import { sqliteSql } from '#base/sql/sqlite-sql.ts';
import { finish, type Synchronous, synchronous, type Work, type Working } from '#base/sql/work.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { floatsOf } from '#base/sqlite/vector-functions.ts';
import type { EmbeddingIdentity } from '#memory/types/embedding.ts';
import { createEmbeddingWork, type EmbeddingWork, type UnembeddedChunk } from './embedding-work.ts';
import { modelId } from './models.ts';
import { type NearestVectors, openSqliteVectors, type VectorTable } from './nearest-vectors.ts';
import { createTextOfRow, hashOf } from './text-hash.ts';

export interface EmbeddingsWork
  extends Omit<EmbeddingWork, 'done' | 'gaveVector' | 'lastError'>,
    Working<NearestVectors> {
  /** The vectors that other chunks of the same text have, or had until their file was imported again, by place in the list. */
  known(chunks: readonly UnembeddedChunk[]): Work<Map<number, EmbeddingOutcome>>;
  /**
   * Stores the outcome for these chunks, by place in the list, in the caller's transaction, and that all rows up to the last of them are done,
   * apart from those that were changed in between. A vector that is not finite, is zero or has other dimensions is refused, and its text is
   * asked for once more after a vector that can be compared, and at each start.
   */
  save(chunks: readonly UnembeddedChunk[], outcomes: ReadonlyMap<number, EmbeddingOutcome>): Work<void>;
  count(): Work<number>;
  /** True when there is a vector to compare with. */
  any(): Work<boolean>;
  /** The vector of a question; undefined when it cannot be compared. */
  question(vector: readonly number[]): Work<Float32Array | undefined>;
  /** What cannot be done, as text. */
  degraded(): Work<string[]>;
}

/** The same in an open file, each write in a transaction of its own. */
export interface Embeddings extends Synchronous<EmbeddingsWork> {
  /** The model's identity. */
  name: string;
}

/** The vector of a text, or why it has none; `isNoVector`: the model answered, with what is none. */
export type EmbeddingOutcome = Float32Array | { refusal: string; isNoVector?: boolean };

/** The name under which a model's vectors are kept. */
export function identityName({ provider, model, dimensions }: EmbeddingIdentity): string {
  return `${provider}/${model}/${dimensions}`;
}

/** The same functions, whose results may have to be waited for. */
export type Awaitable<Parts> = {
  [Key in keyof Parts]: Parts[Key] extends (...values: infer Values) => infer Result
    ? (...values: Values) => Result | Promise<Result>
    : never;
};

/** The vectors of one model in one open file. */
export function openEmbeddings(options: {
  database: Sqlite;
  identity: EmbeddingIdentity;
  now: () => number;
}): Embeddings {
  const { database, identity, now } = options;
  const { dimensions } = identity;
  const sql = sqliteSql(database);
  const name = identityName(identity);
  const model = finish(modelId(sql, { name, dimensions }, now()));
  const table = openSqliteVectors(database, { model, dimensions });
  const works = synchronous(createEmbeddings(sql, { table, model, dimensions, now }));
  const atOnce = <Values extends unknown[]>(work: (...values: Values) => void) => {
    const transaction = database.transaction(work);
    return (...values: Values): void => transaction.immediate(...values);
  };
  const settle = atOnce(works.settle);
  return {
    ...{ ...works, name, save: atOnce(works.save), askAgain: atOnce(works.askAgain) },
    settle() {
      if (works.hasNewer()) settle();
    },
  };
}

/** The vectors of the model with this number in one database. */
export function createEmbeddings(
  sql: Sql,
  of: { table: VectorTable; model: number; dimensions: number; now: () => number },
): EmbeddingsWork {
  const { table, model, dimensions, now } = of;
  const work = createEmbeddingWork(sql, model, now);
  const count = sql.pluck<[number], number>(
    'SELECT count(*) FROM memory_embeddings WHERE model = ? AND embedding IS NOT NULL',
  );
  const any = sql.pluck<[number], 1>(
    'SELECT 1 FROM memory_embeddings WHERE model = ? AND embedding IS NOT NULL LIMIT 1',
  );
  const sameText = sql.pluck<[object], Buffer>(
    `SELECT embedding FROM memory_embeddings WHERE model = @model AND text_hash = @hash AND embedding IS NOT NULL
     UNION ALL SELECT embedding FROM memory_embedding_cache WHERE model = @model AND text_hash = @hash LIMIT 1`,
  );
  const dropCache = sql.prepare<[number], never>('DELETE FROM memory_embedding_cache WHERE model = ?');
  const textOfRow = createTextOfRow(sql);
  function* isComparable(vector: EmbeddingOutcome): Work<boolean> {
    return vector instanceof Float32Array && vector.length > 0 && (yield* table.isComparable(vector));
  }
  const refuse = sql.prepare<[object], never>(
    `INSERT INTO memory_embeddings (row, model, text_hash, refusal, ask_again)
     VALUES (@row, @model, @hash, @refusal, CASE WHEN @isNoVector = 1 THEN 'after success' END)
     ON CONFLICT (row, model) DO UPDATE SET text_hash = excluded.text_hash, embedding = NULL, refusal = excluded.refusal,
       ask_again = CASE WHEN excluded.ask_again IS NULL THEN NULL WHEN memory_embeddings.ask_again IS NULL THEN 'after success'
         ELSE 'at start' END`,
  );
  /** Stores the vector, or why there is none. */
  function* put(at: { row: number; hash: string }, outcome: EmbeddingOutcome): Work<void> {
    const isVector = outcome instanceof Float32Array;
    if (isVector && outcome.length > 0 && (yield* table.write(at, outcome))) return;
    const { refusal, isNoVector = false } = isVector
      ? { refusal: faultOf(outcome, dimensions), isNoVector: true }
      : outcome;
    yield* refuse.run({ ...at, model, refusal, isNoVector: Number(isNoVector) });
  }

  return {
    ...work,
    nearest: table.nearest,
    similarity: table.similarity,
    *known(chunks) {
      const found = new Map<number, EmbeddingOutcome>();
      for (const [place, { text }] of chunks.entries()) {
        const bytes = yield* sameText.get({ model, hash: hashOf(text) });
        if (bytes !== undefined) found.set(place, floatsOf(bytes));
      }
      return found;
    },
    *save(chunks, outcomes) {
      let isAny = false;
      for (const outcome of outcomes.values()) isAny ||= yield* isComparable(outcome);
      if (isAny) yield* work.gaveVector();
      for (const [place, { row, text }] of chunks.entries()) {
        if ((yield* textOfRow(row)) !== text) continue; // forgotten or changed since
        const outcome = outcomes.get(place) ?? { refusal: 'the model gave no vector' };
        yield* put({ row, hash: hashOf(text) }, outcome);
      }
      yield* work.done(chunks.at(-1)?.row ?? 0);
      if ((yield* work.behind()) === 0) yield* dropCache.run(model);
    },
    *count() {
      return (yield* count.get(model)) ?? 0;
    },
    *any() {
      return (yield* any.get(model)) !== undefined;
    },
    *question(vector) {
      const asked = Float32Array.from(vector);
      return (yield* isComparable(asked)) ? asked : undefined;
    },
    *degraded() {
      const left = yield* work.behind();
      const error = left === 0 ? undefined : yield* work.lastError();
      return left === 0 ? [] : [`index behind by ${left}${error === undefined ? '' : ` (${error})`}`];
    },
  };
}

/** Why a vector cannot be compared: its size, the first entry that is not a finite number, or that it has no direction. */
export function faultOf(vector: ArrayLike<number>, dimensions: number): string {
  if (vector.length !== dimensions) return `expected a vector of ${dimensions} numbers, got ${vector.length}`;
  const at = Array.from(vector).findIndex((number) => !Number.isFinite(number));
  return at < 0
    ? 'expected a vector with a direction, got only zeros, or numbers too near to 0 or too far from it'
    : `expected a vector of finite numbers, got ${vector[at]} at place ${at + 1} of ${dimensions}`;
}
