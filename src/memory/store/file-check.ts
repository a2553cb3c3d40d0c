// Looking through the file of the memory: whether its parts fit together, and what of a word may be left in it.
import { existsSync } from 'node:fs';
import { errorMessage } from '#base/errors.ts';
import { fileOf, type Sqlite } from '#base/sqlite/sqlite.ts';
import { counted } from '#base/text.ts';
import { storedPassages } from '#memory/chunks/shared-passages.ts';
import type { Knowledge } from '#memory/records/knowledge.ts';
import { isLockedError } from '#memory/tables/retry-while-locked.ts';
import type { DerivedData } from '#memory/vectors/derived-data.ts';

export interface FileCheck {
  /** What does not fit together, as text. Throws SQLite's own error while another process writes. */
  problems(): string[];
  /** Whether a word, in lower case, is in the file by right: in its schema, in what names the places of other entries, in the journal, or in the audit. */
  isNamed(word: string): boolean;
  /** The files that hold the memory now. */
  files(): string[];
}

/** The full-text tables of the file. */
export const fullTexts = ['global_memory_fts', 'memory_records_fts', 'journal_words'];

/** Over one open database. */
export function createFileCheck(parts: {
  database: Sqlite;
  derived: Pick<DerivedData, 'orphans' | 'incomparable'>;
  knowledge: Pick<Knowledge, 'orphans'>;
}): FileCheck {
  const { database, derived, knowledge } = parts;
  const named = database
    .prepare<{ word: string }, number>(
      `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE instr(lower(sql), @word))
         OR EXISTS (SELECT 1 FROM global_memory_chunks
           WHERE instr(lower(platform || ' ' || speaker || ' ' || person || ' ' || chat || ' ' || audience), @word))
         OR EXISTS (SELECT 1 FROM memory_shared_passages WHERE instr(lower(place), @word))
         OR EXISTS (SELECT 1 FROM memory_audit WHERE instr(lower(actor || ' ' || action || ' ' || audience), @word))
         OR EXISTS (SELECT 1 FROM journal_documents WHERE instr(words, @word))
         OR EXISTS (SELECT 1 FROM lessons WHERE instr(lower(task_type || ' ' || lesson || ' ' || tags), @word))
         OR EXISTS (SELECT 1 FROM touchstones
           WHERE instr(lower(title || ' ' || fact || ' ' || texture || ' ' || why_it_matters), @word))
         OR EXISTS (SELECT 1 FROM build_records WHERE instr(lower(title || ' ' || summary), @word))`,
    )
    .pluck();

  const incompleteFiles = database
    .prepare<[], number>(
      `SELECT count(*) FROM memory_sources WHERE content_hash <> '' AND chunks <> ${storedPassages}`,
    )
    .pluck();

  return {
    isNamed: (word) => named.get({ word }) === 1,
    problems() {
      const found: string[] = [];
      try {
        for (const index of fullTexts)
          database.exec(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`);
      } catch (error) {
        // For SQLite this check is a write: another process that writes says nothing about the full text.
        if (isLockedError(error)) throw error;
        found.push(`the full text does not fit the chunks (${errorMessage(error)})`);
      }
      const check = database.pragma('quick_check', { simple: true });
      // what is wrong with full text is written above
      if (check !== 'ok' && !String(check).startsWith('fts5:'))
        found.push(`the file is damaged (${String(check)})`);
      const orphans = derived.orphans();
      if (orphans > 0) found.push(`${orphans} vectors have no chunk: "parley memory reindex" removes them`);
      const damaged = derived.incomparable();
      if (damaged > 0)
        found.push(
          `numbers of ${counted(damaged, 'vector')} are not finite: "parley memory reindex" has them made again`,
        );
      const incomplete = incompleteFiles.get() ?? 0;
      if (incomplete > 0)
        found.push(`of ${counted(incomplete, 'imported file')} passages are missing: import them again`);
      const adrift = knowledge.orphans();
      if (adrift > 0) found.push(`${adrift} items of knowledge have no record`);
      return found;
    },
    files: () =>
      ['', '-wal', '-shm'].map((end) => `${fileOf(database)}${end}`).filter((path) => existsSync(path)),
  };
}
