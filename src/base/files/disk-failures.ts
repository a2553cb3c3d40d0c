// What a disk can do to a file of Parley: told from a bug, said, tried again until it is over.

import type { ActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs } from '#base/waiting/async.ts';
import { watchFile } from './same-file.ts';

/** SQLite's codes for problems outside the program; extended codes begin with one of them. */
const environmental = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN|PERM|NOMEM|PROTOCOL)/;
/** Node's codes that no socket gives; those that a network can give too do not count. */
const ofFiles = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);
/** The code of every such failure that has a message. */
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

/** The code of what the disk did to a file that is no database, or undefined when the error has another reason. */
export function fileCodeOf(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && ofFiles.has(code) ? code : undefined;
}

/** True when the disk, and no bug, is the reason: the same work may succeed later. */
export function isDiskFailure(error: unknown): boolean {
  return storageCodeOf(error) !== undefined;
}

/** True when the file itself is damaged, and not just an index: the same work fails until the file is restored. */
export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(CORRUPT(?!_VTAB)|NOTADB)/.test(storageCodeOf(error) ?? '');
}

/** What to do about a failure with this code, as a sentence. */
export function storageHint(code: string | undefined): string {
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
      return 'The file is damaged and was left unchanged: restore a backup, or move it away to start empty.';
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

/** The failure as text: which file, what the disk said, what to do. */
export function storageError(path: string, cause: unknown): ParleyError {
  const words = `The database ${path} cannot be used: ${errorMessage(cause)}.`;
  return new ParleyError(failed, words, { hint: storageHint(storageCodeOf(cause)), cause });
}

/** The disk under one file. */
export interface DiskFailureHandler {
  /** Writes: runs `work`; a failure of the disk is noted and thrown as a ParleyError `storage_failed`, all else unchanged. */
  write<T>(work: () => T): T;
  /**
   * Runs `work` until no failure of a disk stands in its way, with a growing pause of at most 30 s in between; it must be
   * safe to repeat. Rejects with what else it throws, and with the failure itself once the signal has aborted.
   */
  persist<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T>;
  /** The error in plain words when it is a disk's, and noted when it is this disk's; undefined for any other error. */
  explain(error: unknown): ParleyError | undefined;
}

/** Watches over the file at `path`, which is open already; what fails is on the board of problems until a write succeeds again. */
export function createDiskFailureHandler(options: {
  path: string;
  problems: ActiveProblems;
  clock: Clock;
  log: Log;
  /** Called after each write. */
  written?: () => void;
}): DiskFailureHandler {
  const { path, problems, clock, log, written } = options;
  const checkFile = watchFile(path);
  const explain = (error: unknown): ParleyError | undefined => {
    if (!isDiskFailure(error)) return undefined;
    if (error instanceof ParleyError) return error; // has a message already: noted where it happened
    const problem = storageError(path, error);
    problems.note(path, problem);
    return problem;
  };
  return {
    explain,
    write(work) {
      try {
        checkFile();
        const result = work();
        problems.clear(path);
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
          const problem = explain(error);
          if (problem === undefined || signal.aborted) throw problem ?? error;
          const waitMs = backoffMs(attempt, retry);
          log.error({ attempt, waitMs, words: problem.message, hint: problem.hint }, 'not written yet');
          await clock.sleep(waitMs, signal).catch(() => undefined); // aborted: one last attempt follows
        }
      }
    },
  };
}
