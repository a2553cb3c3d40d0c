// The statements over chunks and their full text. Every read of what people said takes a `Readable`.
import type { Sqlite } from '#base/sqlite.ts';
import type { Audience } from '#memory/terms/scope.ts';
import { audiencePredicate, type Readable } from './audience.ts';
import { type Changes, createChanges } from './changes.ts';
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
import { unpackedPassage } from './packed-passage.ts';
import { type Passage, passageOf } from './passage.ts';
import { createPostings, type ScopePostings, searched } from './postings.ts';
import type { RowSet } from './row-set.ts';

export interface Chunks {
  /** Inserts the chunk and its full text, noting the model of the vector that it will have. */
  insert(chunk: Chunk, vectorModel: number | null): Inserted;
  /** The same as one of many, unless this audience holds its content: then undefined. */
  insertNew(chunk: Chunk, vectorModel: number | null): Inserted | undefined;
  /** Removes the chunk with its full text; its vector is the index's to remove. */
  remove(row: number): void;
  /** Ids of the pieces of an exchange that is known already, in order. */
  idsOfSource(sourceKey: string): string[];
  /** The id of the chunk with this content in this audience, noting when it was said again. */
  seenAgain(said: { audience: Audience; contentHash: string; at: number }): string | undefined;
  /** Rows inside the scope that hold the full-text expression, newest first, at most `limit`. */
  rowsWith(expression: string, readable: Readable, limit: number): number[];
  /** What tells whether what was read is still true. */
  changes(): Changes;
  /** Which rows of the scope hold which word, in the file as it was read just before. */
  postings(readable: Readable, now?: Changes): ScopePostings;
  /** The rows that the scope may read. */
  rowsIn(readable: Readable, now?: Changes): RowSet;
  /** The indexed words that stand in most rows, of all scopes; looks at every word there is. Never shown. */
  commonWords(most: number): string[];
  /** Those of the rows that the scope may read, in no order. */
  readableRows(rows: readonly number[], readable: Readable): ReadableRow[];
  /** Rows of the session around this one, in order and with it, up to `reach` on either side. They still have to pass the scope. */
  around(row: number, sessionID: string, reach: number): number[];
  /** True when a plain word stands in any chunk or record that is left: it may stand in the file for that reason. */
  knows(word: string): boolean;
  /** What ranking looks at in those of these rows that the scope may read, in no order. */
  passages(rows: readonly number[], readable: Readable): StoredPassage[];
  /** The chunks of these rows that the scope may read, in no order. */
  byRows(rows: readonly number[], readable: Readable): FoundChunk[];
  /** The audiences of the newest rows: for work that shows nothing to anyone. */
  recentAudiences(): Audience[];
  count(): number;
  /** The number of the newest row; at least as large as how many there are. */
  newest(): number;
}

/** A row that a scope may read, until `Changes` says otherwise or it expires. */
export interface ReadableRow {
  row: number;
  lastSaidAt: number;
  /** In milliseconds; null when it is there for ever. */
  expiresAt: number | null;
}

/** What ranking looks at in a turn; of all else, and where it was not written with the row, only whose row it is. */
export interface StoredPassage extends ReadableRow {
  session: string;
  passage: Passage | undefined;
  isTurn: boolean;
}

/** A chunk's place in the indexes, and the sums of its letters for its vector. */
export interface Inserted {
  row: number;
  letters: Int16Array;
}

/** Rows that tell where people talk these days. */
const mostRecent = 200;

