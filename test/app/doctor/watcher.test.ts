// The doctor on the watcher of the memory files of a Parley that runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watcherRemarks } from '#app/doctor/running.ts';

const files = {
  files: 1,
  passages: 1,
  waiting: 0,
  leftBehind: 0,
  refused: [],
  overBudget: [],
  problems: [],
  corpora: [],
};

test('a watcher that was lost is named with its reason and what to do, and one that is alive is not', () => {
  assert.deepEqual(watcherRemarks(undefined), []);
  assert.deepEqual(watcherRemarks({ ...files, watcher: 'alive' }), []);
  const [found] = watcherRemarks({ ...files, watcher: 'lost', watcherWords: 'ENOSPC: no more watches' });
  assert.equal(found?.level, 'warning');
  assert.match(found?.what ?? '', /watcher of the memory files was lost: ENOSPC/);
  assert.match(JSON.stringify(found), /fs\.inotify\.max_user_watches/);
});
