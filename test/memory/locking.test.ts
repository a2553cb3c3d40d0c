// Several processes on one file: nothing is lost, nothing is kept twice.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { freshPath, mine, openMemory } from './open-memory.ts';

const run = promisify(execFile);

test('M36, M42, M43: four processes that open and fill one new file at once lose nothing and double nothing', async (t) => {
  const path = freshPath(t);
  const each = 60;
  const script = join(import.meta.dirname, 'archiver.ts');
  const ended = await Promise.all(
    ['one', 'two', 'three', 'four'].map((name) => run(process.execPath, [script, path, name, String(each)])),
  );
  const duplicates = ended.map(({ stdout }) => (JSON.parse(stdout) as { duplicates: number }).duplicates);
  assert.equal(
    duplicates.reduce((sum, count) => sum + count),
    3 * each,
  );
  const memory = openMemory(t, { path });
  assert.deepEqual(await memory.status(), {
    chunks: 5 * each,
    vectors: 5 * each,
    embedding: 'hashed-384',
    degraded: [],
  });
  const { hits } = await memory.search({ text: `three entry ${each - 1}`, scope: mine });
  assert.equal(hits[0]?.text, `you said: three keeps entry ${each - 1}`);
});
