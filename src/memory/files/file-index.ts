// The index of memory files, derived from the files: what changed is found by looking at them, and indexed once it has settled.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, msSince } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { FileRows, IndexedFile } from '#memory/chunks/file-rows.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { FileIndexReport, MemoryFilesOptions } from '#memory/types/files.ts';
import type { Progress } from '#memory/types/progress.ts';
import { createFileSteps } from './file-steps.ts';
import { type FoundFile, type FoundFiles, findFiles } from './find-files.ts';
import { readForIndex } from './index-file.ts';
import { type FileState, isSame, refillMs, usualMaxBytes } from './read-text.ts';

interface FileIndexDeps {
  options: MemoryFilesOptions;
  rows: FileRows;
  /** Runs work in one transaction that writes, again while another process has the file locked. */
  atOnce<T>(work: () => T): Promise<T>;
  redact: Redact;
  isForgotten: (folder: string, line: string) => boolean;
  clock: Clock;
  newId: NewId;
  signal: AbortSignal;
}

type OnProgress = ((at: Progress) => void) | undefined;

interface SyncOptions {
  force?: boolean | undefined;
  /** Also removes passages whose file is unknown, which takes a look at all passages. */
  tidy?: boolean | undefined;
  onProgress?: OnProgress;
}

export interface FileIndex {
  /** Indexes what changed and has settled, or with `force` everything again. One run at a time. */
  sync(options?: SyncOptions): Promise<FileIndexReport>;
  /** Which files are not indexed as they are now, and what there is. Looks at the files only. */
  look(): Promise<Look>;
}

export interface Look extends FoundFiles {
  dirty: FoundFile[];
  /** Indexed files that are no longer there. */
  gone: IndexedFile[];
  rows: ReadonlyMap<string, IndexedFile>;
}

/** A file is settled when it stayed the same for so long, in milliseconds. */
const settleMs = 100;
/** A file that continues to change is looked at again after a pause that doubles up to this, in milliseconds. */
const maxPauseMs = 8_000;

/** The index over one open store. */
export function createFileIndex(deps: FileIndexDeps): FileIndex {
  const { options, rows, atOnce, clock, newId } = deps;
  const settling = createSettling(clock);
  const reading = { ...deps, maxBytes: options.maxBytes ?? usualMaxBytes };

  const look = async (): Promise<Look> => {
    const found = await findFiles(options);
    const known = new Map(rows.all().map((row) => [row.key, row]));
    const dirty = found.files.filter((file) => isDirty(file, known.get(file.key)));
    const present = new Set(found.files.map(({ key }) => key));
    const gone = [...known.values()].filter(
      ({ key, folder }) =>
        !present.has(key) && !found.unknown.includes(folder) && !found.unknown.includes(''),
    );
    return { ...found, dirty, gone, rows: known };
  };
  const run = async ({ force = false, tidy = false, onProgress }: SyncOptions): Promise<FileIndexReport> => {
    const at = await look();
    const wanted = force ? at.files : at.dirty;
    const report = emptyReport(at, wanted);
    const steps = createFileSteps({ rows, atOnce, newId, clock, again: force, changes: report.passages });
    // a passage that was left blocks the same passage of a file
    if (tidy) await steps.remove(rows.orphans());
    for (const [done, file] of wanted.entries()) {
      deps.signal.throwIfAborted();
      onProgress?.({ done, total: wanted.length });
      if (file.refused === undefined && !settling.isSettled(file, at.rows.get(file.key))) {
        report.waiting += 1;
        continue;
      }
      const read = await readForIndex(file, reading);
      if (read.status === 'changing' || read.status === 'missing') {
        settling.changed(file);
        report.waiting += 1;
        continue;
      }
      if (read.status === 'refused') {
        report.failed += 1;
        report.failures.push({ path: file.path, words: read.words });
      } else report.indexed += 1;
      settling.done(file);
      await steps.write(read.write);
      await nextTurn();
    }
    await steps.end();
    await steps.remove(at.gone.map(({ key }) => key));
    if (wanted.length > 0) onProgress?.({ done: wanted.length, total: wanted.length });
    settling.forget(at.files);
    return report;
  };

  let last: Promise<unknown> = Promise.resolve();
  return {
    look,
    sync(options = {}) {
      const next = last.then(() => run(options));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

/** Whether the file is not indexed as it is now. It compares only size and times, so that ten thousand are looked at in a moment. */
function isDirty(file: FoundFile, row: IndexedFile | undefined): boolean {
  if (row === undefined) return true;
  if (file.refused !== undefined) return row.problem !== file.refused || !isSame(file, row);
  return !isSame(file, row);
}

interface Seen extends FileState {
  /** Since when it is the same, by the clock's monotonic time, and how often it changed before that. */
  since: ReturnType<Clock['monotonic']>;
  times: number;
}

/** Files that changed, until they stay the same. No file waits for another one. */
function createSettling(clock: Clock) {
  const seen = new Map<string, Seen>();
  const note = (file: FoundFile, times: number): void =>
    void seen.set(file.key, {
      size: file.size,
      mtimeMs: file.mtimeMs,
      ctimeMs: file.ctimeMs,
      since: clock.monotonic(),
      times,
    });
  return {
    isSettled(file: FoundFile, row: IndexedFile | undefined): boolean {
      const wasFull = file.size === 0 && row !== undefined && row.size > 0;
      const before = seen.get(file.key);
      if (before === undefined) {
        const age = clock.now() - Math.max(file.mtimeMs, file.ctimeMs);
        // older than that, and not of a clock that was set: nobody is writing it
        if (age > (wasFull ? refillMs : settleMs)) return true;
        note(file, 0);
        return false;
      }
      if (!isSame(before, file)) {
        note(file, before.times + 1);
        return false;
      }
      const pause = Math.min(maxPauseMs, settleMs * 2 ** Math.min(Math.max(0, before.times - 1), 10));
      return msSince(clock, before.since) >= Math.max(pause, wasFull ? refillMs : 0);
    },
    /** It is indexed: its next change is a new one. */
    done(file: FoundFile): void {
      seen.delete(file.key);
    },
    changed(file: FoundFile): void {
      note(file, (seen.get(file.key)?.times ?? 0) + 1);
    },
    /** Deleted files are not waited for. */
    forget(files: readonly FoundFile[]): void {
      const present = new Set(files.map(({ key }) => key));
      for (const key of seen.keys()) if (!present.has(key)) seen.delete(key);
    },
  };
}

/** With what is refused as it was the last time: it stays out of the index, and is named until it can be read. */
function emptyReport(at: Look, wanted: readonly FoundFile[]): FileIndexReport {
  const again = new Set(wanted);
  const refused = at.files.flatMap((file) => {
    const words = again.has(file) ? null : (at.rows.get(file.key)?.problem ?? null);
    return words === null ? [] : [{ path: file.path, words }];
  });
  return {
    seen: at.files.length,
    indexed: 0,
    unchanged: at.files.length - wanted.length - refused.length,
    waiting: 0,
    failed: refused.length,
    removed: at.gone.length,
    failures: [...at.problems.map((each) => ({ ...each })), ...refused],
    passages: { stored: 0, unchanged: 0, removed: 0 },
  };
}
