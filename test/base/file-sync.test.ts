// Waiting for one file's disk off the main thread.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFileSync } from '#base/file-sync.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('calls while one wait is under way share the next, and none is told by one that began before it', async (t) => {
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
