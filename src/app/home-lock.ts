// One process to a home folder: two gateways on the same ledger would answer everything twice.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ParleyError, wordsOf } from '#base/errors.ts';
import { ensureFolder } from '#base/files.ts';
import { storageCodeOf, storageCure } from '#base/storage.ts';

export interface HomeLock {
  release(): void;
}

/** Holds the home folder until released; the system releases it when the process dies, however it dies. */
export function lockHome(home: string): HomeLock {
  ensureFolder(home);
  const path = join(home, 'lock.sqlite');
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: 0 });
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (cause) {
    database?.close();
    const code = storageCodeOf(cause);
    if (code === undefined) throw cause;
    if (!code.startsWith('SQLITE_BUSY')) throw unusable(path, cause);
    throw new ParleyError('home_in_use', `Another Parley is running with the home folder ${home}.`, {
      cure: 'Stop it first, or give this one a folder of its own with PARLEY_HOME.',
      cause,
    });
  }
  const held = database;
  return { release: () => held.close() };
}

function unusable(path: string, cause: unknown): ParleyError {
  const code = storageCodeOf(cause);
  const damaged = code === 'SQLITE_NOTADB' || code?.startsWith('SQLITE_CORRUPT') === true;
  return new ParleyError('home_unusable', `The home folder cannot be locked (${path}): ${wordsOf(cause)}.`, {
    cure: damaged ? 'The file holds nothing: delete it and start again.' : storageCure(code),
    cause,
  });
}
