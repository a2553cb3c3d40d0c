// How rows are found by their words in PostgreSQL: each row's words in a tsvector under GIN, which holds them as SQLite's full text does.
import type { Sql } from '#base/sql/sql.ts';
import { Answered, type Work } from '#base/sql/work.ts';
import { languageWord, type ScopeFilter } from '#memory/tables/audience.ts';
import { markedWord, tsQueryOf } from '#memory/tables/ts-words.ts';
import { allOf, anyOf, scopeWord, type WordQuery } from '#memory/tables/word-query.ts';
import { fullTextWords } from '#memory/words/full-text-words.ts';
import { type StemmedLanguage, stemmedLanguages } from '#memory/words/languages.ts';
import { maxRowsOfWord, type Posting, postingOf, type RowWords, type WordWork } from './word-rows.ts';

const otherLanguages = stemmedLanguages.filter((language) => language !== 'en');

/** Over one database. */
export function createPostgresWords(sql: Sql): WordWork {
  const write = sql.prepare<[object], never>(
    `INSERT INTO memory_chunk_words (row, words) VALUES (@row, array_to_tsvector(@words::text[]))
     ON CONFLICT (row) DO UPDATE SET words = excluded.words`,
  );
  const learn = sql.prepare<[readonly string[]], never>(
    'INSERT INTO memory_words (word) SELECT unnest(?::text[]) ON CONFLICT (word) DO NOTHING',
  );
  // a word as it is marked, in the quotes of a tsquery
  const asked = `('''' || replace(replace('${markedWord('text', '')}' || word, '\\', '\\\\'), '''', '''''') || '''')::tsquery`;
  const unlearn = sql.prepare<[object], never>(
    `DELETE FROM memory_words WHERE word IN (SELECT substr(lexeme, 2) FROM memory_chunk_words, unnest(words)
       WHERE row = @row AND lexeme LIKE '${markedWord('text', '%')}')
       AND NOT EXISTS (SELECT 1 FROM memory_chunk_words AS other WHERE other.row <> @row AND other.words @@ ${asked})`,
  );
  const rowsOf = sql.pluck<[object], number>(
    'SELECT row FROM memory_chunk_words WHERE words @@ @query::tsquery ORDER BY row DESC LIMIT @limit',
  );
  const rowsOfEach = sql.prepare<[object], { place: number; row: number }>(
    `SELECT place, found.row FROM unnest(@queries::text[]) WITH ORDINALITY AS asked (query, place),
       LATERAL (SELECT row FROM memory_chunk_words WHERE words @@ asked.query::tsquery ORDER BY row DESC LIMIT @limit) AS found
     ORDER BY place, found.row DESC`,
  );
  const newest = sql.pluck<[], number | null>('SELECT max(row) FROM global_memory_chunks');
  const opening = sql.pluck<[string, string], string>(
    'SELECT word FROM memory_words WHERE word >= ? AND word < ? ORDER BY word',
  );

  const rowsWith = (query: WordQuery, { query: scope }: ScopeFilter, limit: number): Work<number[]> =>
    scope === undefined
      ? new Answered([])
      : rowsOf.all({ query: tsQueryOf(allOf([query, scope])), limit: Math.min(limit, maxLimit) });
  function* index(row: number, words: RowWords): Work<void> {
    const { text, all } = wordsOf(words);
    yield* write.run({ row, words: all });
    yield* learn.run(text);
  }
  function* postings(rows: readonly (readonly number[])[]): Work<Posting[]> {
    // how dense the newest are is asked for only where there are very many
    const last = rows.some(({ length }) => length >= maxRowsOfWord) ? ((yield* newest.get()) ?? 0) : 0;
    return rows.map((each) => postingOf(each, last));
  }
  return {
    index,
    rewritten: index,
    *changes(row) {
      yield* unlearn.run({ row });
    },
    added: () => nothing,
    changed: () => nothing,
    rowsWith,
    *holding(asked, { readable: { query: scope } }) {
      if (scope === undefined || asked.length === 0) return asked.map(() => ({ rows: [], count: 0 }));
      const queries = asked.map((query) => tsQueryOf(allOf([query, scope])));
      const rows = queries.map((): number[] => []);
      for (const { place, row } of yield* rowsOfEach.all({ queries, limit: maxRowsOfWord }))
        rows[place - 1]?.push(row);
      return yield* postings(rows);
    },
    *languages({ readable }) {
      const isThere = (among: readonly StemmedLanguage[]): Work<number[]> =>
        rowsWith(anyOf(among.map((one) => scopeWord(languageWord(one)))), readable, 1);
      // most memories are in English: one look instead of one for each language
      if ((yield* isThere(otherLanguages)).length === 0) return [];
      const there: StemmedLanguage[] = [];
      for (const one of otherLanguages) if ((yield* isThere([one])).length > 0) there.push(one);
      return there;
    },
    *total({ query }) {
      if (query === undefined) return 0;
      const [posting] = yield* postings([
        yield* rowsOf.all({ query: tsQueryOf(query), limit: maxRowsOfWord }),
      ]);
      return posting?.count ?? 0;
    },
    wordsWith: (letters) => opening.all(letters, `${letters}~`),
    *newest() {
      return (yield* newest.get()) ?? 0;
    },
  };
}

/** No selection has more rows, and PostgreSQL takes no larger limit than a number of 64 bits. */
const maxLimit = Number.MAX_SAFE_INTEGER;

const nothing = new Answered(undefined);

/** The words of a row with their marks, and those of its texts without. */
function wordsOf({ said_terms, answered_terms, about_terms, scope_terms }: RowWords): {
  text: string[];
  all: string[];
} {
  const about = fullTextWords(about_terms);
  const text = [...new Set([...about, ...fullTextWords(said_terms), ...fullTextWords(answered_terms)])];
  return {
    text: text.map((word) => markedWord('text', word).slice(1)),
    all: [
      ...text.map((word) => markedWord('text', word)),
      ...[...about].map((word) => markedWord('about', word)),
      ...[...fullTextWords(scope_terms)].map((word) => markedWord('scope', word)),
    ],
  };
}
