// Memory as files, in one piece: reading and writing them, their index, the watcher, and forgetting in them.

import { type Clock, momentIn, msUntil } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { ensureFolder } from '#base/files/files.ts';
import type { NewId } from '#base/ids.ts';
import { createWaker, isAbort } from '#base/waiting/async.ts';
import type { FileRows, IndexedFile } from '#memory/chunks/file-rows.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { FileCalls, MemoryFile, MemoryFilesOptions, MemoryFilesStatus } from '#memory/types/files.ts';
import type { MemoryEventLog } from './event-log.ts';
import { exportFiles } from './export-files.ts';
import { createFileIndex, type Look } from './file-index.ts';
import { filePrompt, usualCharacters } from './file-prompt.ts';
import type { FoundFile } from './find-files.ts';
import { createLineForgetting, type ForgetDerived, type LineForgetting } from './forget-lines.ts';
import { listArtifacts } from './list-artifacts.ts';
import { readableFiles, readLines, readWhole } from './read-lines.ts';
import { type FileWatcher, watchFiles } from './watch-files.ts';
import { createFileWriter, type RewriteFile } from './write-files.ts';

export interface MemoryFiles extends FileCalls {
  /** Indexes what changed, waiting at most 200 ms; what is not indexed by then, as text. */
  beforeSearch(): Promise<string[]>;
  /** Indexes what changed, waiting some seconds for files that are being written. */
  settle(): Promise<void>;
  forgetting: LineForgetting;
  /** Changes one file of an audience's folder, one writer at a time. */
  rewrite: RewriteFile;
  status(): Promise<MemoryFilesStatus>;
  close(): Promise<void>;
}

export interface MemoryFilesDeps {
  options: MemoryFilesOptions;
  rows: FileRows;
  /** Runs work in one transaction that writes, again while another process has the file locked. */
  atOnce<T>(work: () => T): Promise<T>;
  redact: Redact;
  clock: Clock;
  newId: NewId;
  /** What else is forgotten with passages: lines that were made of them. */
  forgetDerived: ForgetDerived;
  /** Takes what was removed out of free pages of the database. */
  leaveNoTrace(): Promise<void>;
  /** `ahead`: watches the folders and indexes what changes, for a program that people ask for hours. */
  indexing: 'ahead' | 'when asked';
  events: MemoryEventLog;
  /** Called after passages were stored: they wait for their vectors. */
  onStored: () => void;
}

/** A search waits so long for the index, in milliseconds. */
const searchWaitMs = 200;
/** What is forgotten is looked for in files that are settled; one that continues to change is not waited for longer, in milliseconds. */
const settleWaitMs = 3_000;
/** Between two looks at files that are still changing, in milliseconds: a little more than a file takes to settle. */
const againMs = 110;
/** What no event reported is found after so long, in milliseconds. */
const scanMs = 60_000;

/** So many files are looked at before each search, though no event reported a change. */
const lookedAtEachTime = 300;

