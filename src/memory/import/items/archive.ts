// The files of a zip, of the folder that one was unpacked into, or one file on its own, under the same names. Not their formats.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { readWholeFile, refuseDatabase, refuseLarge } from './item.ts';
import type { JsonSource } from './json-stream.ts';
import { filesBelow, type WalkLimits, walkBounds } from './walk.ts';

/** A file that can be read as a stream, or, up to a limit, whole. */
export interface ArchiveFile extends JsonSource {
  /** With `/`, inside the archive. */
  name: string;
  bytes(): Promise<Uint8Array>;
}

interface OpenedArchive {
  /** In the order of their names. */
  files: ArchiveFile[];
  close(): void;
}

interface Listed extends WalkLimits {
  /** Which files are listed, by their names. */
  isWanted(name: string): boolean;
  /** Folders in each other that are looked at; all of them when absent. */
  depth?: number | undefined;
}

/** Folders that hold no history: what macOS adds to a zip, and the pictures of slackdump and DiscordChatExporter. */
const filled = /^(?:__MACOSX|__uploads|.*_Files)$/;

/** Opens a zip, a folder or a file. Throws a ParleyError `nothing_to_import` for a zip that cannot be read. */
export async function openArchive(path: string, listed: Listed): Promise<OpenedArchive> {
  if ((await stat(path)).isDirectory()) return openFolder(path, listed);
  await refuseDatabase(path);
  if (!/\.zip$/i.test(path)) return { files: [fileOf(path, basename(path))], close() {} };
  return openZip(path, listed);
}

function fileOf(path: string, name: string): ArchiveFile {
  return {
    name,
    path,
    async open() {
      await refuseDatabase(path);
      return createReadStream(path);
    },
    bytes: async () => (await readWholeFile(path)).bytes,
  };
}

async function openFolder(root: string, { isWanted, depth, ...limits }: Listed): Promise<OpenedArchive> {
  const nameOf = (path: string): string => relative(root, path).split(sep).join('/');
  const paths = await filesBelow(root, {
    ...limits,
    bounds: { ...walkBounds, bytes: Number.MAX_SAFE_INTEGER }, // large files are read as streams
    enter: () => (entry, path) => {
      if (entry.name.startsWith('.')) return false;
      if (!entry.isDirectory()) return isWanted(nameOf(path));
      return !filled.test(entry.name) && (depth === undefined || nameOf(path).split('/').length < depth);
    },
  });
  return { files: inOrder(paths.map((path) => fileOf(path, nameOf(path)))), close() {} };
}

/** What a name says of its place is not followed: the files are read where they are, and yauzl refuses names that lead out. */
async function openZip(path: string, { signal, isWanted }: Listed): Promise<OpenedArchive> {
  const { openPromise } = await import('yauzl'); // which no other import needs
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(refused(path));
  const files: ArchiveFile[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      signal?.throwIfAborted();
      const { fileName: name, uncompressedSize } = entry;
      const parts = name.split('/');
      if (!isWanted(name) || parts.some((part) => filled.test(part) || part.startsWith('.'))) continue;
      const whole = join(path, ...parts);
      // yauzl ends a file that turns out to be larger than it says
      const open = (): Promise<Readable> => zip.openReadStreamPromise(entry);
      const bytes = async (): Promise<Uint8Array> => {
        refuseLarge(whole, uncompressedSize);
        const pieces: Buffer[] = [];
        for await (const part of await open()) pieces.push(part as Buffer);
        return Buffer.concat(pieces);
      };
      files.push({ name, path: whole, open, bytes });
    }
  } catch (error) {
    zip.close();
    return refused(path)(error);
  }
  return { files: inOrder(files), close: () => zip.close() };
}

/** As text what yauzl says of a file that is no zip, or not a whole one. */
function refused(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new ParleyError('nothing_to_import', `${path} cannot be read as a zip: ${errorMessage(cause)}.`, {
      hint: 'Fetch it again, or unpack it and name the folder.',
      cause,
    });
  };
}

function inOrder(files: ArchiveFile[]): ArchiveFile[] {
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}
