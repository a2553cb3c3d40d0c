// What the journal reads and changes on either engine, and where work on it runs.
import type { SqlStorage } from '#base/sql/sql.ts';
import type { StoreWork } from './store-work.ts';

export interface JournalStore
  extends Pick<
    StoreWork,
    ('sql' | 'audit' | 'forgotten' | 'journal' | 'journalPassages' | 'forget') | ('records' | 'governance')
  > {
  storage: SqlStorage;
  /** As `storage.write`, for work that writes one statement: where that is a transaction by itself, it has no other. */
  writeOne: SqlStorage['write'];
  /** As `GovernedStore` has it. */
  leaveNoTrace(): Promise<void>;
}
