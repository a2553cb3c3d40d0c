// its own folder for one test, gone with it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export function tempFolder(t: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
