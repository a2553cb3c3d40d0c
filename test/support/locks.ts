// The locks that SQLite holds for a process on the databases of a home folder, as the kernel lists them. Linux only; elsewhere a test says why it skips.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A byte that SQLite locks for as long as a database is open: `SHARED_FIRST` of os.h, and the "dead man switch" of os_unix.c. */
const sharedByte = 0x40000002;
const aliveByte = 128;
const ledgers = ['engine.sqlite', 'gateway.sqlite', 'memory.sqlite'];

/** All that a program with engine and channels holds in its home folder. */
export const allLocks: readonly string[] = [
  ...['lock.sqlite', 'channels-lock.sqlite'],
  ...ledgers.flatMap((name) => [name, `${name}-shm`]),
];

/** The names of the files in `home` on which the process holds the lock of an open database, in the order of `allLocks`. */
export function locksIn(home: string, pid: number): string[] {
  const locks = readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, kind, , , owner]) => kind === 'POSIX' && owner === String(pid))
    .map(([, , , , , file = '', first, last]) => ({
      inode: file.split(':').at(-1),
      first: Number(first),
      last: last === 'EOF' ? Number.POSITIVE_INFINITY : Number(last),
    }));
  return allLocks.filter((name) => {
    const inode = String(statSync(join(home, name), { throwIfNoEntry: false })?.ino);
    const byte = name.endsWith('-shm') ? aliveByte : sharedByte;
    return locks.some((lock) => lock.inode === inode && lock.first <= byte && byte <= lock.last);
  });
}

/** Runs the work and says which locks it took from the process; all of them have to be there before. */
export async function keepsLocks<T>(
  { home, pid, what }: { home: string; pid: number; what: string },
  work: () => Promise<T>,
): Promise<T> {
  assert.deepEqual(locksIn(home, pid), allLocks, `before: ${what}`);
  const result = await work();
  assert.deepEqual(locksIn(home, pid), allLocks, `after: ${what}`);
  return result;
}

/** False, with the test skipped, where the kernel lists no locks. */
export function canSeeLocks(t: TestContext): boolean {
  if (existsSync('/proc/locks')) return true;
  t.skip('there is no /proc/locks here: no test can see which locks a process holds');
  return false;
}
