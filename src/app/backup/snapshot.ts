// A database as it is at one moment, held while others write to it, copied and looked through. Reads only; not which databases.
import { chmodSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ParleyError } from '#base/errors.ts';
import { storageCodeOf, storageError, storageHint } from '#base/files/disk-failures.ts';

interface Snapshot {
  /** The size of the copy. */
  bytes: number;
  /** The number of the last migration. */
  schema: number;
  /** Writes it into a new file; `onBytes` receives how much was written since the last time. */
  copyTo(path: string, onBytes: (bytes: number) => void): Promise<void>;
  close(): void;
}

/** Pages between two looks at what else is to be done: about a megabyte. */
const pagesAtOnce = 256;

/** Opens a read transaction: the database as it is now, until closed. Throws a ParleyError when it cannot be read. */
export function holdMoment(path: string): Snapshot {
  const database = opened(path);
  try {
    // The backup copies what this connection sees. With its read transaction open that is one moment, however long it takes
    // and whatever is committed during the copy; without, SQLite would begin again after every foreign commit.
    database.exec('BEGIN');
    const pageBytes = Number(database.pragma('page_size', { simple: true }));
    const bytes = Number(database.pragma('page_count', { simple: true })) * pageBytes;
    const row = database
      .prepare<[], { version: number | null }>('SELECT max(version) AS version FROM schema_migrations')
      .get();
    return {
      bytes,
      schema: row?.version ?? 0,
      async copyTo(to, onBytes) {
        let written = 0;
        await database.backup(to, {
          progress({ totalPages, remainingPages }) {
            const now = (totalPages - remainingPages) * pageBytes;
            onBytes(now - written);
            written = now;
            return pagesAtOnce;
          },
        });
        onBytes(bytes - written);
        chmodSync(to, 0o600);
      },
      close: () => database.close(),
    };
  } catch (cause) {
    database.close();
    throw storageCodeOf(cause) === undefined ? cause : storageError(path, cause);
  }
}

/** Makes one plain file of a copy, without a log next to it. */
export function settleCopy(path: string): void {
  const database = new Database(path, { fileMustExist: true });
  try {
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}

/** Reads all of a database of a backup with its indices; a ParleyError `backup_damaged` names what is wrong with it. */
export function assertIntact(path: string): void {
  const words = wrongWith(path);
  if (words.length > 0) throw damaged(path, words.join('; '));
}

/** Reads all of a database with its indices: what is wrong with it, as text. A ParleyError when it cannot be read at all. */
export function wrongWith(path: string): string[] {
  const database = opened(path);
  try {
    const found = database.pragma('integrity_check(3)') as { integrity_check: string }[]; // as SQLite documents it
    const words = found.map(({ integrity_check: each }) => each).filter((each) => each !== 'ok');
    const orphans = database.pragma('foreign_key_check') as { table: string }[]; // as above
    if (orphans.length > 0)
      words.push(`${orphans.length} rows of ${orphans[0]?.table} name a row that is not there`);
    return words;
  } catch (cause) {
    if (storageCodeOf(cause) === undefined) throw cause;
    throw storageError(path, cause);
  } finally {
    database.close();
  }
}

/** The error for a damaged file of a backup. */
export function damaged(path: string, words: string): ParleyError {
  return new ParleyError('backup_damaged', `${path} is damaged: ${words}.`, {
    hint: 'Use another backup; this one was left unchanged.',
  });
}

function opened(path: string): Database.Database {
  try {
    return new Database(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  } catch (cause) {
    const code = storageCodeOf(cause);
    if (code === undefined) throw cause;
    throw new ParleyError('database_unusable', `The database ${path} cannot be read.`, {
      hint: storageHint(code),
      cause,
    });
  }
}
