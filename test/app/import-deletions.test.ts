// Files that are renamed or gone since an import: what another file still says stays, and a folder that looks empty removes nothing.
import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { openImports } from './imports.ts';

/** A folder with these files, and its imports with `--sync-deletes`. */
function stage(t: TestContext, files: Readonly<Record<string, string>>) {
  const imports = openImports(t);
  const folder = imports.folderOf('notes', files);
  const sync = (...more: string[]) => imports.load(folder, 'directory', '--sync-deletes', ...more);
  return { ...imports, folder, sync };
}

test('a renamed file stays in memory, and memory fits together after it', async (t) => {
  const { folder, sync, texts, call } = stage(t, { 'a.md': 'The hive is green.', 'b.md': 'Wax is soft.' });
  await sync();
  renameSync(join(folder, 'a.md'), join(folder, 'bees.md'));
  const { code, out } = await sync();
  assert.equal(code, 0);
  assert.match(out, /1 stored, 1 unchanged, 0 empty, 0 failed, 1 deleted/);
  assert.deepEqual(await texts(), ['The hive is green.', 'Wax is soft.']);
  assert.match((await sync()).out, /0 stored, 2 unchanged/);
  assert.equal((await call('memory', 'verify')).code, 0);
  assert.match((await call('memory', 'status')).out, /^imported {3}2 files$/m);
  const found = await call('memory', 'search', 'hive', '--audience', 'person:operator');
  assert.match(found.out, /bees/);
});

test('passages that are missing are reported, and the next import stores them', async (t) => {
  const { sync, texts, call, put, home } = stage(t, { 'a.md': 'The hive is green.' });
  put('notes/empty.md', '\n');
  await sync();
  const database = new Database(join(home, 'memory.sqlite'));
  database.exec('DELETE FROM global_memory_chunks');
  database.close();
  const broken = await call('memory', 'verify');
  assert.equal(broken.code, 1);
  assert.match(broken.out, /of 1 imported file passages are missing: import them again/);
  assert.match((await call('memory', 'status')).out, /^imported {3}2 files; 2 without a passage$/m);
  assert.match((await sync()).out, /1 stored, 1 unchanged/);
  assert.deepEqual(await texts(), ['The hive is green.']);
  assert.equal((await call('memory', 'verify')).code, 0);
});

test('a copy stays when the first file goes, also in another folder and as another format', async (t) => {
  const { folder, folderOf, sync, load, texts } = stage(t, {
    'a.md': 'The hive is green.',
    'b.md': 'Wax is soft.',
  });
  await sync();
  const workspace = folderOf('workspace', { 'MEMORY.md': 'The hive is green.' });
  await load(workspace, 'openclaw', '--sync-deletes');
  rmSync(join(folder, 'a.md'));
  await sync();
  assert.deepEqual(await texts(), ['The hive is green.', 'Wax is soft.']);
  rmSync(join(workspace, 'MEMORY.md'));
  assert.equal((await load(workspace, 'openclaw', '--sync-deletes', '--allow-empty')).code, 0);
  assert.deepEqual(await texts(), ['Wax is soft.']);
});

test('most of a folder goes from memory only when that is allowed', async (t) => {
  const { folder, sync, texts, put } = stage(t, { 'a.md': 'One.', 'b.md': 'Two.', 'c.md': 'Three.' });
  await sync();
  for (const name of ['a.md', 'b.md']) rmSync(join(folder, name));
  put('notes/d.md', 'Four.');
  const refused = await sync();
  assert.deepEqual([refused.code, refused.out], [1, '']);
  assert.match(
    refused.err.replace(/\s+/g, ' '),
    /2 of 3 files imported from .*notes earlier are no longer there\. Nothing was imported or removed\. .*--allow-empty/,
  );
  assert.deepEqual(await texts(), ['One.', 'Three.', 'Two.']);
  assert.equal((await sync('--allow-empty')).code, 0);
  assert.deepEqual(await texts(), ['Four.', 'Three.']);
});

test('a folder that is empty, or gone, removes nothing until that is allowed', async (t) => {
  const { folder, sync, texts } = stage(t, { 'a.md': 'One.' });
  await sync();
  rmSync(join(folder, 'a.md'));
  assert.match((await sync()).err, /1 of 1 files/);
  rmSync(folder, { recursive: true });
  assert.match((await sync()).err, /cannot be read/);
  assert.deepEqual(await texts(), ['One.']);
  assert.match((await sync('--allow-empty')).out, /1 deleted/);
  assert.deepEqual(await texts(), []);
});
