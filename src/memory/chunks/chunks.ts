// The statements over chunks and their full text. Every read of what people said takes a `Readable`.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { audiencePredicate, languageWord, largeShare, type ScopeFilter } from '#memory/tables/audience.ts';
import type { Audience } from '#memory/types/scope.ts';
import { joinsWords, type StemmedLanguage, stemIn, stemmedLanguages } from '#memory/words/languages.ts';
import { plainWords } from '#memory/words/tokens.ts';
import {
  type Chunk,
  type ChunkRow,
  chunkColumns,
  type FoundChunk,
  type FoundRow,
  foundColumns,
  fromRow,
  type Source,
  toRow,
} from './chunk-row.ts';

export interface Chunks {
  /** Inserts the chunk and its full text; its row. */
  insert(chunk: Chunk): number;
  /** The same as one of many, unless this audience holds its content: then undefined. */
  insertNew(chunk: Chunk): number | undefined;
  /** Removes the chunk with its full text; its vector is the index's to remove. */
  remove(row: number): void;
  /** Ids of the pieces of an exchange that is known already, in order. */
  idsOfSource(sourceKey: string): string[];
  /** The id of the chunk with this content in this audience, noting when it was written again. */
  seenAgain(said: { audience: Audience; contentHash: string; at: number }): string | undefined;
  /** Rows inside the scope that hold the full-text expression, newest first, at most `limit`. */
  rowsWith(expression: string, readable: ScopeFilter, limit: number): number[];
  /**
   * For each word, as the full-text expressions that find it, the rows inside the scope that fulfil one of them, newest first; of very
   * many the newest, and about how many there are. `total` is about how many rows the scope reads.
   */
  holding(words: readonly (readonly string[])[], within: { readable: ScopeFilter; total: number }): Posting[];
  /** Those of these words that name a speaker in the scope, with the speaker's whole name. */
  speakers(words: readonly string[], readable: ScopeFilter): Map<string, string>;
  /** The languages next to English that there are in the scope. */
  languages(readable: ScopeFilter): StemmedLanguage[];
  /** About how many rows the scope reads. */
  total(readable: ScopeFilter): number;
  /** Plain indexed words of any scope that open with these letters: for finding what a misspelt word may have meant. Never shown. */
  wordsWith(opening: string): string[];
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
  /** The number of the newest row; at least as large as how many there are. */
  newest(): number;
}

/** The rows of a scope that hold a word. */
export interface Posting {
  rows: readonly number[];
  count: number;
}

/** Columns whose words a query may meet; the scope's words are not among them. */
export const searched = '{said_terms answered_terms about_terms}';
/** Rows of one word that are read, newest first: a word in more rows than this distinguishes little. */
const maxRows = 2_000;

/** A word as a full-text string that no syntax can be read into. */
export function quoted(word: string): string {
  return `"${word.replaceAll('\u0000', '').replaceAll('"', '""')}"`;
}

/** Full-text expressions that find a word by its form in each language; languages that look for the same share one. English is what has no separate language. */
export function expressionsFor(forms: readonly (readonly [StemmedLanguage, string])[]): string[] {
  const asked = Map.groupBy(forms, ([language, form]) => {
    const begins = joinsWords(language) && form.length >= minBegun ? ' *' : '';
    return `${searched} : ${quoted(form)}${begins}`;
  });
  return [...asked].map(([held, of]) => {
    const words = of.map(([language]) => `"${languageWord(language)}"`);
    return of.some(([language]) => language === 'en')
      ? held
      : `(${held} AND {scope_terms} : (${words.join(' OR ')}))`;
  });
}

const otherLanguages = stemmedLanguages.filter((language) => language !== 'en');

/** Letters of a word that others may begin with, where two words are written as one. */
const minBegun = 5;

