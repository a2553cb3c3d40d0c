// The words of sessions, conversations and artifacts: indexed in the transaction that writes them, and searched so that all must occur.

import { memoize } from '#base/caches/memoize.ts';
import { ParleyError } from '#base/errors.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { withinRepeats } from './full-text-words.ts';
import { heldWords, soughtWords, stemsOf } from './tokens.ts';

/** Words as they are written, or any form of them. */
export type SearchMode = 'exact' | 'forms';

export type DocumentKind = 'session' | 'conversation' | 't4';

export interface JournalWords {
  /** Indexes these texts, in the place of what the entry had. */
  set(kind: DocumentKind, entryID: string, texts: readonly string[]): void;
  /** Adds a text to what the entry has. */
  add(kind: DocumentKind, entryID: string, text: string): void;
  remove(entryID: string): void;
}

/** The index of one open database. */
export function createWords(database: Sqlite): JournalWords {
  const put = database.prepare<[object]>(
    `INSERT INTO journal_documents (entry_id, kind, words, stems) VALUES (@entryID, @kind, @words, @stems)
     ON CONFLICT (entry_id) DO UPDATE SET words = @words, stems = @stems`,
  );
  const held = database.prepare<[string], { words: string; stems: string }>(
    'SELECT words, stems FROM journal_documents WHERE entry_id = ?',
  );
  const remove = database.prepare<[string]>('DELETE FROM journal_documents WHERE entry_id = ?');
  const formsOf = memoize(20_000, stemsOf);
  const indexed = (texts: readonly string[], before = { words: '', stems: '' }) => {
    const words = texts.flatMap(heldWords);
    const stems = new Set(
      [...before.stems.split(' '), ...words.flatMap(formsOf)].filter((stem) => stem !== ''),
    );
    const [all = ''] = withinRepeats([[before.words, ...words].join(' ').trim()]);
    return { words: all, stems: [...stems].join(' ') };
  };
  return {
    set: (kind, entryID, texts) => void put.run({ entryID, kind, ...indexed(texts) }),
    add: (kind, entryID, text) => void put.run({ entryID, kind, ...indexed([text], held.get(entryID)) }),
    remove: (entryID) => void remove.run(entryID),
  };
}

/** The condition under which an entry holds all words of the query. Throws `invalid_journal` for a query without words. */
export function holdsAll(
  kind: DocumentKind,
  query: string,
  mode: SearchMode,
): { sql: string; values: Record<string, string> } {
  const words = [...new Set(soughtWords(query))];
  if (words.length === 0)
    throw new ParleyError(
      'invalid_journal',
      `query: expected at least one word, received ${JSON.stringify(query)}.`,
      { hint: 'Search for the words that must occur.' },
    );
  // a word is another form of one that has a stem in common with it, in whichever language
  const terms = words.map((word) => (mode === 'exact' ? [word] : stemsOf(word)));
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
