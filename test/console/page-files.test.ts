// The console's files: one script that is small enough, without comments, under names that hold the hash of their content; no empty list without advice.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConsolePage } from '#console/page-files.ts';

/** All JavaScript of the console, compressed, in bytes. */
const maxScriptBytes = 80_000;

test('all JavaScript of the console has at most 80 KB compressed', async () => {
  const { files } = await loadConsolePage();
  const scripts = [...files].filter(([name]) => name.endsWith('.js'));
  const bytes = scripts.reduce((sum, [, { brotli }]) => sum + brotli.length, 0);
  assert.equal(scripts.length, 1);
  assert.ok(bytes <= maxScriptBytes, `${bytes} bytes`);
});

test('a browser gets no comments and no types, and the same text has the same name', async () => {
  const [first, second] = [await loadConsolePage(), await loadConsolePage()];
  assert.deepEqual([...first.files.keys()], [...second.files.keys()]);
  for (const name of first.files.keys()) {
    assert.match(name, /^(console|icon)\.[\w-]{12}\.(js|css|svg)$/);
    assert.ok(first.html.includes(`/console/files/${name}`), name);
  }
  const script = [...first.files].find(([name]) => name.endsWith('.js'))?.[1].body.toString() ?? '';
  assert.doesNotMatch(script, /@param|@type|@license|sourceMappingURL/);
});

test('each list and page without content says what to do', () => {
  const folder = join(import.meta.dirname, '../../src/console/page');
  const empty = globSync('**/*.js', { cwd: folder }).flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/<\$\{Empty\}[^>]*>/g)].map(
      ([tag]) => `${name}: ${tag}`,
    ),
  );
  assert.ok(empty.length > 30, `${empty.length}`);
  assert.deepEqual(
    empty.filter((tag) => tag.endsWith('/>')),
    [],
  );
});
