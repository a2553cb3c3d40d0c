// The records and the audit of either engine, and where work on them runs.
import type { SqlStorage } from '#base/sql/sql.ts';
import type { StoreWork } from './store-work.ts';

export interface GovernedStore
  extends Pick<StoreWork, 'governance' | 'audit' | 'signals' | 'knowledge' | 'responses' | 'records'> {
  storage: SqlStorage;
  /** Takes what was overwritten or removed out of the files, where they are this program's. */
  leaveNoTrace(): Promise<void>;
}
