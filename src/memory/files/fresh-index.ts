// The index of memory files brought up to date: before a search, after each event of the watcher, and when asked.

import { setImmediate } from 'node:timers/promises';
import { createLruCache } from '#base/caches/lru-cache.ts';
import { type Clock, momentIn, msUntil } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { ensureFolder } from '#base/files/files.ts';
import type { NewId } from '#base/ids.ts';
import { createWaker, isAbort } from '#base/waiting/async.ts';
import type { FileRows } from '#memory/chunks/file-rows.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { MemoryFilesOptions } from '#memory/types/files.ts';
import { createFileIndex, type FileIndex } from './file-index.ts';
import type { LineForgetting } from './forget-lines.ts';
import { type FileWatcher, watchFiles } from './watch-files.ts';

export interface FreshIndex extends FileIndex {
  /** Indexes what changed, waiting as long as a search may; what is not indexed by then, as text. */
  beforeSearch(): Promise<string[]>;
  /** Indexes what changed, waiting some seconds for files that are being written. */
  settle(): Promise<void>;
  /** What `read` gives, or gave for the same key since when nothing has changed in the folders. */
  held<T>(key: string, read: () => Promise<T>): Promise<T>;
  /** A file was written: what is indexed is no longer all of it. */
  changed(): void;
  watcher(): { watcher: 'alive' | 'lost' | 'off'; words: string | undefined };
  /** Resolves when nothing is watched or indexed any more; the signal was aborted before. */
  ended(): Promise<void>;
}

export interface FreshIndexDeps {
  options: MemoryFilesOptions;
  rows: FileRows;
  /** Runs work in one transaction that writes, again while another process has the file locked. */
  atOnce<T>(work: () => T): Promise<T>;
  redact: Redact;
  clock: Clock;
  newId: NewId;
  /** Takes what was removed out of free pages of the database. */
  leaveNoTrace(): Promise<void>;
  /** `ahead`: watches the folders and indexes what changes, for a program that people ask for hours. */
  indexing: 'ahead' | 'when asked';
  /** Called after passages were stored: they wait for their vectors. */
  onStored: () => void;
}

const usualSearchWaitMs = 200;
/** What is forgotten is looked for in files that are settled; one that continues to change is not waited for longer, in milliseconds. */
const settleWaitMs = 3_000;
/** Between two looks at files that are still changing, in milliseconds: a little more than a file takes to settle. */
const againMs = 110;
/** What no event reported is found after so long, in milliseconds. */
const scanMs = 60_000;
const maxHeld = 1_000;

/** Over one open store. */
export function createFreshIndex(
  deps: FreshIndexDeps & { forgetting: LineForgetting; signal: AbortSignal },
): FreshIndex {
  const { options, clock, leaveNoTrace, indexing, onStored, forgetting, signal } = deps;
  const { searchWaitMs = usualSearchWaitMs } = options;
  const index = createFileIndex({ ...deps, isForgotten: forgetting.isForgotten });
  const waker = createWaker();
  const isUnchanged = (): boolean => isClean && watcher?.isQuiet() === true;
  const held = createHeld(isUnchanged);
  let isReported = true;
  /** True while every file is indexed, as far as the watcher says. */
  let isClean = false;

  const sync: typeof index.sync = async (how) => {
    isClean = true;
    const report = await index.sync(how).catch((error: unknown) => {
      isClean = false;
      throw error;
    });
    if (report.waiting > 0) isClean = false;
    if (report.passages.stored > 0) onStored();
    return report;
  };
  const changed = (): void => {
    isReported = true;
    isClean = false;
    held.clear();
    waker.wake();
  };
  if (indexing === 'ahead') ensureFolder(options.root);
  const watcher: FileWatcher | undefined =
    indexing === 'ahead'
      ? watchFiles({
          folders: [options.root, ...(options.extra ?? []).map(({ path }) => path)],
          changed,
          clock,
          signal,
        })
      : undefined;
  /** Indexes after every event, and from time to time without one. */
  const follow = async (): Promise<void> => {
    if (forgetting.isPending()) {
      await forgetting.finish();
      await leaveNoTrace();
    }
    let next = againMs;
    for (;;) {
      await waker.wait(clock, next, signal);
      // an event follows another one: by then what is being written has settled
      const wasReported = isReported;
      isReported = false;
      const report = await sync().catch((error: unknown) => {
        if (isAbort(error, signal)) throw error;
        return undefined; // the database is locked or its disk full: the next look finds the same
      });
      const changes = report === undefined ? 0 : report.indexed + report.removed;
      if (report !== undefined && report.waiting > 0) next = againMs;
      else {
        if (changes > 0 && !wasReported && next === scanMs)
          await watcher?.rearm(
            `${changes} changed files had no event, and were found by a look at all files`,
          );
        next = scanMs;
      }
    }
  };
  const following = watcher === undefined ? undefined : follow().catch(() => undefined); // it is closed

  /** How many files are still changing when the time is over. */
  const settledBy = async (end: ReturnType<typeof momentIn>): Promise<number> => {
    for (;;) {
      const { waiting } = await sync();
      if (waiting === 0 || msUntil(clock, end) < againMs) return waiting;
      await clock.sleep(againMs, signal);
    }
  };
  const settle = async (): Promise<void> => void (await settledBy(momentIn(clock, settleWaitMs)));
  const beforeSearch = async (): Promise<string[]> => {
    if (isUnchanged()) {
      // the system's events of what was written a moment ago are taken first
      await setImmediate();
      if (isClean) return [];
    }
    const end = momentIn(clock, searchWaitMs);
    const late = clock.sleep(searchWaitMs, signal).then(
      () => 'late' as const,
      () => 'late' as const,
    );
    try {
      const left = await Promise.race([settledBy(end), late]);
      if (left === 0) return [];
      return [
        left === 'late'
          ? 'changed memory files are not indexed yet'
          : `${left} changed memory files are not indexed yet`,
      ];
    } catch (error) {
      return [`memory files could not be indexed (${errorMessage(error)})`];
    }
  };

  return {
    look: index.look,
    sync,
    beforeSearch,
    held: held.get,
    settle,
    changed,
    watcher: () => watcher?.status() ?? { watcher: 'off', words: undefined },
    async ended() {
      await watcher?.close();
      await following;
    },
  };
}

/** What was read while nothing changed, until it is cleared. */
function createHeld(isUnchanged: () => boolean): Record<'clear', () => void> & { get: FreshIndex['held'] } {
  const emptyCache = () => createLruCache<string, { found: unknown }>(maxHeld, () => 1);
  let known = emptyCache();
  return {
    clear() {
      known = emptyCache();
    },
    async get<T>(key: string, read: () => Promise<T>): Promise<T> {
      const wasUnchanged = isUnchanged();
      const before = wasUnchanged ? known.get(key) : undefined;
      if (before !== undefined) return before.found as T; // what `read` gave for this key
      const found = await read();
      if (wasUnchanged && isUnchanged()) known.set(key, { found });
      return found;
    },
  };
}
