// A folder that has no end, or too much in it: links are not followed, and an import ends when it is stopped.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { filesBelow, walkBounds } from '#memory/import/items/walk.ts';
import { importFormats } from '#memory/types/import.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { mine, openMemory } from './open-memory.ts';

const where = { audience: 'person:per_1', restricted: true } as const;
const all = { enter: () => () => true };

/** A folder with one note, and links to itself, to the root of the system, to a file elsewhere and to nothing. */
function linked(t: TestContext): string {
  const root = tempFolder(t);
  const somewhereElse = join(tempFolder(t), 'secret.md');
  writeFileSync(somewhereElse, 'The pelican is secret.');
  writeFileSync(join(root, 'note.md'), 'The heron is at the pond.');
  const links = {
    l1: '.',
    l2: '.',
    root: '/',
    'secret.md': somewhereElse,
    nothing: 'gone',
    memory: '/',
    'MEMORY.md': somewhereElse,
  };
  for (const [name, to] of Object.entries(links)) symlinkSync(to, join(root, name));
  return root;
}

test('an import of a folder with links to itself and to the root of the system ends, and reads nothing behind a link', async (t) => {
  const root = linked(t);
  // each of them: an import on its own, and one that measures the folder for a thread first
  for (const threadAbove of [{ rows: 0, bytes: 0 }, undefined]) {
    const memory = openMemory(t, threadAbove === undefined ? {} : { threadAbove });
    const report = await memory.importPath({ path: root, format: 'directory', where });
    assert.deepEqual([report.discovered, report.files.stored, report.complete], [1, 1, true]);
    // a link that leads to nothing and is called like no document is none
    const links = ['MEMORY.md', 'l1', 'l2', 'memory', 'root', 'secret.md'];
    assert.deepEqual(
      report.links,
      links.map((name) => join(root, name)),
    );
    const { hits } = await memory.search({ text: 'pelican heron', scope: mine });
    assert.deepEqual(
      hits.map(({ text }) => /pelican|heron/.exec(text)?.[0]),
      ['heron'],
    );
  }
});

test('every format ends at a folder of links', async (t) => {
  const memory = openMemory(t);
  const root = linked(t);
  for (const format of importFormats) {
    const done = memory.importPath({ path: root, format, where }).then(
      ({ discovered }) => discovered <= 1,
      (error: { code: string }) => error.code === 'nothing_to_import' || error.code === 'ENOENT',
    );
    assert.equal(await done, true, format);
  }
});

test('an import that is stopped while its files are looked for says that it is not complete', async (t) => {
  const memory = openMemory(t, { threadAbove: { rows: 0, bytes: 0 } });
  const report = await memory.importPath({
    path: linked(t),
    format: 'directory',
    where,
    signal: AbortSignal.abort(),
  });
  assert.deepEqual([report.complete, report.files.stored], [false, 0]);
});

test('no folder is entered any more once the signal has aborted', async (t) => {
  const root = tempFolder(t);
  for (const name of ['a', 'b', 'c']) mkdirSync(join(root, name));
  const stop = new AbortController();
  const entered: string[] = [];
  const enter = (folder: string) => {
    entered.push(relative(root, folder));
    if (folder === join(root, 'a')) stop.abort();
    return () => true;
  };
  await assert.rejects(filesBelow(root, { signal: stop.signal, enter }), { name: 'AbortError' });
  assert.deepEqual(entered, ['', 'a']);
});

test('a folder that is too deep, has too many entries or too many bytes is refused with a message that says which', async (t) => {
  const root = tempFolder(t);
  mkdirSync(join(root, 'a/b/c'), { recursive: true });
  writeFileSync(join(root, 'a/b/c/note.md'), '12345');
  const below = (bounds: Partial<typeof walkBounds>) =>
    filesBelow(root, { ...all, bounds: { ...walkBounds, ...bounds } });
  assert.equal((await below({ depth: 4, entries: 4, bytes: 5 })).length, 1);
  await assert.rejects(below({ depth: 3 }), {
    code: 'import_too_large',
    message: /more than 3 folders deep/,
  });
  await assert.rejects(below({ entries: 3 }), {
    code: 'import_too_large',
    message: /more than 3 files and folders/,
  });
  await assert.rejects(below({ bytes: 4 }), { code: 'import_too_large', message: /more than 4 bytes/ });
});
