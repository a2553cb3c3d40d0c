// Waiting for the disk without standing still: one file's fsync, off the main thread.
import { close, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

export interface FileSync {
  /**
   * Resolves once the disk has all that was written to the file before the call, by anyone; rejects with what the disk said.
   * Calls while one is in progress share the next one.
   */
  sync(): Promise<void>;
  /** After what is in progress; safe to call twice. */
  close(): void;
}

const datasync = promisify(fdatasync);

/**
 * Waits for the file at `path`, which is opened at the first call and has to be there then. Of a database that SQLite has open it may only be
 * the log: to close any descriptor of the other files takes SQLite's locks on them away. SQLite locks the database and its `-shm`, never
 * its `-wal` (https://sqlite.org/walformat.html#locks).
 */
export function createFileSync(path: string): FileSync {
  let file: number | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const begin = async (): Promise<void> => {
    next = undefined;
    file ??= openSync(path, 'r+');
    await datasync(file);
  };
  const run = (): Promise<void> => {
    running = begin().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    sync() {
      if (running === undefined) return run();
      // What was written after it began is not in it.
      next ??= running.then(run, run);
      return next;
    },
    close() {
      const open = file;
      file = undefined;
      const shut = (): void => {
        if (open !== undefined) close(open);
      };
      const last = next ?? running;
      if (last === undefined) shut();
      else void last.then(shut, shut);
    },
  };
}
