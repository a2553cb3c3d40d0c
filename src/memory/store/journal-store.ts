// What the journal reads and changes on either engine, and where work on it runs.
import type { SqlStorage } from '#base/sql/sql.ts';
import type { StoreWork } from './store-work.ts';

export interface JournalStore
  extends Pick<
    StoreWork,
    ('sql' | 'audit' | 'forgotten' | 'journal' | 'journalPassages' | 'forget') | ('records' | 'governance')
  > {
  storage: SqlStorage;
  /** As `GovernedStore` has it. */
  leaveNoTrace(): Promise<void>;
}
