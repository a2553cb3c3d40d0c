// `parley memory` as its owner calls it, on a home folder of its own.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import { openTerminal } from './terminal.ts';

/** Calls `parley memory` on a home folder of its own. */
function open(t: TestContext) {
  const { folder, call } = openTerminal(t);
  const put = (name: string, text: string): string => {
    mkdirSync(join(folder, 'files'), { recursive: true });
    const path = join(folder, 'files', name);
    writeFileSync(path, text);
    return path;
  };
  return { put, run: (...words: string[]) => call('memory', ...words) };
}

test('a wrong call is told in words with exit code 2', async (t) => {
  const { run, put } = open(t);
  const path = put('a.md', 'text');
  const calls = [
    ['dance'],
    ['search'],
    ['import', path, '--format', 'directory'],
    ['list', '--limit', 'many'],
  ];
  for (const call of calls) {
    const { code, err } = await run(...call);
    assert.equal(code, 2, call.join(' '));
    assert.match(err, /^parley: .+\n.+/, call.join(' '));
  }
  assert.equal((await run('forget')).code, 1, 'a selection of nothing is no call to forget everything');
});

test('what is imported is counted, found with its reasons, shown, forgotten and verified', async (t) => {
  const { run, put } = open(t);
  const path = put('garden.md', '# Garden\n\nThe greenhouse key hangs behind the xylophone.\n');
  const call = ['import', path, '--format', 'directory', '--audience', 'person:me', '--json'];
  const imported = await run(...call);
  assert.deepEqual([imported.code, imported.err], [0, '']);
  const found = await run('search', 'where', 'is', 'the', 'greenhouse', 'key', '--explain');
  assert.match(
    found.out,
    /^\d\.\d\d {2}mem_\S+ .*Garden The greenhouse key hangs.*\n {6}coverage \d\.\d\d, .*person:me/,
  );
  const listed = parseJson(
    (await run('list', '--json')).out,
    z.object({ entries: z.array(z.object({ id: z.string() })) }),
    'list',
  );
  const id = listed.entries[0]?.id ?? '';
  assert.match((await run('show', id)).out, /"text": "Garden\\nThe greenhouse key/);
  assert.match((await run('status')).out, /^entries {4}1\n[\s\S]*1 {2}person:me$/m);
  assert.match(
    (await run('forget', '--id', id)).out,
    /^1 entries would be forgotten; nothing was changed\.\n/,
  );
  assert.match((await run('forget', '--id', id, '--apply')).out, /^1 entries are forgotten\.$/m);
  const verified = await run('verify', 'xylophone');
  assert.deepEqual([verified.code, verified.out], [0, 'All fits together, and no trace was found.\n']);
  assert.equal((await run('search', 'greenhouse')).out, 'Nothing was found.\n');
});
