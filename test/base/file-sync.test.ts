// Waiting for one file's disk off the main thread.
import assert from 'node:assert/strict';
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createFileSync } from '#base/files/file-sync.ts';
import { logOf, openSqlite } from '#base/sqlite/sqlite.ts';
import { found } from '../support/found.ts';
import { canSeeLocks, locksIn } from '../support/locks.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('calls while one wait is in progress share the next, and none is answered by one that began before it', async (t) => {
  const path = join(tempFolder(t), 'log');
  writeFileSync(path, 'something');
  const { sync, close } = createFileSync(path);
  const ended: string[] = [];
  const wait = (name: string): Promise<void> => sync().then(() => void ended.push(name));
  const first = wait('first');
  const [second, third] = [sync(), sync()];
  assert.equal(second, third);
  assert.notEqual(first, second);
  await Promise.all([first, second.then(() => ended.push('second'))]);
  assert.deepEqual(ended, ['first', 'second']);
  await sync();
  close();
  close();
});

test('a file that is not there is an error of that call, and the next one looks again', async (t) => {
  const path = join(tempFolder(t), 'log');
  const { sync, close } = createFileSync(path);
  t.after(close);
  await assert.rejects(sync(), { code: 'ENOENT' });
  writeFileSync(path, '');
  await sync();
});

test('to wait for the log of a database, and to close it, takes no lock of the database away', async (t) => {
  if (!canSeeLocks(t)) return;
  const home = tempFolder(t);
  const database = openSqlite({ path: join(home, 'gateway.sqlite'), clock: systemClock, migrations: [] });
  t.after(() => database.close());
  const held = ['gateway.sqlite', 'gateway.sqlite-shm'];
  assert.deepEqual(locksIn(home, process.pid), held);
  const { sync, close } = createFileSync(logOf(database));
  await sync();
  close();
  await found('the log closed', () => (isOpen(logOf(database)) === 1 ? true : undefined));
  assert.deepEqual(locksIn(home, process.pid), held);
});

/** How many descriptors of the file this process has. */
function isOpen(path: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => target(`/proc/self/fd/${fd}`) === path).length;
}

function target(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return ''; // the descriptor with which the folder was read
  }
}
