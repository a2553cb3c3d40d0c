// What is older than the retention in the uploads folder: found, and deleted if that is wanted. When that happens is not decided here.
import type { Dirent } from 'node:fs';
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '#base/errors.ts';
import { contentFolder } from './store.ts';

interface OldFile {
  /** Inside the folder, with slashes. */
  path: string;
  bytes: number;
  /** When it came, in milliseconds since the epoch. */
  at: number;
}

const dayMs = 24 * 3600_000;
/** The name that the store gives; anything else in the folder is someone else's and stays. */
const named = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z_/;

/** Files that came `days` days or longer before `now`, oldest first; none when the folder is not there. Changes nothing. */
export async function oldFiles(
  folder: string,
  { days, now }: { days: number; now: number },
): Promise<OldFile[]> {
  const old: OldFile[] = [];
  for (const channel of await foldersIn(folder)) {
    for (const place of await foldersIn(join(folder, channel))) {
      for (const entry of await entriesOf(join(folder, channel, place))) {
        const path = [channel, place, entry.name].join('/');
        const file = entry.isFile() ? await ageOf(join(folder, path), entry.name) : undefined;
        if (file !== undefined && file.at <= now - days * dayMs) old.push({ path, ...file });
      }
    }
  }
  return old.sort((a, b) => a.at - b.at || (a.path < b.path ? -1 : 1));
}

/** Deletes these files, the contents that no name is left for, and folders that become empty. What no longer exists is no error. */
export async function deleteFiles(folder: string, files: readonly Pick<OldFile, 'path'>[]): Promise<void> {
  for (const { path } of files) await rm(join(folder, path), { force: true });
  const contents = join(folder, contentFolder);
  for (const entry of await entriesOf(contents)) {
    const path = join(contents, entry.name);
    const found = await stat(path).catch(() => undefined);
    // The store links a content before it names it: what has one link only is named by nobody.
    if (found?.nlink === 1) await rm(path, { force: true });
  }
  for (const channel of await foldersIn(folder))
    for (const place of await foldersIn(join(folder, channel)))
      await rmdir(join(folder, channel, place)).catch(ignoreFull);
}

/** When a file came: as its name says, or later when it reached this machine later. */
async function ageOf(path: string, name: string): Promise<{ bytes: number; at: number } | undefined> {
  const [, ...digits] = named.exec(name) ?? [];
  if (digits.length === 0) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = digits.map(Number);
  const writtenAt = Date.UTC(year, month - 1, day, hour, minute, second);
  const found = await stat(path).catch(() => undefined);
  return found && { bytes: found.size, at: Math.max(writtenAt, Math.floor(found.mtimeMs)) };
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await entriesOf(folder);
  return entries.filter((one) => one.isDirectory() && !one.name.startsWith('.')).map(({ name }) => name);
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function ignoreFull(error: unknown): void {
  const code = codeOf(error);
  if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error;
}
