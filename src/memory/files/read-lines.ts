// Lines of one file for a reader: only files that are memory, and only those that the scope may read.
import { lstat } from 'node:fs/promises';
import { contentTag } from '#base/content-tag.ts';
import { ParleyError } from '#base/errors.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { FileExcerpt, MemoryFilesOptions, ReadFileRequest, WholeFile } from '#memory/types/files.ts';
import type { Scope } from '#memory/types/scope.ts';
import { type AudienceFolder, mayReadFolder } from './audience-folder.ts';
import { type FoundFile, findFiles } from './find-files.ts';
import { withoutForgotten } from './lines.ts';
import { readRefusal, readTextFile, usualMaxBytes } from './read-text.ts';
import { findReports } from './report-files.ts';

const usualLines = 100;
const maxLines = 500;
/** Characters of one answer. */
const maxCharacters = 12_000;

interface ReadLinesDeps {
  options: MemoryFilesOptions;
  redact: Redact;
  isForgotten: (folder: string, line: string) => boolean;
}

/** One of the chat's own that does not exist yet: empty, so that its reader may write it. `path` is that inside its folder. */
interface FileToCome {
  isToCome: true;
  path: string;
  readOnly: boolean;
}

/** Where memory is in the folder of a chat: what lasts, what dreams wrote, notes, and reports. */
const ownPath = /^(?:MEMORY|DREAMS|memory\/(?:dreaming\/(?:[\w-]+\/)*)?[^/.\p{Cc}][^/\p{Cc}]*)\.md$/u;
const ofDreams = /^(?:DREAMS\.md$|memory\/dreaming\/)/;

/**
 * Reads lines of a file by its path in a list. A file that the scope may not read is as unknown as one that is not there. `MEMORY.md` without a folder
 * means the only one that the scope may read; one of the chat's own that does not exist yet is empty.
 */
export async function readLines(deps: ReadLinesDeps, request: ReadFileRequest): Promise<FileExcerpt> {
  const { from = 1, lines = usualLines } = request;
  const file = await fileAt(deps.options, request);
  if ('isToCome' in file) return { path: request.path, from: 1, until: 0, total: 0, text: '' };
  const text = await textOf(file, deps.options.maxBytes ?? usualMaxBytes);
  const all = (await shownOf(deps, { text, folder: file.folder })).replace(/\n$/, '').split('\n');
  const wanted = all.slice(from - 1, from - 1 + Math.min(lines, maxLines));
  let [size, count] = [0, 0];
  for (const line of wanted) {
    size += line.length + 1;
    if (size > maxCharacters && count > 0) break;
    count += 1;
  }
  const until = from - 1 + count;
  return {
    path: file.path,
    from,
    until,
    total: all.length,
    text: wanted.slice(0, count).join('\n').slice(0, maxCharacters),
    ...(until < all.length ? { next: until + 1 } : {}),
    ...(file.corpus === undefined && { audience: file.audience }),
  };
}

/** One file whole, for an editor: secrets masked, forgotten lines empty. `name` is its path inside its folder. */
export async function readWhole(
  deps: ReadLinesDeps,
  request: { scope: Scope; path: string },
): Promise<WholeFile & { name: string; audience?: FoundFile['audience'] }> {
  const file = await fileAt(deps.options, { ...request, reports: 'too' });
  if ('isToCome' in file)
    return { path: request.path, text: '', tag: contentTag(''), readOnly: file.readOnly, name: file.path };
  const text = await textOf(file, deps.options.maxBytes ?? usualMaxBytes);
  const { path, readOnly, folder, audience } = file;
  const shown = await shownOf(deps, { text, folder });
  const name = path.slice(folder.length + 1);
  return { path, text: shown, tag: contentTag(text), readOnly, name, audience };
}

async function shownOf(
  { redact, isForgotten }: ReadLinesDeps,
  { text, folder }: { text: string; folder: string },
): Promise<string> {
  // a line is known as forgotten only as the file has it, with its secrets
  const left = await withoutForgotten(text, { isGone: (line) => isForgotten(folder, line), redact });
  return (await redact(left)).text;
}