/** The statements over one open database. */
export function createChunks(database: Sqlite): Chunks {
  const changes = createChanges(database);
  const postings = createPostings(database, changes);
  const columns = chunkColumns.join(', ');
  const into = `INTO global_memory_chunks (${columns}) VALUES (${chunkColumns.map(() => '?').join(', ')})`;
  const insert = database.prepare<unknown[]>(`INSERT ${into}`);
  const insertNew = database.prepare<unknown[]>(
    `INSERT ${into} ON CONFLICT (audience, content_hash) DO NOTHING`,
  );
  // no trigger does this: with one, full text is written out anew for each row
  const index = database.prepare<unknown[]>(
    'INSERT INTO global_memory_fts (rowid, said_terms, answered_terms, about_terms, scope_terms) VALUES (?, ?, ?, ?, ?)',
  );
  const indexed = (row: number, values: ChunkRow): number => {
    const { said_terms, answered_terms, about_terms, scope_terms } = values;
    index.run(row, said_terms, answered_terms, about_terms, scope_terms);
    return row;
  };
  const remove = database.prepare<[number]>('DELETE FROM global_memory_chunks WHERE row = ?');
  const idsOfSource = database
    .prepare<[string], string>('SELECT id FROM global_memory_chunks WHERE source_key = ? ORDER BY ordinal')
    .pluck();
  const idOfContent = database
    .prepare<[string, string], string>(
      'SELECT id FROM global_memory_chunks WHERE audience = ? AND content_hash = ?',
    )
    .pluck();
  const saidAgain = database.prepare<[number, string]>(
    'UPDATE global_memory_chunks SET last_said_at_ms = max(last_said_at_ms, ?) WHERE id = ?',
  );
  const matching = database
    .prepare<[string, number], number>(
      'SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ? ORDER BY rowid DESC LIMIT ?',
    )
    .pluck();
  const found = database.prepare<[object], FoundRow>(
    `SELECT row, ${foundColumns.join(', ')} FROM global_memory_chunks
     WHERE row IN (SELECT value FROM json_each(@rows)) AND ${audiencePredicate}`,
  );
  const passages = database
    .prepare<
      [object],
      [
        row: number,
        source: string,
        session: string,
        speaker: string,
        at: number,
        said: number,
        expires: number | null,
        passage: Buffer | null,
      ]
    >(
      `SELECT row, source, session_id, speaker, at_ms, last_said_at_ms, expires_at_ms, iif(source = 'turn', passage, NULL) FROM global_memory_chunks
       WHERE row IN (SELECT value FROM json_each(@rows)) AND ${audiencePredicate}`,
    )
    .raw();
  const readableRows = database.prepare<[object], ReadableRow>(
    `SELECT row, last_said_at_ms AS lastSaidAt, expires_at_ms AS expiresAt FROM global_memory_chunks
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
  const newest = database.prepare<[], number | null>('SELECT max(row) FROM global_memory_chunks').pluck();
  const recentAudiences = database
    .prepare<[number], Audience>(
      'SELECT DISTINCT audience FROM (SELECT audience FROM global_memory_chunks ORDER BY row DESC LIMIT ?)',
    )
    .pluck();
  const count = database.prepare<[], number>('SELECT count(*) FROM global_memory_chunks').pluck();

  return {
    insert(chunk, vectorModel) {
      const { values, letters } = toRow(chunk);
      values.vector_model = vectorModel;
      const row = indexed(Number(insert.run(inOrder(values)).lastInsertRowid), values);
      const words = [values.said_terms, values.answered_terms, values.about_terms];
      postings.added(row, { words, scope: values.scope_terms });
      return { row, letters };
    },
    insertNew(chunk, vectorModel) {
      const { values, letters } = toRow(chunk);
      values.vector_model = vectorModel;
      const { changes, lastInsertRowid } = insertNew.run(inOrder(values));
      return changes === 0 ? undefined : { row: indexed(Number(lastInsertRowid), values), letters };
    },
    remove: (row) => void remove.run(row),
    idsOfSource: (sourceKey) => idsOfSource.all(sourceKey),
    seenAgain({ audience, contentHash, at }) {
      const id = idOfContent.get(audience, contentHash);
      // an UPDATE that meets no row makes FTS5 write out what it gathered all the same: its triggers need a savepoint
      if (id !== undefined) saidAgain.run(at, id);
      return id;
    },
    rowsWith: (expression, readable, limit) =>
      readable.match === undefined
        ? []
        : matching.all(`${searched} : (${expression}) AND ${readable.match}`, limit),
    changes,
    postings: postings.in,
    rowsIn: postings.rowsIn,
    commonWords: postings.commonWords,
    readableRows: (rows, readable) =>
      readableRows.all({ ...readable.parameters, rows: JSON.stringify(rows) }),
    around: (row, sessionID, reach) => [
      ...before.all(sessionID, row, reach).reverse(),
      row,
      ...after.all(sessionID, row, reach),
    ],
    passages: (rows, readable) =>
      passages
        .all({ ...readable.parameters, rows: JSON.stringify(rows) })
        .map(([row, source, session, speaker, at, lastSaidAt, expiresAt, bytes]) => {
          const isTurn = source === 'turn';
          const words = unpackedPassage(bytes);
          const passage = words && passageOf({ row, session, speaker, isTurn, at }, words);
          return { row, session, lastSaidAt, expiresAt, passage, isTurn };
        }),
    byRows: (rows, readable) =>
      found.all({ ...readable.parameters, rows: JSON.stringify(rows) }).map(fromRow),
    knows: (word) => holding.get({ word }) !== undefined,
    recentAudiences: () => recentAudiences.all(mostRecent),
    count: () => count.get() ?? 0,
    newest: () => newest.get() ?? 0,
  };
}

/** `toRow` writes the columns in the order of `chunkColumns`; to look each up by its name takes as long as to bind it. */
function inOrder(values: ChunkRow): ChunkRow[keyof ChunkRow][] {
  return Object.values(values);
}
