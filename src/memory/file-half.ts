// The half of a memory that is files, or an empty one where a memory has no files.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { LineForgetting } from '#memory/files/forget-lines.ts';
import { createMemoryFiles } from '#memory/files/memory-files.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { Store } from '#memory/store/store.ts';
import type { FileCalls, MemoryFilesOptions, MemoryFilesStatus } from '#memory/types/files.ts';
import type { ForgetRequest, ForgetResult } from '#memory/types/maintenance.ts';

export interface FileHalf {
  calls: FileCalls;
  /** Indexes what changed before a question; the answer with what is not indexed yet. */
  searched<T extends { degraded: string[] }>(corpus: string | undefined, ask: () => Promise<T>): Promise<T>;
  /** Forgets with the files: indexed before it, so that every line has an entry, and again after it. */
  forgetting(
    request: ForgetRequest,
    work: (lines: LineForgetting | undefined) => Promise<ForgetResult>,
  ): Promise<ForgetResult>;
  status(): Promise<{ files?: MemoryFilesStatus }>;
  close(): Promise<void>;
}

/** Over one open store; without `options` every call but those of a prompt is rejected with `no_memory_files`. */
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
  },
): FileHalf {
  if (options === undefined) return noFiles;
  const { store, ahead, opened, ...rest } = parts;
  const files = createMemoryFiles({
    ...rest,
    options,
    rows: store.fileRows,
    atOnce: (work) => store.retryWhileLocked(() => store.atOnce(work)),
    indexing: ahead === true ? 'ahead' : 'when asked',
  });
  const open =
    <Request extends unknown[], T>(call: (...request: Request) => Promise<T>) =>
    async (...request: Request): Promise<T> => {
      opened();
      return call(...request);
    };
  return {
    calls: {
      filePrompt: open(files.filePrompt),
      readFile: open(files.readFile),
      readWholeFile: open(files.readWholeFile),
      replaceFile: open(files.replaceFile),
      noteFile: open(files.noteFile),
      editFile: open(files.editFile),
      listFiles: open(files.listFiles),
      indexFiles: open(files.indexFiles),
    },
    async searched(corpus, ask) {
      const late = corpus === 'sessions' ? [] : await files.beforeSearch();
      const found = await ask();
      return { ...found, degraded: [...found.degraded, ...late] };
    },
    async forgetting(request, work) {
      const isThorough = request.proof !== 'none';
      if (isThorough) await files.settle();
      const done = await work(files.forgetting);
      if (done.forgotten && isThorough) await files.settle();
      return done;
    },
    status: async () => ({ files: await files.status() }),
    close: files.close,
  };
}

const refuse = (): Promise<never> =>
  Promise.reject(
    new ParleyError('no_memory_files', 'This memory has no files.', {
      hint: 'Open it with the folder of its files.',
    }),
  );

const noFiles: FileHalf = {
  calls: {
    filePrompt: async () => ({ block: '', texts: [], shown: [], degraded: [] }),
    readFile: refuse,
    readWholeFile: refuse,
    replaceFile: refuse,
    noteFile: refuse,
    editFile: refuse,
    listFiles: async () => [],
    indexFiles: refuse,
  },
  searched: (_, ask) => ask(),
  forgetting: (_, work) => work(undefined),
  status: async () => ({}),
  close: async () => {},
};
