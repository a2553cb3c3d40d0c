// Files that are whole or absent, and readable by their owner only. Of databases only their modes.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeOf, ParleyError } from '#base/errors.ts';
import { lazy } from '#base/lazy.ts';

/** The bit of a folder in which each user has their own files. */
const shared = 0o1000;

/** Makes the folder (owner only) and returns its path; a ParleyError `folder_unusable` says why not. */
export function ensureFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  } catch (cause) {
    throw new ParleyError(
      'folder_unusable',
      `The folder ${path} cannot be made (${codeOf(cause) ?? 'error'}).`,
      {
        hint: 'Choose a folder that this user may write, with PARLEY_HOME or `home` in the config.',
        cause,
      },
    );
  }
}

/**
 * Takes a file or folder from all but its owner: 0600 and 0700, or stricter. By its path: nothing is opened, so that a database may be
 * open in this process. What is not there, belongs to another user or is a folder that all users share (like /tmp) is left alone.
 */
export function closeToOthers(path: string): void {
  const about = statSync(path, { throwIfNoEntry: false });
  if (about === undefined || !isOpenToOthers(about) || (about.mode & shared) !== 0) return;
  try {
    chmodSync(path, about.mode & (about.isDirectory() ? 0o700 : 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'EROFS') throw error;
  }
}

/** Whether another user of the machine may read, write or enter it; Windows decides that by other means. */
export function isOpenToOthers({ mode }: { mode: number }): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

/** Replaces the file as a whole (temporary file, fsync, rename), mode 0600 unless set otherwise. */
export async function writeWhole(
  path: string,
  content: string | Uint8Array | AsyncIterable<string>,
  mode = 0o600,
): Promise<void> {
  await replaceWhole(path, { content, mode, isStill: () => true });
}

/** The same where `isStill` says so at the moment of the rename; false, and nothing written, otherwise. */
export async function replaceWhole(
  path: string,
  {
    content,
    mode = 0o600,
    isStill,
  }: {
    content: string | Uint8Array | AsyncIterable<string>;
    mode?: number | undefined;
    isStill: () => boolean;
  },
): Promise<boolean> {
  const temporary = temporaryBeside(path);
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!isStill()) {
      await rm(temporary, { force: true });
      return false;
    }
    renameSync(temporary, path);
    return true;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Writes a small file that can be made again. One that exists is replaced as a whole for every reader, also by a process that is
 * killed; a new one is written where it will stand, so that it may be torn after a kill, where there would be none otherwise. Both may
 * be torn after a power cut. Synchronous: where nothing may stand still meanwhile, it is a step of the disk's thread.
 */
export function writeNow(path: string, content: string): void {
  try {
    writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    replaceNow(path, content);
  }
}

function replaceNow(path: string, content: string): void {
  const temporary = temporaryBeside(path);
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The name belongs to this process alone: a file that a killed process left behind has another name. */
const mark = lazy(() => randomBytes(6).toString('hex'));
let made = 0;

function temporaryBeside(path: string): string {
  made += 1;
  return join(dirname(path), `.${mark()}${made.toString(16)}.tmp`);
}

/** The path with `~` at its beginning as the home folder of the account, which no shell has filled in where it was quoted or sent. */
export function fromHome(path: string): string {
  return path.replace(/^~(?=\/|$)/, () => homedir());
}
