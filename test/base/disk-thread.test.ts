// What is done on the disk beside the event loop: in order, refused in words, and by another thread when one has ended.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createDiskThread } from '#base/files/disk-thread.ts';
import { tempFolder } from '../support/temp-folder.ts';

function openThread(t: TestContext, idleMs?: number) {
  const thread = createDiskThread(idleMs);
  t.after(() => thread.end());
  return thread;
}

test('a step that cannot be done is refused in words, none after it is tried, and what others asked for continues', async (t) => {
  const folder = tempFolder(t);
  const thread = openThread(t);
  const taken = join(folder, 'taken');
  writeFileSync(taken, '');
  const refused = thread.carryOut([
    { do: 'folder', path: join(taken, 'inner') },
    { do: 'write', path: join(folder, 'never'), content: 'x' },
  ]);
  const other = thread.carryOut([{ do: 'write', path: join(folder, 'other'), content: 'y' }]);
  await assert.rejects(refused, {
    code: 'folder_unusable',
    message: /inner cannot be made/,
    hint: /PARLEY_HOME/,
  });
  await assert.rejects(thread.carryOut([{ do: 'append', path: join(folder, 'no', 'file'), content: 'z' }]), {
    code: 'ENOENT',
  });
  await assert.rejects(thread.carryOut([{ do: 'checkpoint', path: join(folder, 'none.sqlite') }]), {
    code: 'SQLITE_CANTOPEN',
  });
  await other;
  assert.equal(existsSync(join(folder, 'never')), false);
  assert.equal(existsSync(join(folder, 'none.sqlite')), false);
  assert.equal(readFileSync(join(folder, 'other'), 'utf8'), 'y');
});

test('steps are carried out in the order in which they were asked for, and what they make is the owner’s alone', async (t) => {
  const folder = join(tempFolder(t), 'a', 'b');
  const thread = openThread(t);
  const log = join(folder, 'log');
  const whole = join(folder, 'whole');
  await Promise.all([
    thread.carryOut([
      { do: 'folder', path: folder },
      { do: 'append', path: log, content: 'one\n' },
      { do: 'write', path: whole, content: 'first' },
    ]),
    thread.carryOut([
      { do: 'append', path: log, content: 'two\n' },
      { do: 'write', path: whole, content: 'second' },
    ]),
  ]);
  assert.equal(readFileSync(log, 'utf8'), 'one\ntwo\n');
  assert.equal(readFileSync(whole, 'utf8'), 'second');
  const modes = [folder, log, whole].map((path) => (statSync(path).mode & 0o777).toString(8));
  assert.deepEqual(modes, ['700', '600', '600']);
});

test('a thread that ended says so to its waiting callers, and the next caller gets another one', async (t) => {
  const path = join(tempFolder(t), 'file');
  const thread = openThread(t);
  const left = thread.carryOut([{ do: 'write', path, content: 'left' }]);
  const told = assert.rejects(left, { code: 'thread_ended', message: /it was asked to/ });
  await thread.end();
  await told;
  await thread.carryOut([{ do: 'write', path, content: 'again' }]);
  assert.equal(readFileSync(path, 'utf8'), 'again');
});

test('a thread that had nothing to do for a while ends by itself, and the next caller gets another one', async (t) => {
  const path = join(tempFolder(t), 'file');
  const thread = openThread(t, 1);
  for (const content of ['once', 'twice']) {
    await thread.carryOut([{ do: 'append', path, content }]);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal(readFileSync(path, 'utf8'), 'oncetwice');
});
