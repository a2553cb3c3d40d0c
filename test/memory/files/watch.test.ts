// The watcher of memory files: alive, noticed when it is lost, armed again.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { watchFiles } from '../../../src/memory/files/watch-files.ts';
import { until } from '../../support/found.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('a watcher that missed a change is armed again, says so, and reports the next change (N1)', async (t) => {
  const folder = join(tempFolder(t), 'memory');
  mkdirSync(folder);
  let changes = 0;
  const ended = new AbortController();
  const watcher = watchFiles({
    folders: [folder],
    changed: () => {
      changes += 1;
    },
    clock: systemClock,
    signal: ended.signal,
  });
  t.after(async () => {
    ended.abort();
    await watcher.close();
  });
  await until('the first change', () => changes > 0);
  assert.deepEqual(watcher.status(), { watcher: 'alive', words: undefined });
  await watcher.rearm('1 changed files were not reported');
  assert.deepEqual(watcher.status(), { watcher: 'alive', words: '1 changed files were not reported' });
  const before = changes;
  await new Promise((resolve) => setTimeout(resolve, 100));
  writeFileSync(join(folder, 'a.md'), 'text');
  await until('the next change', () => changes > before);
  assert.ok(changes > before);
});