/** Over one open store. */
export function createMemoryFiles(deps: MemoryFilesDeps): MemoryFiles {
  const { options, rows, atOnce, redact, clock, newId } = deps;
  const closed = new AbortController();
  const { signal } = closed;
  const forgetting = createLineForgetting({
    ...{ options, rows, atOnce, clock, forgetDerived: deps.forgetDerived },
    reindex: () => settle(),
  });
  const { isForgotten } = forgetting;
  const index = createFileIndex({ options, rows, atOnce, redact, isForgotten, clock, newId, signal });
  const writer = createFileWriter({ options, rows, atOnce, redact, clock });
  const waker = createWaker();
  let isReported = true;
  /** True while every file is indexed, as far as the watcher says. */
  let isClean = false;
  let files = 0;

  const sync: typeof index.sync = async (how) => {
    isClean = true;
    const report = await index.sync(how).catch((error: unknown) => {
      isClean = false;
      throw error;
    });
    files = report.seen;
    if (report.waiting > 0) isClean = false;
    if (report.passages.stored > 0) deps.onStored();
    return report;
  };
  const changed = (): void => {
    isReported = true;
    isClean = false;
    waker.wake();
  };
  const written = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    changed();
    return done;
  };

  if (deps.indexing === 'ahead') ensureFolder(options.root);
  const watcher: FileWatcher | undefined =
    deps.indexing === 'ahead'
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
      await deps.leaveNoTrace();
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
    // a look at few files costs less than to be wrong about one of them
    if (isClean && files > lookedAtEachTime && watcher?.status().watcher === 'alive') return [];
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
    forgetting,
    beforeSearch,
    settle,
    rewrite: (audience, name, change) => written(writer.rewrite(audience, name, change)),
    filePrompt: (request) => filePrompt({ options, redact, isForgotten, now: clock.now() }, request),
    readFile: (request) => readLines({ options, redact, isForgotten }, request),
    async readWholeFile(request) {
      const { folder: _, audience: _a, ...file } = await readWhole({ options, redact, isForgotten }, request);
      return file;
    },
    async replaceFile({ scope, path, audience, ...rest }) {
      const file = await readWhole({ options, redact, isForgotten }, { scope, path });
      if (file.readOnly || file.audience !== audience)
        throw new ParleyError('file_refused', `The memory file ${file.path} may only be read.`);
      const name = file.path.slice(file.folder.length + 1);
      return { path: file.path, ...(await written(writer.replace({ audience, name, ...rest }))) };
    },
    noteFile: (note) => written(writer.note(note)),
    editFile: (edit) => written(writer.edit(edit)),
    listArtifacts: ({ scope }) => listArtifacts(options, scope),
    exportFiles: ({ scope }) => exportFiles(options, scope, isForgotten),
    async listFiles({ scope }) {
      const files = await readableFiles(options, scope);
      const known = new Map(rows.all().map((row) => [row.key, row]));
      return files.map((file) => listed(file, known.get(file.key)));
    },
    indexFiles: (request) => sync({ ...request, tidy: true }),
    async status() {
      const look = await index.look();
      const { watcher: state, words } = watcher?.status() ?? { watcher: 'off' as const, words: undefined };
      const status = statusOf(look, options);
      return {
        ...status,
        refused: [...status.refused, ...deps.events.problems()],
        leftBehind: rows.orphans().length,
        watcher: state,
        ...(words === undefined ? {} : { watcherWords: words }),
      };
    },
    async close() {
      closed.abort();
      await watcher?.close();
      await following;
      await deps.events.written();
    },
  };
}

function listed(file: FoundFile, row: IndexedFile | undefined): MemoryFile {
  const { path, audience, size, readOnly } = file;
  const problem = file.refused ?? row?.problem ?? undefined;
  const isCurrent = row !== undefined && row.size === size && row.mtimeMs === file.mtimeMs;
  return {
    path,
    audience,
    bytes: size,
    passages: row?.chunks ?? 0,
    state: problem !== undefined ? 'refused' : isCurrent ? 'indexed' : 'waiting',
    ...(problem === undefined ? {} : { problem }),
    readOnly,
  };
}

function statusOf(
  { files, dirty, gone, problems, rows }: Look,
  { characters = usualCharacters, extra = [] }: MemoryFilesOptions,
): Omit<MemoryFilesStatus, 'watcher' | 'leftBehind'> {
  const refused = files.flatMap((file) => {
    const words = file.refused ?? rows.get(file.key)?.problem ?? undefined;
    return words === undefined ? [] : [{ path: file.path, words }];
  });
  const overBudget = files.flatMap(({ key, path }) => {
    const length = rows.get(key)?.characters ?? 0;
    const isPrompted = path.endsWith('/MEMORY.md');
    return isPrompted && length > characters.file
      ? [{ path, characters: length, shown: characters.file }]
      : [];
  });
  return {
    files: files.length,
    passages: [...rows.values()].reduce((sum, { chunks }) => sum + chunks, 0),
    waiting: dirty.length + gone.length,
    refused: [...problems, ...refused],
    overBudget,
    corpora: extra.flatMap(({ corpus: name, audience }) => {
      if (name === undefined) return [];
      const pages = files.filter((file) => file.corpus === name);
      const passages = pages.reduce((sum, { key }) => sum + (rows.get(key)?.chunks ?? 0), 0);
      return [{ name, audience, pages: pages.length, passages }];
    }),
  };
}
