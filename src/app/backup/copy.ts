// Files copied byte by byte with their hash, and the folders they are found in.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, link, open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '#base/errors.ts';
import { ensureFolder } from '#base/files/files.ts';

export interface FileEntry {
  /** Inside the folder that was looked through, with slashes. */
  path: string;
  bytes: number;
  /** The same for two names of one file. */
  file: string;
}

/** Every plain file under `folder`, in order of its path; none when there is no such folder. What vanishes during the listing is left out. */
export async function filesUnder(folder: string): Promise<FileEntry[]> {
  const found: FileEntry[] = [];
  const look = async (inside: string): Promise<void> => {
    const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(ignoreGone([]));
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory()) await look(path);
      // What is being written has such a name until it is whole; nothing else of Parley ends so.
      if (!entry.isFile() || /^\.[0-9a-f]+\.tmp$/.test(entry.name)) continue;
      const about = await stat(join(folder, path)).catch(ignoreGone(undefined));
      if (about !== undefined) found.push({ path, bytes: about.size, file: `${about.dev}:${about.ino}` });
    }
  };
  await look('');
  return found;
}

/** The size and SHA-256 of a file, read as a stream. */
export async function fileHash(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Copies a file that does not exist there yet, readable only by its owner and safe on the disk; what was copied. Undefined when the source is gone. */
export async function copyFile(
  from: string,
  to: string,
): Promise<{ bytes: number; sha256: string } | undefined> {
  const source = await open(from, 'r').catch(ignoreGone(undefined));
  if (source === undefined) return undefined;
  try {
    ensureFolder(dirname(to));
    const target = await open(to, 'wx', 0o600);
    try {
      return await pour(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function pour(source: FileHandle, target: FileHandle): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(256 * 1024);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length);
    if (bytesRead === 0) break;
    const piece = buffer.subarray(0, bytesRead);
    hash.update(piece);
    await target.writeFile(piece);
    bytes += bytesRead;
  }
  await target.sync();
  return { bytes, sha256: hash.digest('hex') };
}

/** A second name for a file; false where the file system has none, and the file has to be copied again. */
export async function linkFile(from: string, to: string): Promise<boolean> {
  ensureFolder(dirname(to));
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'].includes(codeOf(error) ?? ''))
      return false;
    throw error;
  }
}

function ignoreGone<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if (codeOf(error) === 'ENOENT') return otherwise;
    throw error;
  };
}
