// What an import takes one by one: a file, or a chat or a day of a history.
import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { ParleyError } from '#base/errors.ts';
import type { NewChunk } from '#memory/chunks/sources.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { ImportRequest } from '#memory/types/import.ts';
import type { Tally } from './tally.ts';
import type { WalkLimits } from './walk.ts';

/** What every format is read with. */
export interface ImportContext {
  request: ImportRequest;
  /** The same, and it counts what was masked. */
  redact: Redact;
  /** Counts what is passed over, and why. */
  tally: Tally;
  /** Told of each symbolic link that is not followed; nobody when absent. */
  onLink?: ((path: string) => void) | undefined;
}

/** How the files of a format are looked for. */
export function limitsOf({ request: { signal }, onLink }: ImportContext): WalkLimits {
  return { signal, onLink };
}

interface Opened {
  /** Equal for equal contents. */
  contentHash: string;
  /** Its chunks in order, without secrets. Throws a ParleyError that names what does not fit. */
  read(): AsyncIterable<NewChunk>;
  /** True where it is known to be readable to its end: it may be stored before all of it was read. */
  isSound?: boolean | undefined;
}

export interface Item {
  /** Where it is, as messages name it and by which it is known again; below the path that is imported. */
  path: string;
  open(): Promise<Opened>;
}

/** A larger file is refused where it is read whole. Histories of platforms are read as streams, and have no such limit. */
export const largestBytes = 256 * 1024 * 1024;

/** A file of at most `most` bytes as an item: its text is decoded as UTF-8, and refused when it is none. */
export function fileItem(
  path: string,
  read: (text: string, at: number) => AsyncIterable<NewChunk>,
  most = largestBytes,
): Item {
  return {
    path,
    async open() {
      const { bytes, at } = await readWholeFile(path, most);
      return {
        contentHash: digest(bytes),
        read: () => read(textOf(bytes, path), at),
      };
    },
  };
}

/** The text of UTF-8; throws a ParleyError `nothing_to_import` that names the file for anything else. */
export function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ParleyError('nothing_to_import', `${path} is not UTF-8 text.`, {
      hint: 'Save it as UTF-8, and import it again.',
      cause,
    });
  }
}

/** A file whole, and when it was changed last. */
export async function readWholeFile(
  path: string,
  most = largestBytes,
): Promise<{ bytes: Buffer; at: number }> {
  await refuseDatabase(path);
  const { size, mtimeMs } = await stat(path);
  refuseLarge(path, size, most);
  return { bytes: await readFile(path), at: Math.round(mtimeMs) };
}

/**
 * Throws a ParleyError `nothing_to_import`, also for a link to one. This process may have it open in SQLite, whose locks the system drops
 * when the process closes the file that it read.
 */
export async function refuseDatabase(path: string): Promise<void> {
  const names = [path, await realpath(path)].map((each) => basename(each));
  if (!names.some((name) => /\.sqlite(-wal|-shm|-journal)?$/.test(name))) return;
  throw new ParleyError('nothing_to_import', `${path} is a database, which is not imported.`, {
    hint: 'Export it first, and import what you get.',
  });
}

/** Throws a ParleyError `file_too_large` with a message. */
export function refuseLarge(path: string, size: number, most = largestBytes): void {
  if (size <= most) return;
  throw new ParleyError('file_too_large', `${path} has ${size} bytes; the most is ${most}.`, {
    hint: 'Split it into smaller files.',
  });
}

/** SHA-256 in hexadecimal. */
export function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** SHA-256 of a file of any size, in hexadecimal. */
export async function digestOfFile(open: () => Promise<Readable>, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of await open()) {
    signal?.throwIfAborted();
    hash.update(piece as Uint8Array);
  }
  return hash.digest('hex');
}
