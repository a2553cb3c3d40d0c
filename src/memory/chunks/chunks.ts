// The statements over chunks and their full text. Every read of what people said takes a `Readable`.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { audiencePredicate, type ScopeFilter } from '#memory/tables/audience.ts';
import { createRowStatement, insertInto } from '#memory/tables/row-statement.ts';
import type { Audience } from '#memory/types/scope.ts';
import type { DerivedData } from '#memory/vectors/derived-data.ts';
import { stemIn } from '#memory/words/languages.ts';
import { plainWords } from '#memory/words/tokens.ts';
import { type Chunk, type ChunkRow, type FoundChunk, foundColumns, type Source } from './chunk-row.ts';
import { createSharedPassages, type SharedPassages } from './shared-passages.ts';
import { createWordRows, type WordRows } from './word-rows.ts';

export interface Chunks extends WordRows {
  /** The passages that several imported files have. */
  shared: SharedPassages;
  /** Inserts a row with its full text; its number, or undefined when this audience holds its content already. */
  insert(row: ChunkRow): number | undefined;
  /** Removes the chunk permanently, with its full text and all that is derived of it. */
  forget(row: number): void;
  /** The same for a chunk whose file is imported again: see `DerivedData.replace`. */
  replace(row: number): void;
  /** Forgets the pieces of an exchange or a record. */
  forgetSource(sourceKey: string): void;
  /** Rows of the pieces of an exchange, a file or a record. */
  rowsOf(sourceKey: string): number[];
  /** Ids of the pieces of an exchange that is known already, in order. */
  idsOfSource(sourceKey: string): string[];
  /** The id of the chunk with this content in this audience, noting when it was written again: not of an open one, what was written while the room was closed. */
  seenAgain(said: Pick<Chunk, 'audience' | 'contentHash' | 'at' | 'restricted'>): string | undefined;
  /** Takes away the chunk with this content of this audience that was written while its room was closed; its id, which the same words get that are open now. */
  takeClosed(said: { audience: Audience; contentHash: string }): string | undefined;
  /** Notes that an exchange or a record was written again. */
  sourceSeenAgain(sourceKey: string, at: number): void;
  /** Those of these words that name a speaker in the scope, with the speaker's whole name. */
  speakers(words: readonly string[], readable: ScopeFilter): Map<string, string>;
  /** Rows of the scope in the session around this one, in order and with it, up to `reach` on either side. */
  around(
    at: { row: number; sessionID: string; source: Source },
    reach: number,
    readable: ScopeFilter,
  ): number[];
  /** True when a plain word is in any chunk or record that is left: it may be in the file for that reason. */
  knows(word: string): boolean;
  /** The chunks of these rows that the scope may read, in no order. */
  byRows(rows: readonly number[], readable: ScopeFilter): FoundChunk[];
  /** The same in the order of the rows. */
  inOrder(rows: readonly number[], readable: ScopeFilter): FoundChunk[];
  count(): number;
}

