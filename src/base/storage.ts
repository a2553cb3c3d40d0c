// What a disk can do to a file of ours: told from a bug, said in words, tried again until it is over. Not how a database is opened.
import { backoffMs } from './async.ts';
import type { Clock } from './clock.ts';
import { codeOf, ParleyError, wordsOf } from './errors.ts';
import type { Log } from './log.ts';
import { watchFile } from './same-file.ts';
import type { Troubles } from './troubles.ts';

/** SQLite's codes for trouble outside the program; extended codes begin with one of them. */
const environmental = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN|PERM|NOMEM|PROTOCOL)/;
/** Node's codes that no socket gives; those that a network can give too do not count. */
const ofFiles = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);
/** The code of every such failure that is in words. */
const failed = 'storage_failed';
const retry = { firstMs: 500, capMs: 30_000 };
/** Errors are wrapped once or twice; a chain that is longer than this is a loop. */
const deepest = 5;

/** The code of what the disk did, or undefined when the error has another reason. */
export function storageCodeOf(error: unknown): string | undefined {
  let here = error;
  for (let depth = 0; depth < deepest && here !== undefined; depth += 1) {
    const code = codeOf(here);
    if (code !== undefined && (environmental.test(code) || ofFiles.has(code))) return code;
    here = here instanceof Error ? here.cause : undefined;
  }
  return codeOf(error) === failed ? failed : undefined;
}

/** True when the disk, and no bug, is the reason: the same work may succeed later. */
export function isStorageFailure(error: unknown): boolean {
  return storageCodeOf(error) !== undefined;
}

/** True when the file itself is damaged, and no index alone: the same work fails until the file is restored. */
export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(CORRUPT(?!_VTAB)|NOTADB)/.test(storageCodeOf(error) ?? '');
}

/** What to do about a failure with this code, as a sentence. */
export function storageCure(code: string | undefined): string {
  if (code === 'SQLITE_READONLY_DBMOVED')
    return 'Put the file back where it was; or stop Parley, restore a backup and start it again.';
  const primary = /^SQLITE_[A-Z]+/.exec(code ?? '')?.[0] ?? code;
  switch (primary) {
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
    case 'SQLITE_PROTOCOL':
      return 'Another process holds it: stop the other program that uses this home folder.';
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return 'The file is damaged and was left as it is: restore a backup, or move it away to start empty.';
    case 'SQLITE_FULL':
    case 'ENOSPC':
    case 'EDQUOT':
      return 'The disk is full: free some space; nothing that was accepted is lost.';
    case 'SQLITE_READONLY':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_PERM':
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'Give this user write access to the home folder (and space on its disk), or choose another with PARLEY_HOME.';
    case 'EMFILE':
    case 'ENFILE':
      return 'Too many files are open at once: allow this program more of them (`ulimit -n`, or LimitNOFILE of its service).';
    case 'SQLITE_IOERR':
    case 'EIO':
      return 'The disk refused to read or write: check that it is not full, is mounted and is healthy.';
    default:
      return 'Run with `log.level` debug for the details.';
  }
}

/** The failure in words: which file, what the disk said, what to do. */
export function storageError(path: string, cause: unknown): ParleyError {
  const words = `The database ${path} cannot be used: ${wordsOf(cause)}.`;
  return new ParleyError(failed, words, { cure: storageCure(storageCodeOf(cause)), cause });
}

/** The disk under one file. */
export interface Storage {
  /** Writes: runs `work`; a failure of the disk is noted and thrown as a ParleyError `storage_failed`, all else as it is. */
  write<T>(work: () => T): T;
  /**
   * Runs `work` until no failure of a disk stands in its way, with a growing pause of at most 30 s in between; it must be
   * safe to repeat. Rejects with what else it throws, and with the failure itself once the signal has aborted.
   */
  persist<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T>;
  /** The error in words when it is a disk's, and noted when it is this one's; undefined for any other error. */
  explain(error: unknown): ParleyError | undefined;
}

/** Watches over the file at `path`, which is open already; what fails is on the board of troubles until a write succeeds again. */
export function createStorage(options: {
  path: string;
  troubles: Troubles;
  clock: Clock;
  log: Log;
  /** Called after each write. */
  written?: () => void;
}): Storage {
  const { path, troubles, clock, log, written } = options;
  const checkFile = watchFile(path);
  const explain = (error: unknown): ParleyError | undefined => {
    if (!isStorageFailure(error)) return undefined;
    if (error instanceof ParleyError) return error; // in words already: noted where it happened
    const trouble = storageError(path, error);
    troubles.note(path, trouble);
    return trouble;
  };
  return {
    explain,
    write(work) {
      try {
        checkFile();
        const result = work();
        troubles.clear(path);
        written?.();
        return result;
      } catch (error) {
        throw explain(error) ?? error;
      }
    },
    async persist(work, signal) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work();
        } catch (error) {
          const trouble = explain(error);
          if (trouble === undefined || signal.aborted) throw trouble ?? error;
          const waitMs = backoffMs(attempt, retry);
          log.error({ attempt, waitMs, words: trouble.message, cure: trouble.cure }, 'not written yet');
          await clock.sleep(waitMs, signal).catch(() => undefined); // aborted: one last attempt follows
        }
      }
    },
  };
}
