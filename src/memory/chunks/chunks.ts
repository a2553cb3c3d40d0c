// The statements over chunks and their words, on either engine. Every read of what people said takes a `Readable`.
import type { Sql } from '#base/sql/sql.ts';
import type { Synchronous, Work, Working } from '#base/sql/work.ts';
import { readingIn, type ScopeFilter } from '#memory/tables/audience.ts';
import { createRowInsert, insertInto } from '#memory/tables/row-statement.ts';
import type { Audience } from '#memory/types/scope.ts';
import { stemIn } from '#memory/words/languages.ts';
import { plainWords } from '#memory/words/tokens.ts';
import { type Chunk, type ChunkRow, type FoundChunk, foundColumns, type Source } from './chunk-row.ts';
import { createSharedPassages, type SharedPassageWork } from './shared-passages.ts';
import type { WordRows, WordWork } from './word-rows.ts';

/** What is taken away with a chunk. */
export interface DropDerived {
  /** It goes permanently. */
  forget(row: number): Work<void>;
  /** Its file is imported again. */
  replace(row: number): Work<void>;
}

export interface ChunkWork extends Working<WordRows> {
  /** The passages that several imported files have. */
  shared: SharedPassageWork;
  /** Inserts a row with its full text; its number, or undefined when this audience holds its content already. */
  insert(row: ChunkRow): Work<number | undefined>;
  /** Removes the chunk permanently, with its full text and all that is derived of it. */
  forget(row: number): Work<void>;
  /** The same for a chunk whose file is imported again: see `DerivedData.replace`. */
  replace(row: number): Work<void>;
  /** Forgets the pieces of an exchange or a record. */
  forgetSource(sourceKey: string): Work<void>;
  /** Rows of the pieces of an exchange, a file or a record. */
  rowsOf(sourceKey: string): Work<number[]>;
  /** Ids of the pieces of an exchange that is known already, in order. */
  idsOfSource(sourceKey: string): Work<string[]>;
  /** The id of the chunk with this content in this audience, noting when it was written again: not of an open one, what was written while the room was closed. */
  seenAgain(said: Pick<Chunk, 'audience' | 'contentHash' | 'at' | 'restricted'>): Work<string | undefined>;
  /** Takes away the chunk with this content of this audience that was written while its room was closed; its id, which the same words get that are open now. */
  takeClosed(said: { audience: Audience; contentHash: string }): Work<string | undefined>;
  /** Notes that an exchange or a record was written again. */
  sourceSeenAgain(sourceKey: string, at: number): Work<number>;
  /** Those of these words that name a speaker in the scope, with the speaker's whole name. */
  speakers(words: readonly string[], readable: ScopeFilter): Work<Map<string, string>>;
  /** Rows of the scope in the session around this one, in order and with it, up to `reach` on either side. */
  around(
    at: { row: number; sessionID: string; source: Source },
    reach: number,
    readable: ScopeFilter,
  ): Work<number[]>;
  /** True when a plain word is in any chunk or record that is left: it may be in the file for that reason. */
  knows(word: string): Work<boolean>;
  /** The chunks of these rows that the scope may read, in no order. */
  byRows(rows: readonly number[], readable: ScopeFilter): Work<FoundChunk[]>;
  /** The same in the order of the rows. */
  inOrder(rows: readonly number[], readable: ScopeFilter): Work<FoundChunk[]>;
  count(): Work<number>;
}

/** The same where nothing is waited for. */
export type Chunks = Synchronous<ChunkWork>;

