// The words of sessions, conversations and artifacts: indexed in the transaction that writes them, and searched so that all must occur.

import { memoize } from '#base/caches/memoize.ts';
import { ParleyError } from '#base/errors.ts';
import type { Sql, SqlDialect } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
import { withinRepeats } from './full-text-words.ts';
import { heldWords, soughtWords, stemsOf } from './tokens.ts';

export type DocumentKind = 'session' | 'conversation' | 't4';

export interface JournalWords {
  /** Indexes these texts, in the place of what the entry had. */
  set(kind: DocumentKind, entryID: string, texts: readonly string[]): Work<unknown>;
  /** Adds a text to what the entry has. */
  add(kind: DocumentKind, entryID: string, text: string): Work<unknown>;
  remove(entryID: string): Work<unknown>;
}

/** PostgreSQL's index takes 2,704 bytes of a word; letters take four at most, and a longer number is known by its beginning. */
const maxLetters = 500;
const known = (word: string): string => (word.length > maxLetters ? word.slice(0, maxLetters) : word);

/** The index of one database. */
export function createWords(sql: Sql): JournalWords {
  const put = sql.prepare<[object], never>(
    `INSERT INTO journal_documents (entry_id, kind, words, stems) VALUES (@entryID, @kind, @words, @stems)
     ON CONFLICT (entry_id) DO UPDATE SET words = @words, stems = @stems`,
  );
  const held = sql.prepare<[string], { words: string; stems: string }>(
    'SELECT words, stems FROM journal_documents WHERE entry_id = ?',
  );
  const remove = sql.prepare<[string], never>('DELETE FROM journal_documents WHERE entry_id = ?');
  const formsOf = memoize(20_000, stemsOf);
  const indexed = (texts: readonly string[], before = { words: '', stems: '' }) => {
    const words = texts.flatMap(heldWords).map(known);
    const stems = new Set(
      [...before.stems.split(' '), ...words.flatMap(formsOf)].filter((stem) => stem !== ''),
    );
    const [all = ''] = withinRepeats([[before.words, ...words].join(' ').trim()]);
    return { words: all, stems: [...stems].join(' ') };
  };
  return {
    set: (kind, entryID, texts) => put.run({ entryID, kind, ...indexed(texts) }),
    *add(kind, entryID, text) {
      yield* put.run({ entryID, kind, ...indexed([text], yield* held.get(entryID)) });
    },
    remove: (entryID) => remove.run(entryID),
  };
}

/** The condition under which an entry holds all words of the query. Throws `invalid_journal` for a query without words. */
export function holdsAll(
  { name }: Pick<SqlDialect, 'name'>,
  kind: DocumentKind,
  { query, mode }: { query: string; mode: 'exact' | 'forms' },
): { sql: string; values: Record<string, string | readonly string[]> } {
  const words = [...new Set(soughtWords(query))].map(known);
  if (words.length === 0)
    throw new ParleyError(
      'invalid_journal',
      `query: expected at least one word, received ${JSON.stringify(query)}.`,
      { hint: 'Search for the words that must occur.' },
    );
  // a word is another form of one that has a stem in common with it, in whichever language
  const terms = words.map((word) => (mode === 'exact' ? [word] : stemsOf(word)));
  return name === 'sqlite' ? inFullText(kind, mode, terms) : inArrays(kind, mode, terms);
}

type Terms = readonly (readonly string[])[];

function inFullText(kind: DocumentKind, mode: 'exact' | 'forms', terms: Terms) {
  const column = mode === 'exact' ? 'words' : 'stems';
  const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;
  return {
    sql: `id IN (SELECT entry_id FROM journal_words JOIN journal_documents ON journal_documents.row = journal_words.rowid
      WHERE journal_words MATCH @match AND kind = @kind)`,
    values: {
      kind,
      match: `{${column}} : (${terms.map((forms) => `(${forms.map(quoted).join(' OR ')})`).join(' AND ')})`,
    },
  };
}

function inArrays(kind: DocumentKind, mode: 'exact' | 'forms', terms: Terms) {
  const held =
    mode === 'exact'
      ? 'held_words @> @words::text[]'
      : terms.map((_, index) => `held_stems && @forms${index}::text[]`).join(' AND ');
  const forms = terms.map((each, index) => [`forms${index}`, each] as const);
  return {
    sql: `id IN (SELECT entry_id FROM journal_documents WHERE kind = @kind AND ${held})`,
    values: { kind, ...(mode === 'exact' ? { words: terms.flat() } : Object.fromEntries(forms)) },
  };
}
