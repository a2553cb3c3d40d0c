// The files of a zip, or of the folder that one was unpacked into, under the same names. Not their formats.
import { stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { ParleyError, wordsOf } from '#base/errors.ts';
import { bytesOf, refuseDatabase, refuseLarge } from './item.ts';
import { filesBelow, type Limits, type Wanted } from './walk.ts';

export interface ArchiveFile {
  /** With `/`, inside the archive. */
  name: string;
  bytes(): Promise<Uint8Array>;
}

export interface OpenedArchive {
  files: ArchiveFile[];
  close(): void;
}

/** Opens a zip or a folder; only files whose name ends so are listed, in the order of their names. */
export async function openArchive(path: string, ending: string, limits: Limits): Promise<OpenedArchive> {
  return (await stat(path)).isDirectory() ? openFolder(path, ending, limits) : openZip(path, ending, limits);
}

async function openFolder(root: string, ending: string, limits: Limits): Promise<OpenedArchive> {
  const isWanted: Wanted = (entry) => entry.isDirectory() || entry.name.endsWith(ending);
  const paths = await filesBelow(root, { ...limits, enter: () => isWanted });
  const files = paths.map((path) => {
    const name = relative(root, path).split(sep).join('/');
    return { name, bytes: async () => (await bytesOf(path)).bytes };
  });
  return { files: inOrder(files), close() {} };
}

/** What a name says of its place is not followed: the files are read where they are, and yauzl refuses names that lead out. */
async function openZip(path: string, ending: string, { signal }: Limits): Promise<OpenedArchive> {
  await refuseDatabase(path);
  const { openPromise } = await import('yauzl'); // which no other import needs
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(refused(path));
  const files: ArchiveFile[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      signal?.throwIfAborted();
      const { fileName: name, uncompressedSize } = entry;
      if (!name.endsWith(ending)) continue;
      const bytes = async (): Promise<Uint8Array> => {
        refuseLarge(`${path}/${name}`, uncompressedSize); // yauzl ends a file that turns out to be larger than it says
        const pieces: Buffer[] = [];
        for await (const part of await zip.openReadStreamPromise(entry)) pieces.push(part as Buffer);
        return Buffer.concat(pieces);
      };
      files.push({ name, bytes });
    }
  } catch (error) {
    zip.close();
    return refused(path)(error);
  }
  return { files: inOrder(files), close: () => zip.close() };
}

/** In words what yauzl says of a file that is no zip, or not a whole one. */
function refused(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new ParleyError('nothing_to_import', `${path} cannot be read as a zip: ${wordsOf(cause)}.`, {
      cure: 'Fetch it again, or unpack it and name the folder.',
      cause,
    });
  };
}

function inOrder(files: ArchiveFile[]): ArchiveFile[] {
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}
