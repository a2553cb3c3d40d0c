// A rebuild while people ask: searches find the same before, during and after it, and a kill leaves the old index.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../support/temp-folder.ts';
import { openFiles, own } from './kit.ts';

const text = Array.from({ length: 30 }, (_, at) => `## Gate ${at}\n\nThe oak gate ${at} is open.\n`).join(
  '\n',
);

test('searches during a rebuild find every passage, and none twice (N4)', async (t) => {
  const { memory, put } = openFiles(t);
  for (let at = 0; at < 20; at += 1) await put('person:per_1', `memory/n${at}.md`, text);
  await settled();
  await memory.indexFiles();
  let isOver = false;
  const rebuilding = memory.indexFiles({ force: true }).finally(() => {
    isOver = true;
  });
  let asked = 0;
  while (!isOver) {
    const { hits } = await memory.search({ text: 'oak gate 7', scope: own });
    assert.match(hits[0]?.text ?? '', /The oak gate 7 is open/);
    asked += 1;
  }
  assert.ok(asked > 0);
  assert.equal((await rebuilding).passages.stored, 600);
  assert.equal((await memory.status()).chunks, 600);
});

test('a rebuild that is killed leaves a whole index and nothing behind (N4)', async (t) => {
  const folder = tempFolder(t);
  const [root, path] = [join(folder, 'memory'), join(folder, 'memory.sqlite')];
  const first = openFiles(t, { files: { root }, path });
  for (let at = 0; at < 20; at += 1) await first.put('person:per_1', `memory/n${at}.md`, text);
  await settled();
  await first.memory.indexFiles();
  await first.memory.close();
  const program = `
    import { createMemory } from '#memory/memory.ts';
    import { systemClock } from '#base/clock.ts';
    import { createIds } from '#base/ids.ts';
    const files = { root: ${JSON.stringify(root)} };
    const memory = createMemory({ path: ${JSON.stringify(path)}, clock: systemClock, newId: createIds(systemClock), files });
    process.stdout.write('begun');
    for (;;) await memory.indexFiles({ force: true });
  `;
  const cwd = join(import.meta.dirname, '..', '..', '..');
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, 250));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const second = openFiles(t, { files: { root }, path });
  const report = await second.memory.indexFiles();
  assert.deepEqual(
    [report.indexed, report.passages.stored, (await second.memory.status()).chunks],
    [0, 0, 600],
  );
  assert.deepEqual((await second.memory.verify()).problems, []);
});

/** A file is settled when it is older than this. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 130));
