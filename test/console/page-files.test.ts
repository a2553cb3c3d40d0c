// The console's files: one script that is small enough, without comments, under names that hold the hash of their content; no empty list without advice.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createConsole } from '#console/console.ts';
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

test('the console serves the pages of documentation, and no other file', async () => {
  const app = createConsole();
  for (const name of ['mcp.md', 'console.md']) {
    const answer = await app.request(`/console/docs/${name}`);
    assert.deepEqual(
      [answer.status, await answer.text()],
      [200, readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')],
    );
  }
  for (const name of ['none.md', 'sandbox.png', '..%2Fpackage.json', '..%2FREADME.md', '%2Fetc%2Fhosts'])
    assert.equal((await app.request(`/console/docs/${name}`)).status, 404, name);
});

test('what people read at the machine or in the browser names no page of documentation by half a path', () => {
  const folder = join(import.meta.dirname, '../../src');
  const named = globSync(['app/**/*.ts', 'engine/teams/**/*.ts', 'console/page/**/*.js'], { cwd: folder })
    .flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .map((line) => `${name}: ${line.trim()}`),
    )
    .filter((line) => /(?<!console\/)\bdocs\/[\w-]+\.md/.test(line) && !/: (?:\/\/|\*|\/\*)/.test(line));
  assert.deepEqual(named, []);
});
