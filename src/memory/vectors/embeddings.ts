// Vectors that a model made of chunks: stored by its identity, found by nearness, and the durable state of making them.
import { errorMessage } from '#base/errors.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { audiencePredicate, largeShare, type ScopeFilter } from '#memory/tables/audience.ts';
import type { EmbeddingIdentity } from '#memory/types/embedding.ts';
import { type BinaryVectorIndex, openBinaryVectorIndex } from './binary-vectors.ts';
import { type EmbeddingWork, openEmbeddingWork, type UnembeddedChunk } from './embedding-work.ts';
import { modelId } from './models.ts';
import { hasHash, hashOf } from './text-hash.ts';

/** A row with the cosine similarity of its vector, -1 to 1. */
export interface Neighbor {
  row: number;
  similarity: number;
}

export interface Embeddings extends Omit<EmbeddingWork, 'done' | 'lastError'> {
  /** The model's identity. */
  name: string;
  /** The vectors that other chunks of the same text have, or had until their file was imported again, by place in the list. */
  known(chunks: readonly UnembeddedChunk[]): Map<number, EmbeddingOutcome>;
  /**
   * Stores the outcome for these chunks, by place in the list, in one transaction, and that all rows up to the last of them are done. A
   * vector that is not finite, is zero or has other dimensions is refused.
   */
  save(chunks: readonly UnembeddedChunk[], outcomes: ReadonlyMap<number, EmbeddingOutcome>): void;
  count(): number;
  /** True when there is a vector to compare with. */
  any(): boolean;
  /** The vector of a question as it is compared; undefined when it cannot be. */
  question(vector: readonly number[]): Float32Array | undefined;
  /** Rows of the scope whose vectors are nearest, best first, at most `limit`; `rows` is about how many the scope reads. */
  nearest(vector: Float32Array, within: { readable: ScopeFilter; rows: number }, limit: number): Neighbor[];
  /** The cosine similarity, -1 to 1, of those of the rows that have a vector. They still have to pass the scope. */
  similarity(vector: Float32Array, rows: readonly number[]): Map<number, number>;
  /** Gives sign bits to at most `limit` vectors that were made while there was no vector extension. */
  catchUp(limit: number): void;
  /** What cannot be done, as text. */
  degraded(): string[];
}

/** The vector of a text, or why it has none. */
export type EmbeddingOutcome = Float32Array | { refusal: string };

/** Scopes of at most this many rows are compared exactly, row by row. */
const maxExact = 1_000;
/** sqlite-vec's own bound. */
const maxNeighbours = 4_096;
/** The name under which a model's vectors are stored. */
export function identityName({ provider, model, dimensions }: EmbeddingIdentity): string {
  return `${provider}/${model}/${dimensions}`;
}

