// A folder for one test, deleted with it.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export function tempFolder(t: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  // Hooks run in the order in which they were set, so that a program of the test may still write while its folder is
  // deleted. `rmSync` of Node 24 does not try again after ENOTEMPTY, whatever `maxRetries` says.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  return folder;
}
