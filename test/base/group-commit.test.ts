// When a commit is reported: once the disk has it, once it is written, or with the next one.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import { createDiskFailureHandler } from '#base/files/disk-failures.ts';
import { createGroupCommit } from '#base/sqlite/group-commit.ts';
import { openSqlite } from '#base/sqlite/sqlite.ts';
import { createManualClock, settle } from '../support/manual-clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';

const up = 'CREATE TABLE notes (text TEXT NOT NULL) STRICT;';

function openGroup(t: TestContext) {
  const path = join(tempFolder(t), 'notes.sqlite');
  const clock = createManualClock();
  const problems = createActiveProblems(clock);
  const database = openSqlite({ path, migrations: [{ name: 'notes', up }], clock: systemClock });
  t.after(() => database.close());
  const waits: PromiseWithResolvers<void>[] = [];
  const disk = {
    sync(): Promise<void> {
      const wait = Promise.withResolvers<void>();
      waits.push(wait);
      return wait.promise;
    },
  };
  const storage = createDiskFailureHandler({ path, problems, clock, log: quietLog().log });
  const group = createGroupCommit(database, { storage, disk, clock });
  const insert = database.prepare<[string]>('INSERT INTO notes (text) VALUES (?)');
  const told: string[] = [];
  return {
    clock,
    problems,
    group,
    waits,
    told,
    insert,
    written: () => database.prepare<[], string>('SELECT text FROM notes ORDER BY rowid').pluck().all(),
    write(text: string, how: 'on disk' | 'written' | 'soon'): void {
      const done = group.commit(() => void insert.run(text), how);
      done.then(
        () => told.push(text),
        (error: unknown) => told.push(`${text}: ${codeOf(error)}`),
      );
    },
  };
}

test('what must be on the disk is reported after the wait for it, and what is only written before', async (t) => {
  const { write, written, told, waits } = openGroup(t);
  write('accepted', 'on disk');
  write('noted', 'written');
  await settle();
  assert.deepEqual(written(), ['accepted', 'noted']);
  assert.deepEqual(told, ['noted']);
  assert.equal(waits.length, 1);
  waits[0]?.resolve();
  await settle();
  assert.deepEqual(told, ['noted', 'accepted']);
});

test('what may continue before the disk has it is called as soon as it is written, and not at all when it is not', async (t) => {
  const { group, told, waits, problems } = openGroup(t);
  const begun: string[] = [];
  const done = group.commit(
    () => 'stored',
    'on disk',
    (result) => begun.push(result),
  );
  done.then((result) => told.push(result));
  await settle();
  assert.deepEqual([begun, told], [['stored'], []]);
  waits[0]?.resolve();
  await settle();
  assert.deepEqual(told, ['stored']);
  const failed = group.commit(
    () => {
      throw new Error('not this');
    },
    'on disk',
    () => begun.push('never'),
  );
  await assert.rejects(failed, /not this/);
  assert.deepEqual([begun, problems.list().length], [['stored'], 0]);
});

test('what may wait is written with the next commit, in its place, or by itself after a moment', async (t) => {
  const { clock, write, written, told } = openGroup(t);
  write('first', 'soon');
  await settle();
  assert.deepEqual(written(), []);
  write('second', 'written');
  await settle();
  assert.deepEqual(told, ['first', 'second']);
  write('third', 'soon');
  await clock.advance(25);
  await settle();
  assert.deepEqual(written(), ['first', 'second', 'third']);
});

test('a disk that cannot sync rejects those that wait, with a message, and no others', async (t) => {
  const { write, told, waits, problems } = openGroup(t);
  write('accepted', 'on disk');
  write('noted', 'written');
  await settle();
  waits[0]?.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
  await settle();
  assert.deepEqual(told, ['noted', 'accepted: storage_failed']);
  assert.match(problems.list()[0]?.message ?? '', /cannot be used: EIO: i\/o error/);
});

test('what waits at the end is written before it', (t) => {
  const { group, write, written } = openGroup(t);
  write('first', 'soon');
  write('second', 'on disk');
  group.flush();
  assert.deepEqual(written(), ['first', 'second']);
});

test('works that take long do not share a transaction, and each is reported', async (t) => {
  const { group, told, insert, written } = openGroup(t);
  const slowly = (text: string) => (): void => {
    const until = performance.now() + 12;
    while (performance.now() < until);
    insert.run(text);
  };
  const seen = ['one', 'two', 'three'].map((text) =>
    group.commit(slowly(text), 'written').then(() => told.push(`${text} of ${written().length}`)),
  );
  await Promise.all(seen);
  assert.deepEqual(told, ['one of 1', 'two of 2', 'three of 3']);
});

/** Asks for one commit, then for another in the next turn of the event loop; true when the first had not waited for it. */
async function isCommittedAtOnce({ group, insert, written }: ReturnType<typeof openGroup>): Promise<boolean> {
  const before = written().length;
  const first = group.commit(() => void insert.run('one'), 'written');
  await new Promise((resolve) => setImmediate(resolve));
  const at = written().length;
  await Promise.all([first, group.commit(() => void insert.run('another'), 'written')]);
  return at > before;
}

test('a single caller is committed at once, and callers under load wait some milliseconds for each other', async (t) => {
  const kit = openGroup(t);
  for (let turn = 0; turn < 20; turn += 1) {
    await kit.group.commit(() => void kit.insert.run('alone'), 'written');
    assert.equal(await isCommittedAtOnce(kit), true, 'alone');
  }
  // a machine that stands still between two transactions has waited long enough: that it waits shows once it does not
  let gathered = false;
  for (let turn = 0; turn < 200 && !gathered; turn += 1) {
    const users = Array.from({ length: 6 }, () =>
      kit.group.commit(() => void kit.insert.run('another'), 'written'),
    );
    await Promise.all(users);
    gathered = !(await isCommittedAtOnce(kit));
  }
  assert.equal(gathered, true);
});
