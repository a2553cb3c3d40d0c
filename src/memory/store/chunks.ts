// The statements over chunks and their full text. Every read of what people said takes a `Readable`.
import type { Sqlite } from '#base/sqlite.ts';
import type { Audience } from '#memory/terms/scope.ts';
import { audiencePredicate, type Readable } from './audience.ts';
import {
  type Chunk,
  type ChunkRow,
  chunkColumns,
  type FoundChunk,
  type FoundRow,
  foundColumns,
  fromRow,
  toRow,
} from './chunk-row.ts';
import { createPostings, type ScopePostings, searched } from './postings.ts';

export interface Chunks {
  /** Inserts the chunk and its full text; its place in the indexes. */
  insert(chunk: Chunk): number;
  /** Removes the chunk with its full text; its vector is the index's to remove. */
  remove(row: number): void;
  /** Chunks were written anew beside these statements: what is kept of their words is dropped. */
  changed(): void;
  /** True when this audience holds this content. */
  has(chunk: Pick<Chunk, 'audience' | 'contentHash'>): boolean;
  /** Ids of the pieces of an exchange that is known already, in order. */
  idsOfSource(sourceKey: string): string[];
  /** The id of the chunk with this content in this audience, noting when it was said again. */
  seenAgain(said: { audience: Audience; contentHash: string; at: number }): string | undefined;
  /** Rows inside the scope that hold the full-text expression, newest first, at most `limit`. */
  rowsWith(expression: string, readable: Readable, limit: number): number[];
  /** Which rows of the scope hold which word. */
  postings(readable: Readable): ScopePostings;
  /** Plain indexed words that open with these two letters: for finding what a misspelt word may have meant. Never shown. */
  wordsWith(opening: string): ReadonlySet<string>;
  /** Those of the rows that the scope may read, with the time that may change, in no order. */
  readableRows(rows: readonly number[], readable: Readable): { row: number; lastSaidAt: number }[];
  /** Rows of the session around this one, in order and with it, up to `reach` on either side. They still have to pass the scope. */
  around(row: number, sessionID: string, reach: number): number[];
  /** True when a plain word stands in any chunk or record that is left: it may stand in the file for that reason. */
  knows(word: string): boolean;
  /** The chunks of these rows that the scope may read, in no order. */
  byRows(rows: readonly number[], readable: Readable): FoundChunk[];
  count(): number;
}

/** The statements over one open database. */
export function createChunks(database: Sqlite): Chunks {
  const postings = createPostings(database);
  const columns = chunkColumns.join(', ');
  const insert = database.prepare<[ChunkRow]>(
    `INSERT INTO global_memory_chunks (${columns}) VALUES (${chunkColumns.map((name) => `@${name}`).join(', ')})`,
  );
  const remove = database.prepare<[number]>('DELETE FROM global_memory_chunks WHERE row = ?');
  const holds = database
    .prepare<[string, string], number>(
      'SELECT 1 FROM global_memory_chunks WHERE audience = ? AND content_hash = ?',
    )
    .pluck();
  const idsOfSource = database
    .prepare<[string], string>('SELECT id FROM global_memory_chunks WHERE source_key = ? ORDER BY ordinal')
    .pluck();
  const seenAgain = database
    .prepare<[number, string, string], string>(
      `UPDATE global_memory_chunks SET last_said_at_ms = max(last_said_at_ms, ?)
       WHERE audience = ? AND content_hash = ? RETURNING id`,
    )
    .pluck();
  const matching = database
    .prepare<[string, number], number>(
      'SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ? ORDER BY rowid DESC LIMIT ?',
    )
    .pluck();
  const found = database.prepare<[object], FoundRow>(
    `SELECT row, ${foundColumns.join(', ')} FROM global_memory_chunks
     WHERE row IN (SELECT value FROM json_each(@rows)) AND ${audiencePredicate}`,
  );
  const readableRows = database.prepare<[object], { row: number; lastSaidAt: number }>(
    `SELECT row, last_said_at_ms AS lastSaidAt FROM global_memory_chunks
     WHERE row IN (SELECT value FROM json_each(@rows)) AND ${audiencePredicate}`,
  );
  const before = database
    .prepare<[string, number, number], number>(
      'SELECT row FROM global_memory_chunks WHERE session_id = ? AND row < ? ORDER BY row DESC LIMIT ?',
    )
    .pluck();
  const after = database
    .prepare<[string, number, number], number>(
      'SELECT row FROM global_memory_chunks WHERE session_id = ? AND row > ? ORDER BY row LIMIT ?',
    )
    .pluck();
  const holding = database
    .prepare<[object], number>(
      `SELECT 1 FROM global_memory_chunks WHERE instr(lower(content), @word) > 0
       UNION ALL SELECT 1 FROM memory_records WHERE instr(lower(content), @word) > 0 LIMIT 1`,
    )
    .pluck();
  const count = database.prepare<[], number>('SELECT count(*) FROM global_memory_chunks').pluck();

  return {
    insert(chunk) {
      const values = toRow(chunk);
      const row = Number(insert.run(values).lastInsertRowid);
      const words = [values.said_terms, values.answered_terms, values.about_terms];
      postings.added(row, { words, scope: values.scope_terms });
      return row;
    },
    remove(row) {
      remove.run(row);
      postings.drop();
    },
    changed: () => postings.drop(),
    has: ({ audience, contentHash }) => holds.get(audience, contentHash) !== undefined,
    idsOfSource: (sourceKey) => idsOfSource.all(sourceKey),
    seenAgain: ({ audience, contentHash, at }) => seenAgain.get(at, audience, contentHash),
    rowsWith: (expression, readable, limit) =>
      readable.match === undefined
        ? []
        : matching.all(`${searched} : (${expression}) AND ${readable.match}`, limit),
    postings: (readable) => postings.in(readable),
    wordsWith: postings.wordsWith,
    readableRows: (rows, readable) =>
      readableRows.all({ ...readable.parameters, rows: JSON.stringify(rows) }),
    around: (row, sessionID, reach) => [
      ...before.all(sessionID, row, reach).reverse(),
      row,
      ...after.all(sessionID, row, reach),
    ],
    byRows: (rows, readable) =>
      found.all({ ...readable.parameters, rows: JSON.stringify(rows) }).map(fromRow),
    knows: (word) => holding.get({ word }) !== undefined,
    count: () => count.get() ?? 0,
  };
}
