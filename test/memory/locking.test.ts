// Several processes on one file: nothing is lost, nothing is kept twice.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import { exchange, freshPath, mine, openMemory, start } from './open-memory.ts';

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
    embedding: 'hashed-384-signs',
    responses: 0,
    degraded: [],
  });
  const { hits } = await memory.search({ text: `three entry ${each - 1}`, scope: mine });
  assert.equal(hits[0]?.text, `you said: three keeps entry ${each - 1}`);
});

test('M36: while another process holds the lock, the program goes on, and the exchange is stored afterwards', async (t) => {
  const path = freshPath(t);
  const memory = openMemory(t, { path, clock: systemClock });
  const other = new Database(path);
  t.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  let settled = false;
  const archived = memory.archive(exchange('the boat is called Otter')).finally(() => {
    settled = true;
  });
  // This timer fires only if the program is not standing still inside SQLite until that gives up.
  await systemClock.sleep(150);
  assert.equal(settled, false);
  other.exec('COMMIT');
  assert.equal((await archived).status, 'stored');
});

test('M36: a lock that is never released is told in words after 5 s, and the same exchange is stored later', async (t) => {
  const path = freshPath(t);
  let now = start;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += Math.round(ms * 200);
    },
  };
  const memory = openMemory(t, { path, clock });
  const other = new Database(path);
  t.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  await assert.rejects(memory.archive(exchange('the boat is called Otter')), {
    code: 'memory_busy',
    message: 'Another process kept the memory locked for too long.',
  });
  assert.ok(now - start >= 5_000);
  other.exec('COMMIT');
  assert.equal((await memory.archive(exchange('the boat is called Otter'))).status, 'stored');
});
