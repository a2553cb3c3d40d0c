// What the operations of the journal work with: rows and words of one open database, and its audit.
import type { z } from 'zod';
import type { Audit } from '#memory/tables/audit.ts';
import type { JournalWords } from '#memory/words/journal-words.ts';
import type { inputs } from './input.ts';
import type { JournalRows } from './rows.ts';

export interface JournalParts {
  rows: JournalRows;
  words: JournalWords;
  audit: Audit;
}

/** What the schema of an operation gives. */
export type CheckedInput<Name extends keyof typeof inputs> = z.output<(typeof inputs)[Name]>;