/** The statements over one open database. */
export function createChunks(database: Sqlite, derived: Pick<DerivedData, 'forget' | 'replace'>): Chunks {
  const insert = createRowStatement<ChunkRow>(
    database,
    (columns) =>
      `${insertInto('global_memory_chunks', columns)} ON CONFLICT (audience, content_hash) DO NOTHING`,
  );
  // no trigger does these two: with one, full text is written out again for each row
  const counted = database.prepare<[string]>(
    'INSERT INTO memory_audiences (audience, entries) VALUES (?, 1) ON CONFLICT DO UPDATE SET entries = entries + 1',
  );
  const index = database.prepare<unknown[]>(
    'INSERT INTO global_memory_fts (rowid, said_terms, answered_terms, about_terms, scope_terms) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = database.prepare<[number]>('DELETE FROM global_memory_chunks WHERE row = ?');
  const rowsOf = database
    .prepare<[string], number>('SELECT row FROM global_memory_chunks WHERE source_key = ?')
    .pluck();
  const idsOfSource = database
    .prepare<[string], string>('SELECT id FROM global_memory_chunks WHERE source_key = ? ORDER BY ordinal')
    .pluck();
  const ofContent = database.prepare<[string, string], { row: number; id: string; isClosed: 0 | 1 }>(
    'SELECT row, id, restricted AS isClosed FROM global_memory_chunks WHERE audience = ? AND content_hash = ?',
  );
  const [saidAgain, sourceSaidAgain] = ['id', 'source_key'].map((column) =>
    database.prepare<[number, string]>(
      `UPDATE global_memory_chunks SET last_said_at_ms = max(last_said_at_ms, ?) WHERE ${column} = ?`,
    ),
  );
  const found = database.prepare<[object], FoundChunk>(
    `SELECT ${foundColumns} FROM global_memory_chunks
     WHERE row IN (SELECT value FROM json_each(@rows)) AND ${audiencePredicate}`,
  );
  const [before, after] = ['row < @row AND @on ORDER BY row DESC', 'row > @row AND @on ORDER BY row'].map(
    (side) =>
      database
        .prepare<[object], number>(
          `SELECT row FROM global_memory_chunks WHERE session_id = @session AND source = @source
         AND ${side.replace('@on', audiencePredicate)} LIMIT @reach`,
        )
        .pluck(),
  );
  const holding = database
    .prepare<[object], number>(
      `SELECT 1 FROM global_memory_chunks WHERE instr(lower(content), @word) > 0
       UNION ALL SELECT 1 FROM memory_records WHERE instr(lower(content), @word) > 0 LIMIT 1`,
    )
    .pluck();

  const words = createWordRows(database);
  const shared = createSharedPassages(database, words.changes);
  const takeAway = (row: number, drop: (row: number) => void): void => {
    words.changes(row);
    drop(row);
    remove.run(row);
  };
  const forget = (row: number): void => {
    shared.forget(row);
    takeAway(row, derived.forget);
  };
  const replace = (row: number): void => takeAway(row, derived.replace);
  return {
    ...words,
    shared,
    insert(values) {
      const { changes, lastInsertRowid } = insert(values);
      if (changes === 0) return undefined;
      const row = Number(lastInsertRowid);
      counted.run(values.audience);
      index.run(row, values.said_terms, values.answered_terms, values.about_terms, values.scope_terms);
      words.added();
      return row;
    },
    forget,
    replace,
    takeClosed({ audience, contentHash }) {
      const found = ofContent.get(audience, contentHash);
      if (found?.isClosed !== 1) return undefined;
      replace(found.row);
      return found.id;
    },
    forgetSource: (sourceKey) => rowsOf.all(sourceKey).forEach(forget),
    rowsOf: (sourceKey) => rowsOf.all(sourceKey),
    sourceSeenAgain: (sourceKey, at) => void sourceSaidAgain?.run(Math.round(at), sourceKey),
    idsOfSource: (sourceKey) => idsOfSource.all(sourceKey),
    seenAgain({ audience, contentHash, at, restricted }) {
      const { id, isClosed } = ofContent.get(audience, contentHash) ?? {};
      // an UPDATE that meets no row makes FTS5 write out what it gathered all the same: its triggers need a savepoint
      if (id !== undefined && (isClosed === 1 || !restricted)) saidAgain?.run(at, id);
      return id;
    },
    speakers(names, readable) {
      const found = new Map<string, string>();
      for (const name of names) {
        const rows = words.rowsWith({ type: 'word', in: 'about', word: stemIn('en', name) }, readable, 3);
        const of = this.byRows(rows, readable).find(({ speaker }) => plainWords(speaker).includes(name));
        if (of !== undefined) found.set(name, of.speaker);
      }
      return found;
    },
    around({ row, sessionID, source }, reach, { parameters }) {
      const at = { ...parameters, row, session: sessionID, source, reach };
      return [...(before?.all(at) ?? []).reverse(), row, ...(after?.all(at) ?? [])];
    },
    byRows: (rows, readable) =>
      rows.length === 0 ? [] : found.all({ ...readable.parameters, rows: JSON.stringify(rows) }),
    inOrder(rows, readable) {
      const byRow = new Map(this.byRows(rows, readable).map((chunk) => [chunk.row, chunk]));
      return rows.flatMap((row) => byRow.get(row) ?? []);
    },
    knows: (word) => holding.get({ word }) !== undefined,
    count: createCount(database),
  };
}

function createCount(database: Sqlite): Chunks['count'] {
  const count = database
    .prepare<[], number>('SELECT coalesce(sum(entries), 0) FROM memory_audiences')
    .pluck();
  return () => count.get() ?? 0;
}
