// Memory as files, in one piece: reading and writing them, their index, the watcher, and forgetting in them.
import { ParleyError } from '#base/errors.ts';
import type { IndexedFile } from '#memory/chunks/file-rows.ts';
import type { FileCalls, MemoryFile, MemoryFilesOptions, MemoryFilesStatus } from '#memory/types/files.ts';
import { diskAndClock } from './disk-and-clock.ts';
import type { MemoryEventLog } from './event-log.ts';
import { exportFiles } from './export-files.ts';
import type { Look } from './file-index.ts';
import { filePrompt, usualCharacters } from './file-prompt.ts';
import type { FoundFile } from './find-files.ts';
import { createLineForgetting, type ForgetDerived, type LineForgetting } from './forget-lines.ts';
import { createFreshIndex, type FreshIndex, type FreshIndexDeps } from './fresh-index.ts';
import { listArtifacts } from './list-artifacts.ts';
import { readableFiles, readLines, readWhole } from './read-lines.ts';
import { convertFiles, type RewriteFile } from './rewrite-file.ts';
import { createFileWriter } from './write-files.ts';

export interface MemoryFiles extends Pick<FreshIndex, 'beforeSearch' | 'settle'> {
  calls: FileCalls;
  forgetting: LineForgetting;
  /** Changes one file of an audience's folder, one writer at a time. */
  rewrite: RewriteFile;
  status(): Promise<MemoryFilesStatus>;
  close(): Promise<void>;
}

interface MemoryFilesDeps extends FreshIndexDeps {
  /** What else is forgotten with passages: lines that were made of them. */
  forgetDerived: ForgetDerived;
  events: MemoryEventLog;
}

/** Over one open store. */
export function createMemoryFiles(deps: MemoryFilesDeps): MemoryFiles {
  const { options, rows, atOnce, redact, clock } = deps;
  const closed = new AbortController();
  const forgetting = createLineForgetting({
    ...{ options, rows, atOnce, clock, forgetDerived: deps.forgetDerived, redact },
    reindex: () => index.settle(),
  });
  const { isForgotten } = forgetting;
  const writer = createFileWriter({ options, rows, atOnce, redact, clock });
  const index = createFreshIndex({ ...deps, forgetting, signal: closed.signal });
  const written = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    index.changed();
    return done;
  };

  const calls: FileCalls = {
    filePrompt: (request) =>
      filePrompt({ options, redact, isForgotten, now: clock.now(), held: index.held }, request),
    readFile: (request) => readLines({ options, redact, isForgotten }, request),
    async readWholeFile(request) {
      const { name: _, audience: _a, ...file } = await readWhole({ options, redact, isForgotten }, request);
      return file;
    },
    async replaceFile({ scope, path, audience, ...rest }) {
      const file = await readWhole({ options, redact, isForgotten }, { scope, path });
      // one that does not exist yet has no audience: it is written into the folder of the one that is named
      const { name, audience: owner = audience } = file;
      if (file.readOnly || owner !== audience)
        throw new ParleyError('file_refused', `The memory file ${file.path} may only be read.`);
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
    convertFiles: ({ scope }) => written(convertFiles(options, scope)),
    indexFiles: (request) => index.sync({ ...request, tidy: true }),
  };

  return {
    calls,
    forgetting,
    beforeSearch: index.beforeSearch,
    settle: index.settle,
    rewrite: (audience, name, change) => written(writer.rewrite(audience, name, change)),
    async status() {
      const look = await index.look();
      const { watcher: state, words } = index.watcher();
      const status = statusOf(look, options);
      return {
        ...status,
        refused: [...status.refused, ...deps.events.problems()],
        leftBehind: rows.orphans().length,
        problems: await diskAndClock(options.root, look.files, clock.now()),
        watcher: state,
        ...(words === undefined ? {} : { watcherWords: words }),
      };
    },
    async close() {
      closed.abort();
      await index.ended();
      await deps.events.written();
    },
  };
}

function listed(file: FoundFile, row: IndexedFile | undefined): MemoryFile {
  const { path, absolute, audience, size, readOnly } = file;
  const problem = file.refused ?? row?.problem ?? undefined;
  const isCurrent = row !== undefined && row.size === size && row.mtimeMs === file.mtimeMs;
  return {
    path,
    absolute,
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
): Omit<MemoryFilesStatus, 'watcher' | 'leftBehind' | 'problems'> {
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
