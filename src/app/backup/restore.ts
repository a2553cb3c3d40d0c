// A backup put back into a home folder: looked through first, made ready next to what is there, then exchanged. Deletes nothing that it replaces.
import { existsSync, renameSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { qmdFolder } from '#app/home/folders.ts';
import { unfinishedRestore } from '#app/home/home-lock.ts';
import { keepHome } from '#app/home/home-share.ts';
import { lockHomeWhenFree } from '#app/home/home-wait.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { storageCodeOf } from '#base/files/disk-failures.ts';
import { ensureFolder, writeWhole } from '#base/files/files.ts';
import { createIds } from '#base/ids.ts';
import { forgetAgain } from '#memory/memory.ts';
import { copyFile, fileHash, linkFile } from './copy.ts';
import { backedUp, bytesOfBackup, filesOfBackup, type Manifest, readManifest } from './manifest.ts';
import { assertIntact, damaged, settleCopy } from './snapshot.ts';
import type { BackupProgress } from './write.ts';

export interface Restored {
  manifest: Manifest;
  /** Where what was there before is now; undefined when nothing was there. */
  replaced: string | undefined;
  /** How many memories, forgotten after the backup, were forgotten again; or why what was forgotten is not known. */
  forgottenAgain: number | { unknown: string };
}

const memoryFile = 'memory.sqlite';

/** Looks whether every file of the backup is there and whole; a ParleyError names the first that is not. `onProgress` is called with bytes. */
export async function verifyBackup(
  folder: string,
  onProgress: (progress: BackupProgress) => void,
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const progress = { done: 0, total: bytesOfBackup(manifest) };
  for (const { path, bytes, sha256 } of filesOfBackup(manifest)) {
    const full = join(folder, path);
    const about = await stat(full).catch(() => undefined);
    if (about?.isFile() !== true) throw damaged(full, 'it is missing');
    if (about.size !== bytes) throw damaged(full, `it has ${about.size} bytes, not ${bytes}`);
    if ((await fileHash(full)).sha256 !== sha256) throw damaged(full, 'it is not what was written');
    progress.done += bytes;
    onProgress({ ...progress });
  }
  for (const { name } of manifest.ledgers) assertIntact(join(folder, name));
  return manifest;
}

/**
 * Restores the backup in `folder` into `home`, in which nothing may run. When `home` is not empty, it throws a ParleyError `home_not_empty`;
 * with `over` set to `replace` it moves the present files into a separate folder there. What it refuses it refuses before it reads the
 * backup. A failure before the exchange changes nothing; a
 * process that dies during the exchange leaves a home folder that every start refuses.
 */
export async function restoreBackup(options: {
  home: string;
  folder: string;
  over: 'refuse' | 'replace';
  clock: Clock;
  /** In bytes. */
  onProgress?: ((progress: BackupProgress) => void) | undefined;
}): Promise<Restored> {
  const { home, over, clock, onProgress = () => undefined } = options;
  const folder = resolve(options.folder);
  await readManifest(folder);
  const locks = new DisposableStack();
  /** Refuses what cannot be replaced, and keeps everyone else out from here on. */
  const enter = async (): Promise<void> => {
    for (const role of ['engine', 'channels'] as const) {
      const lock = await lockHomeWhenFree(home, role, 'restore');
      locks.defer(() => lock.release());
    }
    const there = await namesToReplace(home);
    if (there.length > 0 && over === 'refuse')
      throw new ParleyError('home_not_empty', `The home folder ${home} is not empty (${there.join(', ')}).`, {
        hint: 'With --replace it is exchanged; what is there now moves into a folder `replaced-...` in it.',
      });
    const kept = keepHome(home);
    locks.defer(() => kept.release());
  };
  try {
    // before the backup is read: that takes minutes where it is large
    const isThere = existsSync(home);
    if (isThere) await enter();
    const twice = ({ done, total }: BackupProgress): void => onProgress({ done, total: 2 * total });
    const manifest = await verifyBackup(folder, twice); // read once, then copied
    const progress = { done: bytesOfBackup(manifest), total: 2 * bytesOfBackup(manifest) };
    const onBytes = (bytes: number): void => {
      progress.done += bytes;
      onProgress({ ...progress });
    };
    if (!isThere) {
      ensureFolder(home);
      await enter();
    }
    const staged = join(home, `.restore-${clock.now()}`);
    try {
      await stage(manifest, { folder, staged, onBytes });
      const forgottenAgain = await forgetInStaged({ home, staged, clock });
      // Logs come and go with the commands that were waited for.
      const replaces = await namesToReplace(home);
      const replaced = await exchange({ home, folder, staged, there: replaces, now: clock.now() });
      return { manifest, replaced, forgottenAgain };
    } finally {
      await rm(staged, { recursive: true, force: true });
    }
  } finally {
    locks.dispose();
  }
}

/** What a restore would replace, with the logs of the ledgers. */
async function namesToReplace(home: string): Promise<string[]> {
  const names = await readdir(home);
  return names.filter((name) => backedUp.includes(name.replace(/-(wal|shm|journal)$/, ''))).sort();
}

/** Copies everything to where it is only renamed from; the same content once, as uploads are stored. */
async function stage(
  manifest: Manifest,
  { folder, staged, onBytes }: { folder: string; staged: string; onBytes: (bytes: number) => void },
): Promise<void> {
  await mkdir(staged, { mode: 0o700 });
  const copies = new Map<string, string>();
  for (const { path, bytes, sha256 } of filesOfBackup(manifest)) {
    const to = join(staged, path);
    const key = `${path.split('/')[0]} ${sha256}`;
    const before = copies.get(key);
    if (before === undefined || !(await linkFile(before, to))) {
      const copied = await copyFile(join(folder, path), to);
      if (copied?.sha256 !== sha256) throw damaged(join(folder, path), 'it changed while it was copied');
    }
    copies.set(key, to);
    onBytes(bytes);
  }
}

/** Forgets in what comes back what the memory that goes has forgotten; one that cannot be read does not stand in the way. */
async function forgetInStaged(options: {
  home: string;
  staged: string;
  clock: Clock;
}): Promise<Restored['forgottenAgain']> {
  const { home, staged, clock } = options;
  const [from, to] = [join(home, memoryFile), join(staged, memoryFile)];
  if (!existsSync(from) || !existsSync(to)) return 0;
  let forgotten: number;
  try {
    forgotten = await forgetAgain({ from, to, clock, newId: createIds(clock) });
  } catch (error) {
    if (storageCodeOf(error) === undefined) throw error;
    return { unknown: errorMessage(error) };
  }
  settleCopy(to);
  return forgotten;
}

/** The path, or with a number behind it where something is there already: of another restore in the same second. */
function freeName(path: string): string {
  let free = path;
  for (let number = 2; existsSync(free); number += 1) free = `${path}-${number}`;
  return free;
}

/** Moves what is there aside and the new into its place; back again when that fails. */
async function exchange(options: {
  home: string;
  folder: string;
  staged: string;
  there: readonly string[];
  now: number;
}): Promise<string | undefined> {
  const { home, folder, staged, there } = options;
  const aside = freeName(
    join(home, `replaced-${new Date(options.now).toISOString().replace(/[-:]|\.\d+/g, '')}`),
  );
  const mark = join(home, unfinishedRestore);
  const moved: [from: string, to: string][] = [];
  const move = async (from: string, to: string): Promise<void> => {
    await rename(from, to);
    moved.push([from, to]);
  };
  await writeWhole(mark, `${folder}\n`);
  try {
    // it holds texts of the files that go, and is made again from those that come
    await rm(join(home, qmdFolder), { recursive: true, force: true });
    if (there.length > 0) await mkdir(aside, { mode: 0o700 });
    for (const name of there) await move(join(home, name), join(aside, name));
    for (const name of await readdir(staged)) await move(join(staged, name), join(home, name));
  } catch (error) {
    for (const [from, to] of moved.toReversed()) if (existsSync(to)) renameSync(to, from);
    if (existsSync(aside)) await rmdir(aside); // empty: all of it was moved back
    await rm(mark, { force: true });
    throw error;
  }
  await rm(mark, { force: true });
  return there.length > 0 ? aside : undefined;
}
