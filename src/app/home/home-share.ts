// What reads or writes the databases of a home folder without a role in it, and the restore that exchanges them: never at once.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ParleyError } from '#base/errors.ts';
import { storageCodeOf } from '#base/files/disk-failures.ts';
import { closeToOthers } from '#base/files/files.ts';
import { type HomeLock, refuseUnfinished } from './home-lock.ts';

const fileName = 'restore-lock.sqlite';
/** How long one waits for the other, in milliseconds: most commands, and the exchange of a restore, take less. */
const waitMs = 5_000;

/**
 * Shares the home folder with all but a restore, until released. A command that opened a database while a restore moves its files would
 * open half of the old ones and half of the new ones. Throws a ParleyError `home_in_use` when a restore does not end within 5 s, and
 * `restore_unfinished` when one was cut off. A home folder that does not exist is shared by nobody.
 */
export function shareHome(home: string, timeoutMs = waitMs): HomeLock {
  if (!existsSync(home)) return { release() {} };
  const lock = held(home, 'BEGIN; SELECT count(*) FROM sqlite_schema', timeoutMs);
  if (lock === 'refused')
    throw new ParleyError('home_in_use', `A restore works in the home folder ${home}.`, {
      hint: 'Wait until it has ended, then call this again.',
    });
  try {
    refuseUnfinished(home);
  } catch (error) {
    lock.release();
    throw error;
  }
  return lock;
}

/**
 * Locks the home folder against all commands that share it, until released. Throws a ParleyError `home_in_use` when they do not end
 * within `timeoutMs` (5 s when absent).
 */
export function keepHome(home: string, timeoutMs = waitMs): HomeLock {
  const lock = held(home, 'BEGIN EXCLUSIVE', timeoutMs);
  if (lock !== 'refused') return lock;
  throw new ParleyError('home_in_use', `Another command of Parley works in the home folder ${home}.`, {
    hint: 'Wait until it has ended, then call this again.',
  });
}

function held(home: string, sql: string, timeout: number): HomeLock | 'refused' {
  let database: Database.Database | undefined;
  try {
    database = new Database(join(home, fileName), { timeout });
    closeToOthers(join(home, fileName));
    database.exec(`PRAGMA journal_mode = DELETE; ${sql}`);
  } catch (error) {
    database?.close();
    const code = storageCodeOf(error);
    if (code === undefined) throw error;
    if (code.startsWith('SQLITE_BUSY')) return 'refused';
    // Where nothing can be written no restore can either; what is wrong is reported by the work that is to be done there.
    return { release() {} };
  }
  const opened = database;
  return { release: () => void opened.close() };
}
