// Search in files by qmd, as a side process with its own index: brought up to date, asked with a time limit, its results read through the scope.
import { realpath, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import PQueue from 'p-queue';
import { type Clock, momentIn, msUntil } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { ensureFolder, writeWhole } from '#base/files/files.ts';
import { anySignal, withTimeout } from '#base/waiting/async.ts';
import type { Chunks } from '#memory/chunks/chunks.ts';
import { entryOf } from '#memory/chunks/entry.ts';
import type { FileRows } from '#memory/chunks/file-rows.ts';
import { type FoundFile, findFiles } from '#memory/files/find-files.ts';
import { readableFiles } from '#memory/files/read-lines.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { BackendStatus, MemoryFilesOptions, QmdOptions } from '#memory/types/files.ts';
import type { FoundPassage, Hit, RecallRequest, SearchQuery } from '#memory/types/recall.ts';
import {
  collectionsFile,
  indexFiles,
  type QmdCall,
  type QmdQuery,
  type QmdResult,
  queryQmd,
  runQmd,
} from './command.ts';
import { createPromptRecall } from './prompt-recall.ts';
import { collectionsOf, queryDocument } from './request.ts';

interface Qmd {
  /** Passages of files that answer the text, best first, inside the scope. Rejects with a ParleyError `qmd_failed`, also while it pauses after a failure. */
  search(query: SearchQuery, limit: number): Promise<Hit[]>;
  /** Passages of files for a prompt, best first: the caller reads them through the scope. Never rejects: without an answer in time there are none, and the status says why. */
  recall(request: Pick<RecallRequest, 'text' | 'scope'>): Promise<FoundPassage[]>;
  /** Whether it answers; asks it, where it was not asked before. */
  status(): Promise<BackendStatus>;
  /** Takes texts that no file has any more out of its index after the next update. */
  tidyLater(): void;
  /** Removes its index, which holds the texts of files, before and after the work. */
  without<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Parts {
  options: QmdOptions;
  files: MemoryFilesOptions;
  rows: Pick<FileRows, 'fingerprint' | 'passageAt'>;
  chunks: Pick<Chunks, 'inOrder'>;
}

/** After a failure the built-in index answers for so long, in milliseconds. */
const pauseMs = 60_000;
/** An update, and vectors for what it found, may take so long, in milliseconds. */
const [updateMs, embedMs] = [10 * 60_000, 30 * 60_000];
const probeMs = 5_000;

/** Over one open store; `ahead` also updates and embeds on its schedule. */
export function createQmd(parts: Parts & { clock: Clock; ahead: boolean }): Qmd {
  const { options, files, rows, clock } = parts;
  const closed = new AbortController();
  const { signal } = closed;
  let state: BackendStatus = { name: 'qmd', state: 'unknown' };
  let pausedUntil: ReturnType<typeof momentIn> | undefined;
  /** What its index was made of. */
  let indexed: string | undefined;
  /** Its index has one writer. */
  const writers = new PQueue({ concurrency: 1 });
  let [isUpdating, isTidy] = [false, true];
  /** Ends what runs, since its index goes. */
  let dropped = new AbortController();

  /** Runs the work unless it failed a moment ago, and notes how it ended. */
  const attempt = async <T>(ms: number, work: (call: QmdCall) => Promise<T>): Promise<T> => {
    if (pausedUntil !== undefined && msUntil(clock, pausedUntil) > 0)
      throw new ParleyError('qmd_failed', state.words ?? 'qmd failed');
    const own = dropped.signal;
    using either = anySignal(signal, own);
    try {
      const result = await work({ options, ms, signal: either.signal });
      pausedUntil = undefined;
      state = { name: 'qmd', state: 'answers' };
      return result;
    } catch (error) {
      if (either.signal.aborted) throw error;
      pausedUntil = momentIn(clock, pauseMs);
      state = { name: 'qmd', state: 'failed', words: errorMessage(error) };
      throw error;
    }
  };
  const prepare = async (): Promise<string> => {
    ensureFolder(options.folder);
    const { files: found } = await findFiles(files);
    return collectionsOf(found.filter(({ refused }) => refused === undefined));
  };
  /** Brings its index to what the files are now, unless it is. */
  const update = (): Promise<void> =>
    writers.add(async () => {
      signal.throwIfAborted();
      const collections = await prepare();
      const now = JSON.stringify([collections, rows.fingerprint()]);
      if (now === indexed) return;
      isUpdating = true;
      try {
        await attempt(updateMs, async (call) => {
          await writeWhole(join(options.folder, collectionsFile), collections);
          await runQmd(call, ['update']);
          if (!isTidy) await runQmd(call, ['cleanup']);
          isTidy = true;
        });
        indexed = now;
      } finally {
        isUpdating = false;
      }
    });
  const schedule = async (): Promise<void> => {
    for (;;) {
      const before = indexed;
      await update().catch(() => undefined); // the status and each search say why
      if (options.mode !== 'search' && indexed !== undefined && indexed !== before)
        await attempt(embedMs, (call) => runQmd(call, ['embed'])).catch(() => undefined);
      await clock.sleep(options.updateMs, signal);
    }
  };
  const scheduled = parts.ahead ? schedule().catch(() => undefined) : undefined; // it is closed

  const find = async (query: Finding): Promise<FoundRow[]> => {
    // a first update of many files takes minutes, and no search waits for it twice
    if (isUpdating) throw new ParleyError('qmd_updating', 'qmd indexes changed files just now');
    return withTimeout({ clock, ms: query.ms, what: 'qmd with its update', signal }, async () => {
      await update();
      const ask = (asked: QmdQuery) => attempt(options.timeoutMs, (call) => queryQmd(call, asked));
      return foundRows({ ...parts, ask }, query);
    });
  };

  const ofPrompts = createPromptRecall({
    clock,
    find: (query) => find({ ...query, explain: options.mode !== 'search' }),
    ms: options.timeoutMs,
  });

  return {
    async search(query, limit) {
      return hitsOf(await find({ ...query, limit, ms: options.timeoutMs }), parts.chunks, query);
    },
    recall: ofPrompts.recall,
    tidyLater() {
      isTidy = false;
    },
    async status() {
      if (state.state === 'unknown')
        await attempt(probeMs, async (call) => {
          ensureFolder(options.folder);
          return runQmd(call, ['--version']);
        }).catch(() => undefined);
      const unrecalled = ofPrompts.unrecalled();
      return unrecalled === undefined ? state : { ...state, unrecalled };
    },
    without(work) {
      dropped.abort();
      dropped = new AbortController();
      return writers.add(async () => {
        const drop = async (): Promise<void> => {
          indexed = undefined;
          for (const name of indexFiles) await rm(join(options.folder, name), { force: true });
        };
        await drop();
        try {
          return await work();
        } finally {
          await drop();
        }
      });
    },
    async close() {
      closed.abort();
      await scheduled;
      await writers.onIdle();
    },
  };
}

interface Finding
  extends Pick<SearchQuery, 'text' | 'scope' | 'corpus'>,
    Pick<QmdQuery, 'limit' | 'explain'> {
  /** How long the caller waits. */
  ms: number;
}

type FoundRow = FoundPassage & { score: number };

/** What qmd finds in the files that the scope may read, as rows of the built-in index, best first. */
async function foundRows(
  { options, files, rows, ask }: Omit<Parts, 'chunks'> & { ask: (asked: QmdQuery) => Promise<QmdResult[]> },
  { text, scope, corpus = 'all', limit, explain }: Finding,
): Promise<FoundRow[]> {
  const readable = (await readableFiles(files, scope)).filter(
    (file) => file.refused === undefined && (corpus === 'all' || (file.corpus ?? 'memory') === corpus),
  );
  const document = queryDocument(text, options.mode);
  if (readable.length === 0 || document === undefined) return [];
  const collections = [...new Set(readable.map(({ folder }) => folder))];
  const results = await ask({ document, collections, limit, explain });
  const byPath = await byRealPath(readable);
  const found = new Map<number, FoundRow>();
  for (const { file, line = 1, score, explain: parts } of results) {
    const key = byPath.get(file)?.key;
    const row = key === undefined ? undefined : rows.passageAt(key, line);
    if (row === undefined || found.has(row)) continue;
    const near = parts === undefined ? undefined : Math.max(0, parts.rerankScore, ...parts.vectorScores);
    found.set(row, { row, score, near });
  }
  return [...found.values()];
}

/** The rows of the built-in index have no secrets and no forgotten lines, and the scope has the last word. */
function hitsOf(found: readonly FoundRow[], chunks: Parts['chunks'], query: SearchQuery): Hit[] {
  const scores = new Map(found.map(({ row, score }) => [row, score]));
  return chunks.inOrder([...scores.keys()], readableBy(query.scope, query)).map((chunk) => {
    const score = scores.get(chunk.row) ?? 0;
    return { ...entryOf(chunk), score, scoreParts: { qmd: score }, why: { words: [] } };
  });
}

/** The files by the path without links, which is how qmd names them. */
async function byRealPath(files: readonly FoundFile[]): Promise<Map<string, FoundFile>> {
  const roots = new Map<string, string>();
  for (const { root } of files) if (!roots.has(root)) roots.set(root, await realpath(root).catch(() => root));
  return new Map(
    files.map((file) => [join(roots.get(file.root) ?? file.root, relative(file.root, file.absolute)), file]),
  );
}
