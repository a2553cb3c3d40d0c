// Which files of a folder are documents to remember, and which ones the owner excludes.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { documentsBelow } from '#memory/import/items/directory.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { mine, openMemory } from './open-memory.ts';

/** A folder with these files; the documents that are found below `at`, as paths from the folder. */
function stage(t: TestContext, files: Record<string, string>) {
  const root = tempFolder(t);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const found = async (at = '.') =>
    (await documentsBelow(join(root, at))).map((path) => relative(root, path)).sort();
  return { root, found };
}

const where = { audience: 'person:per_1', restricted: true } as const;

test('what .gitignore names, hidden files and what programs fill are no documents', async (t) => {
  const { found } = stage(t, {
    '.gitignore':
      '\ufeff# drafts\r\n\r\n*.draft.md\r\n/private/\r\nlog\r\nspaced\\ name.txt\r\n\\#odd.md\r\n',
    'a.md': '',
    'b.markdown': '',
    'c.draft.md': '',
    'D.TXT': '',
    'e.pdf': '',
    '#odd.md': '',
    'spaced name.txt': '',
    '.hidden.md': '',
    '.vault/secret.md': '',
    'private/a.md': '',
    'deep/private/a.md': '',
    'deep/log/a.md': '',
    'node_modules/x/README.md': '',
    'dist/a.md': '',
  });
  assert.deepEqual(await found(), ['D.TXT', 'a.md', 'b.markdown', 'deep/private/a.md']);
});

test('a .gitignore further in counts only for its folder, and overrules those above it', async (t) => {
  const { found } = stage(t, {
    '.gitignore': '*.txt\nnotes/*\n!notes/keep.md\n',
    'in [1]/.gitignore': '!b.txt\n/top.md\nsub/inner.md\nany.md\n',
    'in [1]/a.txt': '',
    'in [1]/b.txt': '',
    'in [1]/top.md': '',
    'in [1]/sub/top.md': '',
    'in [1]/sub/inner.md': '',
    'in [1]/deep/sub/inner.md': '',
    'in [1]/sub/any.md': '',
    'any.md': '',
    'notes/keep.md': '',
    'notes/other.md': '',
  });
  assert.deepEqual(await found(), [
    'any.md',
    'in [1]/b.txt',
    'in [1]/deep/sub/inner.md',
    'in [1]/sub/top.md',
    'notes/keep.md',
  ]);
});

test('inside of a repository the rules above hold too, unless they ignore the folder that is named itself', async (t) => {
  const { found } = stage(t, {
    'repo/.git/HEAD': '',
    'repo/.gitignore': 'docs/old/\n/vault/\n*.tmp.md\n',
    'repo/docs/.gitignore': 'b.md\n',
    'repo/docs/in/a.md': '',
    'repo/docs/in/b.md': '',
    'repo/docs/in/c.tmp.md': '',
    'repo/docs/old/a.md': '',
    'repo/vault/a.md': '',
    '.gitignore': '*',
  });
  assert.deepEqual(await found('repo'), ['repo/docs/in/a.md']);
  assert.deepEqual(await found('repo/docs/in'), ['repo/docs/in/a.md']);
  assert.deepEqual(await found('repo/vault'), ['repo/vault/a.md']);
  assert.deepEqual(await found(), []);
});

test('a document of more than 2 MiB is reported in words, the rest is imported, and one that has since been ignored goes with its folder', async (t) => {
  const { root } = stage(t, {
    'huge.md': `# Log\n\n${'x'.repeat(2 * 1024 * 1024)}`,
    'a.md': 'The bike is green.',
  });
  const memory = openMemory(t, { threadAbove: { rows: 1_000, bytes: Number.MAX_SAFE_INTEGER } });
  const run = (path = root) => memory.importPath({ path, format: 'directory', where, syncDeletes: true });
  const { files, failures } = await run();
  assert.deepEqual(files, { stored: 1, unchanged: 0, empty: 0, failed: 1 });
  assert.match(failures[0]?.words ?? '', /huge\.md has 2097159 bytes; the most is 2097152\./);
  assert.match(failures[0]?.hint ?? '', /Split/);
  assert.equal((await run(join(root, 'huge.md'))).files.failed, 1);
  writeFileSync(join(root, '.gitignore'), 'a.md\n');
  assert.equal((await run()).deleted, 1);
  assert.deepEqual((await memory.search({ text: 'bike', scope: mine })).hits, []);
});
