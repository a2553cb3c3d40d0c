// What the operations of the journal work with, inside the caller's transaction: rows and words of one database, and its audit.

import type { z } from 'zod';
import type { NewId } from '#base/ids.ts';
import type { Work } from '#base/sql/work.ts';
import type { JournalPassageWork } from '#memory/chunks/journal-passages.ts';
import { createQuestions, type QuestionWork } from '#memory/records/questions.ts';
import type { GovernanceWork } from '#memory/records/record-writer.ts';
import type { RecordWork } from '#memory/records/records.ts';
import type { JournalStore } from '#memory/store/journal-store.ts';
import type { AuditWork } from '#memory/tables/audit.ts';
import { createIsForgotten, createUnbury, type IsForgotten } from '#memory/tables/tombstones.ts';
import type { JournalCaller } from '#memory/types/journal.ts';
import type { journalInputs as inputs } from '#memory/types/journal-input.ts';
import { entryHash } from '#memory/words/content-hash.ts';
import { createWords, type JournalWords } from '#memory/words/journal-words.ts';
import { createIndexEntry, type IndexEntry } from './index-entry.ts';
import { createJournalPlaces, type JournalPlaces } from './places.ts';
import { createRows, type JournalRows } from './rows.ts';

export interface JournalParts {
  rows: JournalRows;
  words: JournalWords;
  passages: JournalPassageWork;
  index: IndexEntry;
  places: JournalPlaces;
  audit: AuditWork;
  questions: QuestionWork;
  /** The records that questions ask about. */
  records: Pick<RecordWork, 'history'>;
  choose: GovernanceWork['choose'];
  forgottenWords: ForgottenWords;
}

/** What was forgotten in an audience. */
interface ForgottenWords {
  has: IsForgotten;
  /** Takes the mark of an entry's words away, since they are stored again; whether they had one. */
  restored(caller: JournalCaller, entry: Readonly<Record<string, unknown>>): Work<boolean>;
}

/** What the schema of an operation gives. */
export type CheckedInput<Name extends keyof typeof inputs> = z.output<(typeof inputs)[Name]>;

/** The parts over one store. */
export function createJournalParts(
  { sql, audit, records, governance, journalPassages: passages }: JournalStore,
  { newId, now }: { newId: NewId; now: () => number },
): JournalParts {
  const words = createWords(sql);
  const questions = createQuestions(sql);
  const has = createIsForgotten(sql);
  const unbury = createUnbury(sql);
  return {
    rows: createRows({ sql, newId, now }),
    ...{ words, passages, questions, audit, records, choose: governance.choose },
    index: createIndexEntry({ sql, words, passages, questions }),
    places: createJournalPlaces(sql),
    forgottenWords: {
      has,
      *restored({ where: { audience, partition } }, entry) {
        const said = { audience, contentHash: entryHash(entry, partition) };
        if (!(yield* has(said))) return false;
        yield* unbury(said);
        return true;
      },
    },
  };
}
