// One file read whole, or why not, as text: links, devices, other encodings and large files are refused before anything is read.
import { constants, lstatSync, type Stats } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import { codeOf, errorMessage } from '#base/errors.ts';
import { recognizeText } from '#base/files/decode-text.ts';

/** Shows whether a file changed; `ctimeMs` also changes with who may read it, and where a copy brought an old time along. */
export interface FileState {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
}

type FileRead<T> =
  | ({ status: 'read' } & T & FileState)
  | { status: 'missing' }
  /** It changed while it was read. */
  | { status: 'changing' }
  | { status: 'refused'; words: string };

export type TextFile = FileRead<{ text: string }>;

/** The most that a file may have where nothing else is set. */
export const usualMaxBytes = 4 * 1024 * 1024;

/** An editor that empties a file writes it again within this time, in milliseconds. */
export const refillMs = 2_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL bytes are what is looked for.
const nul = /\x00/;

/** Reads UTF-8 text of a plain file inside `root`, which no link leads out of. Never throws. */
export async function readTextFile(
  path: string,
  within: { root: string; maxBytes: number },
): Promise<TextFile> {
  const read = await readPlainFile(path, within);
  if (read.status !== 'read') return read;
  const { bytes, ...state } = read;
  const text = utf8Of(bytes);
  if (text !== undefined && !nul.test(text)) return { ...state, text: text.replaceAll('\r\n', '\n') };
  const isText = text === undefined || recognizeText(bytes, 'said to be text') !== undefined;
  return {
    status: 'refused',
    words: isText
      ? 'is not UTF-8 text: save it as UTF-8, or have "parley memory files --fix" do it'
      : 'has NUL bytes, so it is no text',
  };
}

/** The same for its bytes, whatever they are. */
export async function readPlainFile(
  path: string,
  { root, maxBytes }: { root: string; maxBytes: number },
): Promise<FileRead<{ bytes: Uint8Array }>> {
  try {
    const about = await lstat(path);
    const words = readRefusal(about, maxBytes) ?? (await leaves(path, root));
    if (words !== undefined) return { status: 'refused', words };
    // between the look and the open it may have become a link or a pipe
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const before = await handle.stat();
      const changed = readRefusal(before, maxBytes);
      if (changed !== undefined) return { status: 'refused', words: changed };
      const bytes = await handle.readFile();
      const after = await handle.stat();
      if (!isSame(before, after) || bytes.length !== after.size) return { status: 'changing' };
      const { size, mtimeMs, ctimeMs } = after;
      return { status: 'read', bytes, size, mtimeMs, ctimeMs };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return failed(error);
  }
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Equal as far as a disk says. */
export function isSame(one: FileState, other: FileState): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs;
}

/** Whether the file at the path is still what was read there, or still missing. */
export function isUnchanged(path: string, before: FileRead<object>): boolean {
  const now = lstatSync(path, { throwIfNoEntry: false });
  return before.status === 'read' ? now !== undefined && isSame(now, before) : now === undefined;
}

/** Why a thing at a path is not read; undefined for a plain file of a size that is. */
export function readRefusal(
  about: Pick<Stats, 'isSymbolicLink' | 'isDirectory' | 'isFile' | 'nlink' | 'size'>,
  maxBytes: number,
): string | undefined {
  if (about.isSymbolicLink()) return 'is a symbolic link, which is not followed';
  if (about.isDirectory()) return 'is a folder, and a file was expected';
  if (!about.isFile()) return 'is a device or a pipe, and a file was expected';
  if (about.nlink > 1)
    return 'is a hard link: the same file has another name, which may be outside. Put a copy in its place';
  if (about.size > maxBytes) return `has ${about.size} bytes, and at most ${maxBytes} are read: split it`;
  return undefined;
}

/** Words when a link above the file leads out of the folder. */
async function leaves(path: string, root: string): Promise<string | undefined> {
  const [folder, top] = await Promise.all([realpath(dirname(path)), realpath(root)]);
  const expected = relative(root, dirname(path));
  const way = relative(top, folder);
  return way === expected && way.split(sep)[0] !== '..' ? undefined : 'is behind a symbolic link';
}

function failed(error: unknown): Exclude<TextFile, { status: 'read' }> {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { status: 'missing' };
    case 'EACCES':
    case 'EPERM':
      return { status: 'refused', words: 'cannot be read: this user has no permission' };
    case 'ELOOP':
      return { status: 'refused', words: 'is a symbolic link, which is not followed' };
    default:
      return { status: 'refused', words: `cannot be read (${errorMessage(error)})` };
  }
}
