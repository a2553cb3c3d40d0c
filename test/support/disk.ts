// Disks that really refuse: full, read-only, not writable. For tests on Linux as root; elsewhere they say why they skip.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { codeOf } from '#base/errors.ts';
import { tempFolder } from './temp-folder.ts';

export interface Disk {
  path: string;
  /** Takes every byte that is left. */
  fill(): void;
  /** Gives back what `fill` took. */
  free(): void;
  /** `ro`: nothing can be written there; no file there may be open for writing. */
  access(mode: 'ro' | 'rw'): void;
}

const kilobyte = Buffer.alloc(1024, 0x78);

/** A disk of `megabytes` in memory; undefined, with the test skipped, where one may not be mounted. */
export function smallDisk(t: TestContext, megabytes: number): Disk | undefined {
  const path = mountPoint();
  if (!mounted(t, ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])) return undefined;
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (;;) writeSync(file, kilobyte);
      } catch (error) {
        if (codeOf(error) !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    access: (mode) => void execFileSync('mount', ['-o', `remount,${mode}`, path]),
  };
}

export interface Failing {
  path: string;
  /** The kernel gives the file system up, as after an error of its device: it becomes read-only. */
  fail(): void;
  /** Repairs and mounts it again, as after a restart of the machine. */
  repair(): void;
}

/** A file system on a file, which can fail; undefined, with the test skipped, where one may not be mounted. */
export function failingDisk(t: TestContext): Failing | undefined {
  const path = mountPoint();
  const image = fileSystem(t, tempFolder(t));
  if (image === undefined || !mounted(t, ['-o', 'loop', image, path])) return undefined;
  return {
    path,
    fail: () => void execFileSync('mount', ['-o', 'remount,abort', path], { stdio: 'ignore' }),
    repair() {
      execFileSync('umount', [path]);
      spawnSync('e2fsck', ['-fy', image]);
      execFileSync('mount', ['-o', 'loop', image, path]);
    },
  };
}

export interface Forgetful {
  path: string;
  /** The files as they are after a power cut at this moment: what nobody waited for is not there. A new folder. */
  cut(): string;
}

/** A file system on a file whose power can be cut; undefined, with the test skipped, where one may not be mounted. */
export function forgetfulDisk(t: TestContext): Forgetful | undefined {
  const folder = tempFolder(t);
  const path = mountPoint();
  const image = fileSystem(t, folder);
  // only what a wait for the disk brings there is in the image: by itself the system writes later, and no name brings the bytes of its file along
  const options = 'loop,commit=300,data=writeback';
  if (image === undefined || !mounted(t, ['-o', options, image, path])) return undefined;
  let cuts = 0;
  return {
    path,
    cut() {
      cuts += 1;
      const left = join(folder, `left-${cuts}.img`);
      execFileSync('cp', ['--sparse=always', image, left]);
      const there = mountPoint();
      if (!mounted(t, ['-o', 'loop', left, there])) throw new Error('what is left cannot be mounted');
      return there;
    },
  };
}

/** The path of an empty file system on a file in the folder; undefined, with the test skipped, where none can be made. */
function fileSystem(t: TestContext, folder: string): string | undefined {
  const image = join(folder, 'disk.img');
  const made =
    spawnSync('truncate', ['-s', '48M', image]).status === 0 &&
    spawnSync('mkfs.ext4', ['-q', image]).status === 0;
  if (made) return image;
  t.skip('no ext4 file system can be made here');
  return undefined;
}

function mountPoint(): string {
  return mkdtempSync(join(tmpdir(), 'parley-disk-'));
}

function mounted(t: TestContext, call: readonly string[]): boolean {
  const path = call.at(-1) ?? '';
  const { status, stderr, error } = spawnSync('mount', call, { encoding: 'utf8' });
  if (status === 0) {
    t.after(() => {
      spawnSync('umount', ['-l', path]); // a program that the test left running may have files open there
      rmSync(path, { recursive: true, force: true });
    });
    return true;
  }
  t.skip(`no disk can be mounted here: ${error?.message ?? stderr.trim()}`);
  return false;
}
