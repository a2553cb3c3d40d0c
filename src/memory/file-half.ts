// The half of a memory that is files, or an empty one where a memory has no files.
import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import { inTurn } from '#base/waiting/in-turn.ts';
import { createDreaming } from '#memory/dreaming/dreaming.ts';
import { forgetDerived } from '#memory/dreaming/forget.ts';
import { createMemoryEventLog } from '#memory/files/event-log.ts';
import type { LineForgetting } from '#memory/files/forget-lines.ts';
import { createMemoryFiles } from '#memory/files/memory-files.ts';
import { createQmd } from '#memory/qmd/qmd.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { Store } from '#memory/store/store.ts';
import type { DreamingCalls, DreamingOptions, DreamingStatus } from '#memory/types/dreaming.ts';
import type { FileCalls, MemoryFilesOptions, MemoryFilesStatus } from '#memory/types/files.ts';
import type { ForgetRequest, ForgetResult } from '#memory/types/maintenance.ts';
import type {
  RecallInput,
  RecallRequest,
  RecallResult,
  SearchQuery,
  SearchResult,
} from '#memory/types/recall.ts';
import { usualDreaming } from '#memory/types/usual-dreaming.ts';

interface FileHalf {
  calls: FileCalls & DreamingCalls;
  /** Indexes what changed before a question; the answer with what is not indexed yet. */
  searched<T extends { degraded: string[] }>(corpus: string | undefined, ask: () => Promise<T>): Promise<T>;
  /** A search, of files by qmd where it is used and works: else all of it is by `ask`, and the answer says why. */
  search(query: SearchQuery, ask: (query: SearchQuery) => Promise<SearchResult>): Promise<SearchResult>;
  /** What a prompt recalls, with what qmd finds in files among it, where it is used and answers in time. */
  recall(request: RecallRequest, ask: (request: RecallInput) => Promise<RecallResult>): Promise<RecallResult>;
  /** Forgets with the files: indexed before it, so that every line has an entry, and again after it. */
  forgetting(
    request: ForgetRequest,
    work: (lines: LineForgetting | undefined) => Promise<ForgetResult>,
  ): Promise<ForgetResult>;
  status(): Promise<{ files?: MemoryFilesStatus; dreaming?: DreamingStatus }>;
  close(): Promise<void>;
}

