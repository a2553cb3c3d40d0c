// Whether the file of an open database is still where it was: SQLite writes on into one that was deleted or cut. Not other damage.
import { statSync } from 'node:fs';

/** No database is smaller, in bytes: the smallest page that SQLite knows. */
const minBytes = 512;

/**
 * Looks at the file now, and gives the check that it is the same one later. The check opens nothing and takes some microseconds; it throws an
 * error with SQLite's code for a file that was moved away, deleted or replaced (`SQLITE_READONLY_DBMOVED`) or emptied
 * (`SQLITE_CORRUPT`): what is written then would be lost when the database is closed. A path without a file is not checked.
 */
export function watchFile(path: string): () => void {
  const first = statSync(path, { throwIfNoEntry: false });
  return () => {
    if (first === undefined) return;
    const now = statSync(path, { throwIfNoEntry: false });
    if (now?.ino !== first.ino || now.dev !== first.dev)
      throw failure(
        'SQLITE_READONLY_DBMOVED',
        'the file was moved away, deleted or replaced while it is in use',
      );
    if (now.size < minBytes)
      throw failure(
        'SQLITE_CORRUPT',
        `database disk image is malformed: it was cut to ${now.size} bytes while it is in use`,
      );
  };
}

function failure(code: string, words: string): Error {
  return Object.assign(new Error(words), { code });
}
