// Vectors that a model made of chunks, stored by its identity, and the durable state of making them.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { bytesOf, floatsOf } from '#base/sqlite/vector-functions.ts';
import type { EmbeddingIdentity } from '#memory/types/embedding.ts';
import { type EmbeddingWork, openEmbeddingWork, type UnembeddedChunk } from './embedding-work.ts';
import { modelId } from './models.ts';
import { type NearestVectors, openNearestVectors } from './nearest-vectors.ts';
import { signBitsOf } from './sign-bits.ts';
import { openSignBlocks } from './sign-blocks.ts';
import { createTextOfRow, hashOf } from './text-hash.ts';

export interface Embeddings extends Omit<EmbeddingWork, 'done' | 'gaveVector' | 'lastError'>, NearestVectors {
  /** The model's identity. */
  name: string;
  /** The vectors that other chunks of the same text have, or had until their file was imported again, by place in the list. */
  known(chunks: readonly UnembeddedChunk[]): Map<number, EmbeddingOutcome>;
  /**
   * Stores the outcome for these chunks, by place in the list, in one transaction, and that all rows up to the last of them are done, apart
   * from those that were changed in between. A vector that is not finite, is zero or has other dimensions is refused, and its text is asked
   * for once more after a vector that can be compared, and at each start.
   */
  save(chunks: readonly UnembeddedChunk[], outcomes: ReadonlyMap<number, EmbeddingOutcome>): void;
  count(): number;
  /** True when there is a vector to compare with. */
  any(): boolean;
  /** The vector of a question; undefined when it cannot be compared. */
  question(vector: readonly number[]): Float32Array | undefined;
  /** What cannot be done, as text. */
  degraded(): string[];
}

/** The vector of a text, or why it has none; `isNoVector`: the model answered, with what is none. */
export type EmbeddingOutcome = Float32Array | { refusal: string; isNoVector?: boolean };

/** The name under which a model's vectors are kept. */
function identityName({ provider, model, dimensions }: EmbeddingIdentity): string {
  return `${provider}/${model}/${dimensions}`;
}

/** The vectors of one model in one open database. */
export function openEmbeddings(options: {
  database: Sqlite;
  identity: EmbeddingIdentity;
  now: () => number;
}): Embeddings {
  const { database, identity, now } = options;
  const { dimensions } = identity;
  const model = modelId(database, { name: identityName(identity), dimensions }, now());
  const bits = openSignBlocks(database, { model, dimensions });
  const work = openEmbeddingWork(database, model, now);
  const count = database
    .prepare<[number], number>(
      'SELECT count(*) FROM memory_embeddings WHERE model = ? AND embedding IS NOT NULL',
    )
    .pluck();
  const any = database.prepare<[number]>(
    'SELECT 1 FROM memory_embeddings WHERE model = ? AND embedding IS NOT NULL LIMIT 1',
  );
  const sameText = database
    .prepare<[object], Buffer>(
      `SELECT embedding FROM memory_embeddings WHERE model = @model AND text_hash = @hash AND embedding IS NOT NULL
       UNION ALL SELECT embedding FROM memory_embedding_cache WHERE model = @model AND text_hash = @hash LIMIT 1`,
    )
    .pluck();
  const dropCache = database.prepare<[number]>('DELETE FROM memory_embedding_cache WHERE model = ?');
  const textOfRow = createTextOfRow(database);
  // a vector that is zero, is not finite or gets so has no distance from itself
  const comparison = `vec_length(@vector) = ${dimensions} AND vec_distance_cosine(vec_normalize(@vector), @vector) IS NOT NULL`;
  const comparable = database.prepare<[object], number>(`SELECT ${comparison}`).pluck();
  const isComparable = (vector: EmbeddingOutcome): boolean =>
    vector instanceof Float32Array && vector.length > 0 && comparable.get({ vector: bytesOf(vector) }) === 1;
  /** Returns the sign bits of what it stored, and nothing when the vector cannot be compared. */
  const write = database
    .prepare<[object], Buffer>(
      `INSERT OR REPLACE INTO memory_embeddings (row, model, text_hash, embedding)
       SELECT @row, @model, @hash, vec_normalize(@vector) WHERE ${comparison}
       RETURNING ${signBitsOf('embedding', dimensions)}`,
    )
    .pluck();
  const refuse = database.prepare<[object]>(
    `INSERT INTO memory_embeddings (row, model, text_hash, refusal, ask_again)
     VALUES (@row, @model, @hash, @refusal, iif(@isNoVector, 'after success', NULL))
     ON CONFLICT (row, model) DO UPDATE SET text_hash = @hash, embedding = NULL, refusal = @refusal,
       ask_again = iif(@isNoVector, iif(ask_again IS NULL, 'after success', 'at start'), NULL)`,
  );
  /** Stores the vector, or why there is none. */
  const put = (at: { row: number; hash: string }, outcome: EmbeddingOutcome): void => {
    const isVector = outcome instanceof Float32Array;
    const stored =
      isVector && outcome.length > 0 ? write.get({ ...at, model, vector: bytesOf(outcome) }) : undefined;
    if (stored !== undefined) {
      bits.put(at.row, stored);
      return;
    }
    const { refusal, isNoVector = false } = isVector
      ? { refusal: faultOf(outcome, dimensions), isNoVector: true }
      : outcome;
    refuse.run({ ...at, model, refusal, isNoVector: Number(isNoVector) });
  };
  const save = database.transaction(
    (chunks: readonly UnembeddedChunk[], outcomes: ReadonlyMap<number, EmbeddingOutcome>) => {
      if ([...outcomes.values()].some(isComparable)) work.gaveVector();
      for (const [place, { row, text }] of chunks.entries()) {
        if (textOfRow(row) !== text) continue; // forgotten or changed since
        put({ row, hash: hashOf(text) }, outcomes.get(place) ?? { refusal: 'the model gave no vector' });
      }
      work.done(chunks.at(-1)?.row ?? 0);
      if (work.behind() === 0) dropCache.run(model);
    },
  );

  return {
    ...work,
    ...openNearestVectors(database, { model, bits }),
    name: identityName(identity),
    known(chunks) {
      const found = new Map<number, EmbeddingOutcome>();
      for (const [place, { text }] of chunks.entries()) {
        const hash = hashOf(text);
        const bytes = sameText.get({ model, hash });
        if (bytes !== undefined) found.set(place, floatsOf(bytes));
      }
      return found;
    },
    save: (chunks, outcomes) => save.immediate(chunks, outcomes),
    count: () => count.get(model) ?? 0,
    any: () => any.get(model) !== undefined,
    question(vector) {
      const asked = Float32Array.from(vector);
      return isComparable(asked) ? asked : undefined;
    },
    degraded() {
      const left = work.behind();
      const error = left === 0 ? undefined : work.lastError();
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
