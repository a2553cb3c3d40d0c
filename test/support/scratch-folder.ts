// A folder for all that the tests of one process write, in memory where that is a file system.
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Memory that is a file system. */
const memory = '/dev/shm';
/** What the tests have there at once is a tenth of it; with less free they write to the disk. */
const enoughBytes = 1024 ** 3;

/** A new folder, gone when the process ends: tests open thousands of databases, and each would wait for a disk. */
export function scratchFolder(): string {
  const { bavail, bsize } = existsSync(memory) ? statfsSync(memory) : { bavail: 0, bsize: 0 };
  const folder = mkdtempSync(join(bavail * bsize < enoughBytes ? tmpdir() : memory, 'parley-tests-'));
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // a disk that an aborted test left mounted there cannot be removed, and says nothing about the tests
    }
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return folder;
}