/** The statements over one open database. */
export function createChunks(database: Sqlite): Chunks {
  const columns = chunkColumns.join(', ');
  const into = `INTO global_memory_chunks (${columns}) VALUES (${chunkColumns.map(() => '?').join(', ')})`;
  const insert = database.prepare<unknown[]>(`INSERT ${into}`);
  const insertNew = database.prepare<unknown[]>(
    `INSERT ${into} ON CONFLICT (audience, content_hash) DO NOTHING`,
  );
  // no trigger does this: with one, full text is written out again for each row
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
  const allMatching = database
    .prepare<[string], number>('SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ?')
    .pluck();
  const found = database.prepare<[object], FoundRow>(
    `SELECT row, ${foundColumns.join(', ')} FROM global_memory_chunks
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
  const newest = database.prepare<[], number | null>('SELECT max(row) FROM global_memory_chunks').pluck();
  const words = database
    .prepare<[string, string], string>('SELECT term FROM global_memory_words WHERE term >= ? AND term < ?')
    .pluck();
  /** Of very many rows the newest are as dense as all. */
  const estimated = (expression: string): Posting => {
    const rows = matching.all(expression, maxRows);
    if (rows.length < maxRows) return { rows, count: rows.length };
    const last = newest.get() ?? 0;
    const seen = Math.max(1, last - (rows.at(-1) ?? 0));
    return { rows, count: Math.max(rows.length, Math.round((rows.length * last) / seen)) };
  };
  const languagesOf = database
    .prepare<[string], string>(
      'SELECT DISTINCT language FROM global_memory_chunks WHERE row IN (SELECT value FROM json_each(?))',
    )
    .pluck();
  const count = database.prepare<[], number>('SELECT count(*) FROM global_memory_chunks').pluck();

  return {
    insert(chunk) {
      const values = toRow(chunk);
      return indexed(Number(insert.run(inOrder(values)).lastInsertRowid), values);
    },
    insertNew(chunk) {
      const values = toRow(chunk);
      const { changes, lastInsertRowid } = insertNew.run(inOrder(values));
      return changes === 0 ? undefined : indexed(Number(lastInsertRowid), values);
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
    holding(words, { readable: { match }, total }) {
      const nowhere: Posting = { rows: [], count: 0 };
      if (match === undefined) return words.map(() => nowhere);
      const asked = words.map((forms) => forms.join(' OR '));
      const inScope = (expression: string): Posting =>
        expression === '' ? nowhere : estimated(`(${expression}) AND ${match}`);
      // a large scope is walked through once for all words: to do it for each takes most of a question
      if (total < largeShare * (newest.get() ?? 0)) return asked.map(inScope);
      const anywhere = asked.map((expression) =>
        expression === '' ? [] : matching.all(expression, maxRows),
      );
      const few = asked.filter((_, index) => (anywhere[index]?.length ?? 0) % maxRows > 0);
      const readable = new Set(few.length === 0 ? [] : allMatching.all(`(${few.join(' OR ')}) AND ${match}`));
      return asked.map((expression, index) => {
        const rows = anywhere[index] ?? [];
        if (rows.length === maxRows) return inScope(expression);
        const left = rows.filter((row) => readable.has(row));
        return { rows: left, count: left.length };
      });
    },
    speakers(names, readable) {
      const found = new Map<string, string>();
      for (const name of readable.match === undefined ? [] : names) {
        const rows = matching.all(`{about_terms} : ${quoted(stemIn('en', name))} AND ${readable.match}`, 3);
        const of = this.byRows(rows, readable).find(({ speaker }) => plainWords(speaker).includes(name));
        if (of !== undefined) found.set(name, of.speaker);
      }
      return found;
    },
    languages: ({ match }) => {
      if (match === undefined) return [];
      const inScope = (among: readonly StemmedLanguage[], most: number): number[] =>
        matching.all(
          `{scope_terms} : (${among.map((one) => `"${languageWord(one)}"`).join(' OR ')}) AND ${match}`,
          most,
        );
      // most memories are in English: one look instead of one for each language
      const rows = inScope(otherLanguages, maxRows);
      if (rows.length === maxRows) return otherLanguages.filter((one) => inScope([one], 1).length > 0);
      const there = new Set(languagesOf.all(JSON.stringify(rows)));
      return otherLanguages.filter((language) => there.has(language));
    },
    total: ({ match }) => (match === undefined ? 0 : estimated(match).count),
    wordsWith: (opening) => words.all(opening, `${opening}~`),
    around({ row, sessionID, source }, reach, { parameters }) {
      const at = { ...parameters, row, session: sessionID, source, reach };
      return [...(before?.all(at) ?? []).reverse(), row, ...(after?.all(at) ?? [])];
    },
    byRows: (rows, readable) =>
      found.all({ ...readable.parameters, rows: JSON.stringify(rows) }).map(fromRow),
    inOrder(rows, readable) {
      const byRow = new Map(this.byRows(rows, readable).map((chunk) => [chunk.row, chunk]));
      return rows.flatMap((row) => byRow.get(row) ?? []);
    },
    knows: (word) => holding.get({ word }) !== undefined,
    count: () => count.get() ?? 0,
    newest: () => newest.get() ?? 0,
  };
}

/** `toRow` writes the columns in the order of `chunkColumns`; to look each up by its name takes as long as to bind it. */
function inOrder(values: ChunkRow): ChunkRow[keyof ChunkRow][] {
  return Object.values(values);
}
