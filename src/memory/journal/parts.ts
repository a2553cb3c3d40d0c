// What the operations of the journal work with: rows and words of one open database, and its audit.

import type { z } from 'zod';
import type { Synchronous } from '#base/sql/work.ts';
import type { JournalPassages } from '#memory/chunks/journal-passages.ts';
import type { Questions } from '#memory/records/questions.ts';
import type { Governance } from '#memory/records/record-writer.ts';
import type { Records } from '#memory/records/records.ts';
import type { Audit } from '#memory/tables/audit.ts';
import type { IsForgotten } from '#memory/tables/tombstones.ts';
import type { JournalCaller } from '#memory/types/journal.ts';
import type { journalInputs as inputs } from '#memory/types/journal-input.ts';
import type { JournalWords } from '#memory/words/journal-words.ts';
import type { IndexEntry } from './index-entry.ts';
import type { JournalPlaces } from './places.ts';
import type { JournalRows } from './rows.ts';

export interface JournalParts {
  rows: JournalRows;
  words: JournalWords;
  passages: JournalPassages;
  index: IndexEntry;
  places: JournalPlaces;
  audit: Audit;
  questions: Questions;
  /** The records that questions ask about. */
  records: Pick<Records, 'history'>;
  choose: Governance['choose'];
  /** What was forgotten in an audience. */
  forgottenWords: Synchronous<{ has: IsForgotten }> & {
    /** Takes the mark of an entry's words away, since they are stored again; whether they had one. */
    restored(caller: JournalCaller, entry: Readonly<Record<string, unknown>>): boolean;
  };
}

/** What the schema of an operation gives. */
export type CheckedInput<Name extends keyof typeof inputs> = z.output<(typeof inputs)[Name]>;