/** Over one open store; without `options` every call but those that an answer needs is rejected with `no_memory_files`. */
export function createFileHalf(
  options: MemoryFilesOptions | undefined,
  parts: {
    store: Store;
    redact: Redact;
    clock: Clock;
    newId: NewId;
    ahead: boolean | undefined;
    onStored: () => void;
    /** Rejects once the memory is closed. */
    opened: () => unknown;
    dreaming: DreamingOptions | undefined;
    search: (query: SearchQuery) => Promise<SearchResult>;
  },
): FileHalf {
  if (options === undefined) return noFiles;
  const { store, ahead, opened, dreaming = { isOn: false }, search, ...rest } = parts;
  const { settings = usualDreaming, isOn, noteEvent } = dreaming;
  const events = createMemoryEventLog({ root: options.root, clock: rest.clock });
  const files = createMemoryFiles({
    ...rest,
    ...{ options, events },
    forgetDerived: (of) => forgetDerived(store, of),
    leaveNoTrace: () => store.retryWhileLocked(store.leaveNoTrace),
    rows: store.fileRows,
    atOnce: (work) => store.retryWhileLocked(() => store.atOnce(work)),
    indexing: ahead === true ? 'ahead' : 'when asked',
  });
  const dreams = createDreaming({
    ...{ store, files, options, settings, isOn },
    noteEvent(event) {
      events.note(event);
      noteEvent?.(event);
    },
    ...{ redact: rest.redact, clock: rest.clock, newId: rest.newId },
    search: (text, audience, limit) =>
      search({ text, limit, scope: { audiences: [audience], spaces: [], everyone: false } }),
  });
  const qmd =
    options.qmd === undefined
      ? undefined
      : createQmd({
          ...{ options: options.qmd, files: options, rows: store.fileRows, chunks: store.chunks },
          ...{ clock: rest.clock, ahead: ahead === true },
        });
  const searched: FileHalf['searched'] = async (corpus, ask) => {
    const late = corpus === 'sessions' ? [] : await files.beforeSearch();
    const found = await ask();
    return { ...found, degraded: [...found.degraded, ...late] };
  };
  const byQmd = async (query: SearchQuery, ask: (query: SearchQuery) => Promise<SearchResult>) => {
    const { corpus = 'all', limit = usualLimit } = query;
    if (qmd === undefined || corpus === 'sessions') return ask(query);
    const inFiles = await qmd.search(query, limit).catch((error: unknown) => errorMessage(error));
    if (typeof inFiles === 'string') {
      const found = await ask(query);
      return { ...found, degraded: [...found.degraded, `the built-in index answers (${inFiles})`] };
    }
    if (corpus !== 'all') return { hits: inFiles, degraded: [] };
    const others = await ask({ ...query, corpus: 'sessions' });
    return { ...others, hits: inTurn([inFiles, others.hits], limit) };
  };
  return {
    calls: onlyOpen({ ...files.calls, ...dreams }, opened),
    searched,
    search: (query, ask) => searched(query.corpus, () => byQmd(query, ask)),
    recall: (request, ask) =>
      searched(undefined, async () => {
        // a look has less time, and reads again by id what it chose
        const isLook = request.admit !== undefined;
        const passages =
          qmd === undefined || isLook || request.text === '' ? undefined : await qmd.recall(request);
        return ask({ ...request, inPrompt: await request.inPrompt, passages });
      }),
    async forgetting(request, work) {
      const isThorough = request.proof !== 'none';
      if (isThorough) await files.settle();
      await events.written(); // so that no event of what is forgotten is written after it
      const forget = async (): Promise<ForgetResult> => {
        const done = await work(files.forgetting);
        if (done.forgotten && isThorough) await files.settle();
        return done;
      };
      if (qmd === undefined || request.mode === 'preview') return forget();
      if (isThorough) return qmd.without(forget);
      qmd.tidyLater();
      return forget();
    },
    async status() {
      const [about, backend] = [await files.status(), await qmd?.status()];
      const dreaming = await dreams.dreamingStatus();
      return { files: backend === undefined ? about : { ...about, backend }, dreaming };
    },
    async close() {
      await qmd?.close();
      await files.close();
    },
  };
}

const usualLimit = 8;

/** The same calls, each of which rejects once the memory is closed. */
function onlyOpen<T extends object>(calls: T, opened: () => unknown): T {
  const open = Object.entries(calls).map(([name, call]) => [
    name,
    async (...request: unknown[]): Promise<unknown> => {
      opened();
      return call(...request);
    },
  ]);
  return Object.fromEntries(open) as T; // with the names and signatures of the calls
}

const refuse = (): Promise<never> =>
  Promise.reject(
    new ParleyError('no_memory_files', 'This memory has no files.', {
      hint: 'Open it with the folder of its files.',
    }),
  );

/** What a memory without files answers. */
export const noFileCalls: FileHalf['calls'] = {
  filePrompt: async () => ({ block: '', texts: [], shown: [], degraded: [], corpora: [] }),
  readFile: refuse,
  readWholeFile: refuse,
  replaceFile: refuse,
  noteFile: refuse,
  editFile: refuse,
  listFiles: async () => [],
  convertFiles: async () => [],
  listArtifacts: async () => [],
  exportFiles: async () => [],
  indexFiles: refuse,
  recordUse: async () => 0,
  dueSweeps: async () => ({ due: [], next: undefined }),
  sweep: refuse,
  promoteRecalled: refuse,
  explainCandidate: refuse,
  remHarness: refuse,
  remBackfill: refuse,
  revertDreams: refuse,
  repairDreams: async () => [],
  dreamingStatus: refuse,
};

const noFiles: FileHalf = {
  calls: noFileCalls,
  searched: (_, ask) => ask(),
  search: (query, ask) => ask(query),
  recall: async (request, ask) => ask({ ...request, inPrompt: await request.inPrompt }),
  forgetting: (_, work) => work(undefined),
  status: async () => ({}),
  close: async () => {},
};
