// Lines of one file for a reader: only files that are memory, and only those that the scope may read.
import { contentTag } from '#base/content-tag.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { FileExcerpt, MemoryFilesOptions, ReadFileRequest, WholeFile } from '#memory/types/files.ts';
import type { Scope } from '#memory/types/scope.ts';
import { mayReadFolder } from './audience-folder.ts';
import { type FoundFile, findFiles } from './find-files.ts';
import { withoutForgotten } from './lines.ts';
import { readTextFile, usualMaxBytes } from './read-text.ts';

const usualLines = 100;
const maxLines = 500;
/** Characters of one answer. */
const maxCharacters = 12_000;

interface ReadLinesDeps {
  options: MemoryFilesOptions;
  redact: Redact;
  isForgotten: (folder: string, line: string) => boolean;
}

/**
 * Reads lines of a file by its path in a list. A file that the scope may not read is as unknown as one that is not there. `MEMORY.md` without a folder
 * means the only one that the scope may read; one of the chat's own that does not exist yet is empty, so that its reader may write it.
 */
export async function readLines(deps: ReadLinesDeps, request: ReadFileRequest): Promise<FileExcerpt> {
  const { from = 1, lines = usualLines } = request;
  const file = await fileAt(deps.options, request).catch((error: unknown) => {
    if (codeOf(error) === 'file_not_found' && isYetToWrite(request)) return undefined;
    throw error;
  });
  if (file === undefined) return { path: request.path, from: 1, until: 0, total: 0, text: '' };
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

/** Whether the path is one of those that Parley writes in the folder of a chat, whatever is there. */
function isYetToWrite({ path, corpus = 'all' }: ReadFileRequest): boolean {
  return ['all', 'memory'].includes(corpus) && /^(?:MEMORY\.md|memory\/\d{4}-\d\d-\d\d\.md)$/.test(path);
}

/** One file whole, for an editor: secrets masked, forgotten lines empty. */
export async function readWhole(
  deps: ReadLinesDeps,
  request: { scope: Scope; path: string },
): Promise<WholeFile & Pick<FoundFile, 'folder' | 'audience'>> {
  const file = await fileAt(deps.options, request);
  const text = await textOf(file, deps.options.maxBytes ?? usualMaxBytes);
  const { path, readOnly, folder, audience } = file;
  const shown = await shownOf(deps, { text, folder });
  return { path, text: shown, tag: contentTag(text), readOnly, folder, audience };
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
  if (scope === 'every audience') return files;
  return files.filter(({ audience, created }) => mayReadFolder(scope, audience, created));
}

async function fileAt(
  options: MemoryFilesOptions,
  { scope, path, corpus = 'all' }: Pick<ReadFileRequest, 'scope' | 'path' | 'corpus'>,
): Promise<FoundFile> {
  const readable = await readableFiles(options, scope);
  const files = corpus === 'all' ? readable : readable.filter((file) => (file.corpus ?? 'memory') === corpus);
  const exact = files.find((file) => file.path === path);
  if (exact !== undefined) return exact;
  const alike = files.filter((file) => file.path.endsWith(`/${path}`));
  const own = alike.filter((file) => file.corpus === undefined);
  // `MEMORY.md` is the chat's own, though a wiki has a page of this name
  const ending = own.length > 0 ? own : alike;
  const [only] = ending;
  if (only !== undefined && ending.length === 1) return only;
  throw new ParleyError(
    'file_not_found',
    ending.length === 0
      ? `No memory file that may be read here is called ${JSON.stringify(path.slice(0, 200))}.`
      : `${ending.length} memory files are called ${path}: ${ending.map((file) => file.path).join(', ')}.`,
    { hint: 'Use a path as memory_search or the list of files gives it.' },
  );
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
