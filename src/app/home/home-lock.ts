// One engine and one gateway to a home folder: two gateways on the same ledger would answer everything twice.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { storageCodeOf, storageHint } from '#base/files/disk-failures.ts';
import { closeToOthers, ensureFolder } from '#base/files/files.ts';

export interface HomeLock {
  release(): void;
}

/** What a process is to a home folder: `parley start` is both, `parley engine` and `parley channels` one each. */
export type ProcessRole = 'engine' | 'channels';

const fileNames: Readonly<Record<ProcessRole, string>> = {
  engine: 'lock.sqlite',
  channels: 'channels-lock.sqlite',
};
const words: Readonly<Record<ProcessRole, string>> = {
  engine: 'Another Parley is running',
  channels: 'The channels of another Parley are running',
};

/** There while a restore exchanges what the home folder holds; it names the backup. */
export const unfinishedRestore = 'restore.unfinished';

/**
 * Takes a role in the home folder until released; the system releases it when the process dies. Throws a ParleyError `home_in_use` when
 * another process has the role, and `restore_unfinished` after a restore that did not finish (except for the next restore).
 */
export function lockHome(home: string, role: ProcessRole, purpose: 'work' | 'restore' = 'work'): HomeLock {
  ensureFolder(home);
  closeToOthers(home);
  const path = join(home, fileNames[role]);
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: 0 });
    closeToOthers(path);
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (cause) {
    database?.close();
    const code = storageCodeOf(cause);
    if (code === undefined) throw cause;
    if (!code.startsWith('SQLITE_BUSY')) throw unusable(path, cause);
    throw new ParleyError('home_in_use', `${words[role]} with the home folder ${home}.`, {
      hint: 'Stop it first, or give this one a folder of its own with PARLEY_HOME.',
      cause,
    });
  }
  const held = database;
  if (purpose === 'work') {
    try {
      refuseUnfinished(home);
    } catch (error) {
      held.close();
      throw error;
    }
  }
  return { release: () => held.close() };
}

/** Throws a ParleyError `restore_unfinished` when a restore into this home folder did not finish. */
export function refuseUnfinished(home: string): void {
  const mark = join(home, unfinishedRestore);
  if (!existsSync(mark)) return;
  const backup = readFileSync(mark, 'utf8').trim();
  throw new ParleyError('restore_unfinished', `A restore into ${home} was cut off.`, {
    hint: `Run "parley restore ${backup} --replace" again; what was there before is in a folder "replaced-..." next to it.`,
  });
}

function unusable(path: string, cause: unknown): ParleyError {
  const code = storageCodeOf(cause);
  const damaged = code === 'SQLITE_NOTADB' || code?.startsWith('SQLITE_CORRUPT') === true;
  return new ParleyError(
    'home_unusable',
    `The home folder cannot be locked (${path}): ${errorMessage(cause)}.`,
    {
      hint: damaged ? 'The file holds nothing: delete it and start again.' : storageHint(code),
      cause,
    },
  );
}