/** The files that the scope may read. */
export async function readableFiles(
  options: MemoryFilesOptions,
  scope: Scope | 'every audience',
): Promise<FoundFile[]> {
  const { files } = await findFiles(options);
  return scope === 'every audience' ? files : files.filter(isReadableBy(scope));
}

const isReadableBy =
  (scope: Scope) =>
  ({ audience, created }: Pick<FoundFile, 'audience' | 'created'>): boolean =>
    mayReadFolder(scope, audience, created);

async function fileAt(
  options: MemoryFilesOptions,
  { scope, path, corpus = 'all', reports }: Omit<ReadFileRequest, 'from' | 'lines'>,
): Promise<FoundFile | FileToCome> {
  const { files: all, folders } = await findFiles(options);
  const readable = all.filter(isReadableBy(scope));
  const files = corpus === 'all' ? readable : readable.filter((file) => (file.corpus ?? 'memory') === corpus);
  const exact = files.find((file) => file.path === path);
  if (exact !== undefined) return exact;
  const alike = files.filter((file) => file.path.endsWith(`/${path}`));
  const own = alike.filter((file) => file.corpus === undefined);
  // `MEMORY.md` is the chat's own, though a wiki has a page of this name
  const found = own.length > 0 ? own : alike;
  const isMemory = corpus === 'all' || corpus === 'memory';
  const ofFolders = folders.filter(isReadableBy(scope));
  const ending = found.length > 0 || !isMemory ? found : await reportsAt(options, { path, ofFolders });
  const [only] = ending;
  if (only !== undefined && ending.length === 1) {
    if (found.length > 0 || reports === 'too') return only;
    throw refused(only.path, 'is a report for people, and is not given to an assistant');
  }
  const folder = ofFolders.find(({ name }) => path.startsWith(`${name}/`));
  const inside = folder === undefined ? path : path.slice(folder.name.length + 1);
  if (ending.length === 0 && isMemory && ownPath.test(inside))
    return { isToCome: true, path: inside, readOnly: ofDreams.test(inside) };
  throw new ParleyError(
    'file_not_found',
    ending.length === 0
      ? `No memory file that may be read here is called ${JSON.stringify(path.slice(0, 200))}.`
      : `${ending.length} memory files are called ${path}: ${ending.map((file) => file.path).join(', ')}.`,
    { hint: 'Use a path as memory_search or the list of files gives it.' },
  );
}

/** Reports of dreams, which no index has: by the path, those that are there. */
async function reportsAt(
  options: MemoryFilesOptions,
  { path, ofFolders }: { path: string; ofFolders: readonly AudienceFolder[] },
): Promise<FoundFile[]> {
  if (!path.endsWith('.md')) return [];
  const names = ofFolders.map(({ name }) => name);
  const named = (await findReports(options.root, names)).filter(
    (report) => report.path === path || report.path.endsWith(`/${path}`),
  );
  const found = named.map(async (report): Promise<FoundFile | undefined> => {
    const about = await lstat(report.absolute).catch(() => undefined);
    const of = ofFolders.find(({ name }) => name === report.folder);
    if (about === undefined || of === undefined) return undefined;
    const { size, mtimeMs, ctimeMs } = about;
    return {
      ...report,
      ...{ size, mtimeMs, ctimeMs, audience: of.audience, created: of.created, corpus: undefined },
      ...{ readOnly: true, refused: readRefusal(about, options.maxBytes ?? usualMaxBytes) },
    };
  });
  return (await Promise.all(found)).filter((file) => file !== undefined);
}

async function textOf(file: FoundFile, maxBytes: number): Promise<string> {
  if (file.refused !== undefined) throw refused(file.path, file.refused);
  const read = await readTextFile(file.absolute, { root: file.root, maxBytes });
  switch (read.status) {
    case 'read':
      return read.text;
    case 'missing':
      throw refused(file.path, 'was deleted a moment ago');
    case 'changing':
      throw refused(file.path, 'is being written just now: try again');
    case 'refused':
      throw refused(file.path, read.words);
  }
}

function refused(path: string, words: string): ParleyError {
  return new ParleyError('file_refused', `The memory file ${path} ${words}.`);
}
