// The log of a busy database gets into its file without standing still for it.

import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import type { DiskStep } from '#base/files/disk-steps.ts';
import { createDiskThread, type DiskThread } from '#base/files/disk-thread.ts';
import { createCheckpoints } from '#base/sqlite/checkpoints.ts';
import { openSqlite } from '#base/sqlite/sqlite.ts';
import { until } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';

const up = 'CREATE TABLE notes (text TEXT NOT NULL) STRICT;';

function openNotes(t: TestContext, thread: DiskThread) {
  const path = join(tempFolder(t), 'notes.sqlite');
  const database = openSqlite({ path, migrations: [{ name: 'notes', up }], clock: systemClock });
  t.after(() => database.close());
  const checkpoints = createCheckpoints(database, { thread });
  const insert = database.prepare<[string]>('INSERT INTO notes (text) VALUES (?)');
  return {
    path,
    settled: checkpoints.settled,
    write(times: number): void {
      for (let at = 0; at < times; at += 1) {
        insert.run('x');
        checkpoints.written();
      }
    },
    /** Rows in the file itself, as if its log were lost; none where even the table is in the log. */
    inFile(): number {
      const copy = `${path}-copy`;
      copyFileSync(path, copy);
      const single = new Database(copy);
      try {
        return single.prepare<[], number>('SELECT count(*) FROM notes').pluck().get() ?? 0;
      } catch {
        return 0;
      } finally {
        single.close();
      }
    },
  };
}

test('after some dozens of commits what they wrote is in the file, and the next ones follow', async (t) => {
  const thread = createDiskThread();
  t.after(() => thread.end());
  const notes = openNotes(t, thread);
  notes.write(47);
  assert.equal(notes.inFile(), 0);
  notes.write(1);
  await until('48 notes in the file', () => notes.inFile() >= 48);
  // a checkpoint that is still in progress is not made twice: what is written meanwhile goes with the first commit after it
  notes.write(48);
  while (notes.inFile() < 96) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    notes.write(1);
  }
});

test('one checkpoint is in progress at a time, and one that fails is asked for again after as many commits', async (t) => {
  const asked: { steps: readonly DiskStep[]; outcome: PromiseWithResolvers<void> }[] = [];
  const thread: DiskThread = {
    carryOut(steps) {
      const outcome = Promise.withResolvers<void>();
      asked.push({ steps, outcome });
      return outcome.promise;
    },
    end: async () => {},
  };
  const notes = openNotes(t, thread);
  notes.write(48 * 3);
  assert.deepEqual(
    asked.map(({ steps }) => steps),
    [[{ do: 'checkpoint', path: notes.path }]],
  );
  let isSettled = false;
  const settled = notes.settled().then(() => {
    isSettled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isSettled, false);
  asked[0]?.outcome.reject(new Error('the disk is full'));
  await settled;
  notes.write(48);
  assert.equal(asked.length, 2);
});
