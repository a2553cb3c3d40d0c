// The files below a folder: links are not followed, and a folder that has no end is refused with a message.
import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, ParleyError } from '#base/errors.ts';

/** What an import may find at most; a folder with more is refused, since someone named the wrong one. */
export const walkBounds = {
  /** Files and folders that are looked at. */
  entries: 200_000,
  /** Of all files that are wanted together: 4 GiB. */
  bytes: 4 * 1024 ** 3,
  /** Folders in each other. */
  depth: 64,
};

type WalkBounds = typeof walkBounds;

export interface WalkLimits {
  /** Told of each symbolic link that would be wanted if it were what it leads to: it is not followed. */
  onLink?: ((path: string) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Smaller ones for tests. */
  bounds?: WalkBounds | undefined;
}

interface Walk extends WalkLimits {
  /** Called with each folder before it is read; what it returns chooses what is looked at in it. Links are never offered. */
  enter(folder: string): EntryFilter | Promise<EntryFilter>;
}

/** Whether an entry of the folder is wanted: a file to find, or a folder to enter. */
export type EntryFilter = (entry: Pick<Dirent, 'name' | 'isDirectory'>, path: string) => boolean;

/**
 * The wanted files below `root`, each folder in the order of its names. Throws a ParleyError `import_too_large` beyond the bounds, and
 * the reason of the signal once it has aborted.
 */
export async function filesBelow(
  root: string,
  { onLink, signal, bounds = walkBounds, enter }: Walk,
): Promise<string[]> {
  const found: string[] = [];
  let entries = 0;
  let bytes = 0;
  const walk = async (folder: string, depth: number): Promise<void> => {
    if (depth > bounds.depth) throw tooLarge(`${folder} is more than ${bounds.depth} folders deep`);
    const isWanted = await enter(folder);
    for (const entry of (await readdir(folder, { withFileTypes: true })).sort(byName)) {
      signal?.throwIfAborted();
      entries += 1;
      if (entries > bounds.entries)
        throw tooLarge(`${root} has more than ${bounds.entries} files and folders`);
      const path = join(folder, entry.name);
      // what a link leads to can be anywhere, also above this folder
      if (onLink !== undefined && entry.isSymbolicLink() && isWanted(await behind(entry.name, path), path))
        onLink(path);
      if (!(entry.isFile() || entry.isDirectory()) || !isWanted(entry, path)) continue;
      if (entry.isDirectory()) {
        await walk(path, depth + 1);
        continue;
      }
      bytes += (await lstat(path)).size;
      if (bytes > bounds.bytes) throw tooLarge(`${root} has more than ${bounds.bytes} bytes to import`);
      found.push(path);
    }
  };
  await walk(root, 1);
  return found;
}

/** Whether the files below the folder have more than `most` bytes together; a folder beyond the bounds has. */
export async function isLargerThan(
  root: string,
  most: number,
  signal?: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await filesBelow(root, { signal, bounds: { ...walkBounds, bytes: most }, enter: () => () => true });
    return false;
  } catch (error) {
    if (codeOf(error) === 'import_too_large') return true;
    throw error;
  }
}

/** What the link would be as that which it leads to; one that leads to nothing is taken for a file. */
async function behind(name: string, path: string): Promise<Pick<Dirent, 'name' | 'isDirectory'>> {
  const about = await stat(path).catch(() => undefined);
  return { name, isDirectory: () => about?.isDirectory() === true };
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

function tooLarge(what: string): ParleyError {
  return new ParleyError('import_too_large', `${what}.`, { hint: 'Name a folder inside it.' });
}
