// One process to a home folder: two gateways on the same ledger would answer everything twice.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { codeOf, ParleyError } from '#base/errors.ts';
import { ensureFolder } from '#base/files.ts';

export interface HomeLock {
  release(): void;
}

/** Holds the home folder until released; the system releases it when the process dies, however it dies. */
export function lockHome(home: string): HomeLock {
  ensureFolder(home);
  const database = new Database(join(home, 'lock.sqlite'), { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if (codeOf(cause) !== 'SQLITE_BUSY') throw cause;
    throw new ParleyError('home_in_use', `Another Parley is running with the home folder ${home}.`, {
      cure: 'Stop it first, or give this one a folder of its own with PARLEY_HOME.',
      cause,
    });
  }
  return { release: () => database.close() };
}