/** The statements over one database, whose words are `words`. */
export function createChunks(
  sql: Sql,
  { words, derived }: { words: WordWork; derived: DropDerived },
): ChunkWork {
  const { dialect } = sql;
  const { audience } = readingIn(dialect);
  const insert = createRowInsert<ChunkRow>(
    sql,
    (columns) =>
      `${insertInto('global_memory_chunks', columns)} ON CONFLICT (audience, content_hash) DO NOTHING`,
  );
  // no trigger does these two: with one, full text is written out again for each row
  const counted = sql.prepare<[string], never>(
    `INSERT INTO memory_audiences (audience, entries) VALUES (?, 1)
     ON CONFLICT (audience) DO UPDATE SET entries = memory_audiences.entries + 1`,
  );
  const remove = sql.prepare<[number], never>('DELETE FROM global_memory_chunks WHERE row = ?');
  const rowsOf = sql.pluck<[string], number>('SELECT row FROM global_memory_chunks WHERE source_key = ?');
  const idsOfSource = sql.pluck<[string], string>(
    'SELECT id FROM global_memory_chunks WHERE source_key = ? ORDER BY ordinal',
  );
  const ofContent = sql.prepare<[string, string], { row: number; id: string; isClosed: 0 | 1 }>(
    'SELECT row, id, restricted AS isClosed FROM global_memory_chunks WHERE audience = ? AND content_hash = ?',
  );
  const seen = (column: 'id' | 'source_key') =>
    sql.prepare<[number, string], never>(
      `UPDATE global_memory_chunks SET last_said_at_ms = ${dialect.larger('last_said_at_ms', '?')} WHERE ${column} = ?`,
    );
  const [saidAgain, sourceSaidAgain] = [seen('id'), seen('source_key')];
  const found = sql.prepare<[object], FoundChunk>(
    `SELECT ${foundColumns} FROM global_memory_chunks WHERE row IN ${dialect.numbers('@rows')} AND ${audience}`,
  );
  const side = (condition: string, order: string) =>
    sql.pluck<[object], number>(
      `SELECT row FROM global_memory_chunks WHERE session_id = @session AND source = @source
       AND ${condition} AND ${audience} ORDER BY row ${order} LIMIT @reach`,
    );
  const [before, after] = [side('row < @row', 'DESC'), side('row > @row', 'ASC')];
  const holding = sql.pluck<[object], number>(
    `SELECT 1 FROM global_memory_chunks WHERE ${dialect.holds('lower(content)', '@word')}
     UNION ALL SELECT 1 FROM memory_records WHERE ${dialect.holds('lower(content)', '@word')} LIMIT 1`,
  );
  const count = sql.pluck<[], number>('SELECT coalesce(sum(entries), 0) FROM memory_audiences');

  const shared = createSharedPassages(sql, words);
  function* takeAway(row: number, drop: (row: number) => Work<void>): Work<void> {
    yield* words.changes(row);
    yield* drop(row);
    yield* remove.run(row);
  }
  function* forget(row: number): Work<void> {
    yield* shared.forget(row);
    yield* takeAway(row, derived.forget);
  }
  const replace = (row: number): Work<void> => takeAway(row, derived.replace);
  function* byRows(rows: readonly number[], { parameters }: ScopeFilter): Work<FoundChunk[]> {
    return rows.length === 0 ? [] : yield* found.all({ ...parameters, rows: JSON.stringify(rows) });
  }
  const { index, rewritten: _, ...wordRows } = words;
  return {
    ...wordRows,
    ...{ shared, forget, replace, byRows },
    *insert(values) {
      const row = yield* insert(values);
      if (row === undefined) return undefined;
      yield* counted.run(values.audience);
      yield* index(row, values);
      yield* words.added();
      return row;
    },
    *takeClosed({ audience: of, contentHash }) {
      const known = yield* ofContent.get(of, contentHash);
      if (known?.isClosed !== 1) return undefined;
      yield* replace(known.row);
      return known.id;
    },
    *forgetSource(sourceKey) {
      for (const row of yield* rowsOf.all(sourceKey)) yield* forget(row);
    },
    rowsOf: (sourceKey) => rowsOf.all(sourceKey),
    sourceSeenAgain: (sourceKey, at) => sourceSaidAgain.run(Math.round(at), sourceKey),
    idsOfSource: (sourceKey) => idsOfSource.all(sourceKey),
    *seenAgain({ audience: of, contentHash, at, restricted }) {
      const { id, isClosed } = (yield* ofContent.get(of, contentHash)) ?? {};
      // an UPDATE that meets no row makes FTS5 write out what it gathered all the same: its triggers need a savepoint
      if (id !== undefined && (isClosed === 1 || !restricted)) yield* saidAgain.run(at, id);
      return id;
    },
    *speakers(names, readable) {
      const known = new Map<string, string>();
      for (const name of names) {
        const query = { type: 'word', in: 'about', word: stemIn('en', name) } as const;
        const rows = yield* words.rowsWith(query, readable, 3);
        const of = (yield* byRows(rows, readable)).find(({ speaker }) => plainWords(speaker).includes(name));
        if (of !== undefined) known.set(name, of.speaker);
      }
      return known;
    },
    *around({ row, sessionID, source }, reach, { parameters }) {
      const at = { ...parameters, row, session: sessionID, source, reach };
      return [...(yield* before.all(at)).reverse(), row, ...(yield* after.all(at))];
    },
    *inOrder(rows, readable) {
      const byRow = new Map((yield* byRows(rows, readable)).map((chunk) => [chunk.row, chunk]));
      return rows.flatMap((row) => byRow.get(row) ?? []);
    },
    *knows(word) {
      return (yield* holding.get({ word })) !== undefined;
    },
    *count() {
      return (yield* count.get()) ?? 0;
    },
  };
}