/** The vectors of one model in one open database; `missing` is why the vector extension could not be loaded. */
export function openEmbeddings(options: {
  database: Sqlite;
  identity: EmbeddingIdentity;
  now: () => number;
  missing: string | undefined;
}): Embeddings {
  const { database, identity, now } = options;
  const { dimensions } = identity;
  const model = modelId(database, { name: identityName(identity), dimensions }, now());
  const padded = 8 * Math.ceil(dimensions / 8);
  let bits: BinaryVectorIndex | undefined;
  let broken: string | undefined = options.missing === undefined ? undefined : 'vector extension missing';
  try {
    if (broken === undefined)
      bits = openBinaryVectorIndex(database, { table: `memory_signs_${model}`, dimensions: padded });
  } catch (error) {
    broken = `vector index unusable (${errorMessage(error)})`;
  }

  const work = openEmbeddingWork(database, model, now);
  // chunks' rows, since counting vectors takes as long as comparing their sign bits
  const newest = database.prepare<[], number | null>('SELECT max(row) FROM global_memory_chunks').pluck();
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
      `SELECT embedding FROM memory_embeddings WHERE model = @model AND ${hasHash} AND embedding IS NOT NULL
       UNION ALL SELECT embedding FROM memory_embedding_cache WHERE model = @model AND ${hasHash} LIMIT 1`,
    )
    .pluck();
  const dropCache = database.prepare<[number]>('DELETE FROM memory_embedding_cache WHERE model = ?');
  const exists = database
    .prepare<[number], number>('SELECT 1 FROM global_memory_chunks WHERE row = ?')
    .pluck();
  const write = database.prepare<[number, number, string, Buffer | null, string | null]>(
    'INSERT OR REPLACE INTO memory_embeddings (row, model, text_hash, embedding, refusal) VALUES (?, ?, ?, ?, ?)',
  );
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
       WHERE row IN (SELECT value FROM json_each(@rows)) AND model = @model AND embedding IS NOT NULL`,
    )
    .raw();
  const save = database.transaction(
    (chunks: readonly UnembeddedChunk[], outcomes: ReadonlyMap<number, EmbeddingOutcome>) => {
      for (const [place, { row, text }] of chunks.entries()) {
        if (exists.get(row) === undefined) continue; // forgotten since
        const outcome = usable(outcomes.get(place) ?? { refusal: 'the model gave no vector' }, dimensions);
        if (outcome instanceof Float32Array) {
          write.run(row, model, hashOf(text), smallOf(outcome), null);
          bits?.put(row, widened(outcome, padded));
        } else write.run(row, model, hashOf(text), null, outcome.refusal);
      }
      work.done(chunks.at(-1)?.row ?? 0);
      if (work.behind() === 0) dropCache.run(model);
    },
  );

  const similarTo = (vector: Float32Array, rows: readonly number[]): Neighbor[] => {
    const list = JSON.stringify(rows);
    if (bits !== undefined)
      return compared
        .all({ model, rows: list, vector: bytesOf(vector), small: smallOf(vector) })
        .map(([row, distance]) => ({ row, similarity: 1 - distance }));
    return some
      .all({ model, rows: list })
      .map(([row, embedding]) => ({ row, similarity: cosineTo(vector, embedding) }));
  };
  /** Rows whose vectors may be near, of which the scope may read those that `readableRows` leaves. */
  const promising = (vector: Float32Array, match: string, { rows, most }: { rows: number; most: number }) => {
    if (bits === undefined || rows <= maxExact) return inScope.all(match);
    const all = newest.get() ?? 0;
    const wide = widened(vector, padded);
    if (rows < largeShare * all) return bits.nearest(wide, most, match);
    return bits.nearest(wide, Math.min(maxNeighbours, Math.ceil((most * all) / Math.max(1, rows))));
  };

  const unsigned = (limit: number): { row: number; embedding: Buffer }[] =>
    database
      .prepare<[number, number], { row: number; embedding: Buffer }>(
        `SELECT row, embedding FROM memory_embeddings WHERE model = ? AND embedding IS NOT NULL
         AND row NOT IN (SELECT rowid FROM memory_signs_${model}_rowids) LIMIT ?`,
      )
      .all(model, limit);
  const sign = database.transaction((limit: number): void => {
    for (const { row, embedding } of unsigned(limit))
      bits?.put(row, widened(vectorIn(embedding, dimensions), padded));
  });

  return {
    name: identityName(identity),
    waiting: work.waiting,
    settle: work.settle,
    works: work.works,
    failed: work.failed,
    waitMs: work.waitMs,
    behind: work.behind,
    refused: work.refused,
    known(chunks) {
      const found = new Map<number, EmbeddingOutcome>();
      for (const [place, { text }] of chunks.entries()) {
        const hash = hashOf(text);
        const bytes = sameText.get({ model, hash });
        if (bytes !== undefined) found.set(place, vectorIn(bytes, dimensions));
      }
      return found;
    },
    save: (chunks, outcomes) => save.immediate(chunks, outcomes),
    catchUp(limit) {
      if (bits !== undefined && bits.count() !== (count.get(model) ?? 0)) sign.immediate(limit);
    },
    count: () => count.get(model) ?? 0,
    any: () => any.get(model) !== undefined,
    question: (vector) => (vector.length === dimensions ? normalised(Float32Array.from(vector)) : undefined),
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
    degraded() {
      const error = work.lastError();
      const left = work.behind();
      return [
        ...(broken === undefined ? [] : [broken]),
        ...(left === 0 ? [] : [`index behind by ${left}${error === undefined ? '' : ` (${error})`}`]),
      ];
    },
  };
}

/** The vector with length 1; undefined when it is zero or not finite. */
function normalised(vector: Float32Array): Float32Array | undefined {
  const length = Math.hypot(...vector);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : undefined;
}

/** The vector as it is stored, or why it cannot be compared. */
function usable(outcome: EmbeddingOutcome, dimensions: number): EmbeddingOutcome {
  if (!(outcome instanceof Float32Array)) return outcome;
  if (outcome.length !== dimensions)
    return { refusal: `expected a vector of ${dimensions} numbers, got ${outcome.length}` };
  return normalised(outcome) ?? { refusal: 'expected a vector of finite numbers that are not all 0' };
}

function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** A byte for each number, the largest as 127: its direction is the same to about a thousandth. */
function smallOf(vector: Float32Array): Buffer {
  const most = vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1e-12);
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((127 * value) / most)).buffer);
}

/** The vector of stored bytes with length 1: of a byte each, or, from earlier versions, of four. */
function vectorIn(bytes: Buffer, dimensions: number): Float32Array {
  if (bytes.length !== dimensions) return floatsOf(bytes);
  const numbers = Float32Array.from(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  return normalised(numbers) ?? numbers;
}

function floatsOf(bytes: Buffer): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes;
  // numbers of four bytes can only be read in place where they begin at a multiple of four
  return byteOffset % 4 === 0
    ? new Float32Array(buffer, byteOffset, byteLength / 4)
    : new Float32Array(Uint8Array.from(bytes).buffer);
}

function widened(vector: Float32Array, dimensions: number): Float32Array {
  if (vector.length === dimensions) return vector;
  const wider = new Float32Array(dimensions);
  wider.set(vector);
  return wider;
}

/** The cosine similarity of a vector of length 1 and stored bytes, compared where they are: to copy them takes ten times as long. */
function cosineTo(vector: Float32Array, bytes: Buffer): number {
  const other =
    bytes.length === vector.length
      ? new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
      : floatsOf(bytes);
  let [sum, squares] = [0, 0];
  for (let index = 0; index < other.length; index += 1) {
    const value = other[index] ?? 0;
    sum += (vector[index] ?? 0) * value;
    squares += value * value;
  }
  return squares === 0 ? 0 : sum / Math.sqrt(squares);
}
