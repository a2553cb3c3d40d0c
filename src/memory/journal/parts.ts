// What the operations of the journal work with: rows and words of one open database, and its audit.
import type { z } from 'zod';
import type { Audit } from '#memory/store/audit.ts';
import type { JournalPassages } from '#memory/store/journal-passages.ts';
import type { JournalWords } from '#memory/store/journal-words.ts';
import type { journalInputs as inputs } from '#memory/types/journal-input.ts';
import type { JournalRows } from './rows.ts';

export interface JournalParts {
  rows: JournalRows;
  words: JournalWords;
  passages: JournalPassages;
  audit: Audit;
}

/** What the schema of an operation gives. */
export type CheckedInput<Name extends keyof typeof inputs> = z.output<(typeof inputs)[Name]>;
