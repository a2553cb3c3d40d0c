// A rebuild while people ask: searches find the same before, during and after it, and a kill leaves the old index.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { ageIndex } from '../../../bench/harness/age-index.ts';
import { watchLoop } from '../../../bench/harness/watch-loop.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openFiles, own, settled } from './kit.ts';

const text = Array.from({ length: 30 }, (_, at) => `## Gate ${at}\n\nThe oak gate ${at} is open.\n`).join(
  '\n',
);

test('searches during a rebuild find every passage, and none twice (N4)', async (t) => {
  const { memory, put } = openFiles(t);
  for (let at = 0; at < 20; at += 1) await put('person:per_1', `memory/n${at}.md`, text);
  await settled();
  await memory.indexFiles();
  ageIndex(memory.path);
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

test('a rebuild only stamps a passage whose words an earlier version made in the same way (N4)', async (t) => {
  const { memory, put, found } = openFiles(t);
  for (let at = 0; at < 20; at += 1) await put('person:per_1', `memory/n${at}.md`, text);
  await settled();
  await memory.indexFiles();
  const rows = (): unknown[] => {
    const database = new Database(memory.path, { readonly: true });
    try {
      return database.prepare('SELECT row, id, analyzer FROM global_memory_chunks ORDER BY row').all();
    } finally {
      database.close();
    }
  };
  const before = rows();
  assert.equal(ageIndex(memory.path, { every: 1_000_000 }), 0);
  assert.notDeepEqual(rows(), before);
  const { passages } = await memory.indexFiles({ force: true });
  assert.deepEqual(passages, { stored: 0, unchanged: 600, removed: 0 });
  assert.deepEqual(rows(), before);
  assert.match((await found('oak gate 7'))[0] ?? '', /The oak gate 7 is open/);
  assert.deepEqual((await memory.verify()).problems, []);
});

test('a rebuild that is killed leaves a whole index and nothing behind (N4)', async (t) => {
  const folder = tempFolder(t);
  const [root, path] = [join(folder, 'memory'), join(folder, 'memory.sqlite')];
  const first = openFiles(t, { files: { root }, path });
  for (let at = 0; at < 20; at += 1) await first.put('person:per_1', `memory/n${at}.md`, text);
  await settled();
  await first.memory.indexFiles();
  await first.memory.close();
  ageIndex(path);
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
  assert.ok(report.indexed <= 1, 'at most the file of which a part was made again');
  assert.deepEqual([report.passages.stored, (await second.memory.status()).chunks], [0, 600]);
  assert.equal((await second.memory.indexFiles()).indexed, 0);
  assert.deepEqual((await second.memory.verify()).problems, []);
});

/** Tries to write all the time, on another thread: how long it could not at most, in milliseconds, until it is called. */
async function watchLock(t: TestContext, path: string): Promise<() => Promise<number>> {
  const program = `
    const { parentPort, workerData } = require('node:worker_threads');
    const database = new (require('better-sqlite3'))(workerData, { timeout: 0 });
    let [since, longest, isOn] = [undefined, 0, true];
    parentPort.on('message', () => { isOn = false; });
    const look = () => {
      try {
        database.exec('BEGIN IMMEDIATE; ROLLBACK');
        if (since !== undefined) longest = Math.max(longest, performance.now() - since);
        since = undefined;
      } catch { since ??= performance.now(); }
      if (isOn) return setTimeout(look, 1);
      database.close();
      parentPort.postMessage(longest);
    };
    parentPort.postMessage(0);
    look();`;
  const worker = new Worker(program, { eval: true, workerData: path });
  t.after(() => worker.terminate());
  await once(worker, 'message');
  return async () => {
    worker.postMessage('end');
    const [longest] = await once(worker, 'message');
    return longest;
  };
}

test('a rebuild of many files and of a long one holds neither the event loop nor the lock for a tenth of its time', async (t) => {
  const { memory, put } = openFiles(t);
  for (let at = 0; at < 600; at += 1)
    await put('person:per_1', `memory/n${at}.md`, `The oak gate ${at} is open.\n`);
  const long = Array.from({ length: 600 }, (_, at) => `## Pier ${at}\n\nThe elm pier ${at} is shut.\n`);
  await put('person:per_1', 'memory/long.md', long.join('\n'));
  await settled();
  await memory.indexFiles();
  const round = async () => {
    ageIndex(memory.path);
    const [loop, lock] = [watchLoop(), await watchLock(t, memory.path)];
    const from = performance.now();
    const { passages } = await memory.indexFiles({ force: true });
    const whole = performance.now() - from;
    const [held, locked] = [loop() / whole, (await lock()) / whole];
    assert.deepEqual(passages, { stored: 1_200, unchanged: 0, removed: 1_200 });
    return { held, locked };
  };
  // A collection over the heap of all tests may hold the loop in one round; a rebuild that holds it does so in each.
  let best = { held: 1, locked: 1 };
  for (let at = 0; at < 3 && Math.max(best.held, best.locked) >= 0.1; at += 1) {
    const { held, locked } = await round();
    best = { held: Math.min(best.held, held), locked: Math.min(best.locked, locked) };
  }
  assert.ok(best.held < 0.1, `the event loop was held for ${best.held} of the time`);
  assert.ok(best.locked < 0.1, `the lock was held for ${best.locked} of the time`);
});

test('a long file whose indexing was cut counts as changed, and the next run finishes it', async (t) => {
  const folder = tempFolder(t);
  const [root, path] = [join(folder, 'memory'), join(folder, 'memory.sqlite')];
  const first = openFiles(t, { files: { root }, path });
  const long = Array.from({ length: 400 }, (_, at) => `## Pier ${at}\n\nThe elm pier ${at} is shut.\n`);
  await first.put('person:per_1', 'memory/long.md', long.join('\n'));
  await settled();
  const cut = first.memory.indexFiles().catch((error: unknown) => error);
  while ((await first.memory.status().catch(() => undefined))?.chunks === 0);
  await first.memory.close();
  await cut;
  const second = openFiles(t, { files: { root }, path });
  await second.memory.indexFiles();
  assert.equal((await second.memory.status()).chunks, 400);
  assert.equal((await second.memory.indexFiles()).indexed, 0);
  assert.deepEqual((await second.memory.verify()).problems, []);
});
