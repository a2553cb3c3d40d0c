// Several processes on one file: nothing is lost, nothing is stored twice.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { momentOf, systemClock } from '#base/clock.ts';
import { by, note } from './facts.ts';
import { exchange, freshPath, mine, openMemory, start } from './open-memory.ts';

const run = promisify(execFile);

test('four processes that open and fill one new file at once lose nothing and double nothing (M36, M42, M43)', async (t) => {
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
    vectors: 0,
    embedding: 'none: no embedding model',
    waiting: 0,
    refused: [],
    responses: 0,
    degraded: [],
  });
  const { hits } = await memory.search({ text: `three entry ${each - 1}`, scope: mine });
  assert.equal(hits[0]?.text, `you said: three stores entry ${each - 1}`);
});

test('while another process holds the lock, the program continues, and the exchange is stored afterwards (M36)', async (t) => {
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

test('a lock that is never released is reported with a message after 5 s, and the same exchange is stored later (M36)', async (t) => {
  const path = freshPath(t);
  let now = start;
  const clock = {
    now: () => start - 100 * (now - start), // someone sets it back all the time
    monotonic: () => momentOf(now),
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
    message: 'Another process held the lock of the memory for too long.',
  });
  assert.ok(now - start >= 5_000);
  other.exec('COMMIT');
  assert.equal((await memory.archive(exchange('the boat is called Otter'))).status, 'stored');
});

/** Another connection that writes again and again, and leaves the file alone for some milliseconds in between. */
async function writeWithPauses(t: TestContext, path: string): Promise<void> {
  const writer = new Worker(
    `import Database from 'better-sqlite3';
    import { parentPort, workerData } from 'node:worker_threads';
    const file = new Database(workerData.path);
    const nobody = new Int32Array(new SharedArrayBuffer(4));
    for (let written = 0; ; written += 1) {
      file.exec('BEGIN IMMEDIATE');
      if (written === 0) parentPort.postMessage('writing');
      Atomics.wait(nobody, 0, 0, 30);
      file.exec('COMMIT');
      Atomics.wait(nobody, 0, 0, 3);
    }`,
    { eval: true, workerData: { path }, execArgv: ['--input-type=module'] },
  );
  t.after(() => writer.terminate());
  await once(writer, 'message');
}

test('what is forgotten while another process writes is forgotten once, counted, and gone from the files (M29, M36)', async (t) => {
  const path = freshPath(t);
  const memory = openMemory(t, { path, clock: systemClock });
  const words = ['xylophonist', 'harpsichord', 'glockenspiel', 'bassoonist', 'clarinettist', 'trombonist'];
  for (const word of words) await memory.archive(exchange(`My neighbour has a ${word}`));
  await writeWithPauses(t, path);
  for (const word of words) {
    const { entries, remains } = await memory.forget({
      scope: mine,
      selection: { words: word },
      mode: 'forget',
    });
    assert.deepEqual({ entries, remains }, { entries: 1, remains: [] });
  }
});

test('a look through the memory while another process writes finds nothing wrong (M36)', async (t) => {
  const path = freshPath(t);
  const memory = openMemory(t, { path, clock: systemClock });
  await memory.archive(exchange('the boat is called Otter'));
  await writeWithPauses(t, path);
  for (let times = 0; times < 5; times += 1)
    assert.deepEqual(await memory.verify(['harpsichord']), { problems: [], traces: [] });
});

/** Holds the lock of the file for a moment from the first call; whether it is free. */
function momentaryLock(t: TestContext, path: string) {
  const other = new Database(path);
  t.after(() => other.close());
  let state: 'never held' | 'held' | 'free' = 'never held';
  const hold = (): void => {
    if (state !== 'never held') return;
    other.exec('BEGIN IMMEDIATE');
    state = 'held';
    setTimeout(() => {
      other.exec('COMMIT');
      state = 'free';
    }, 150);
  };
  return { hold, state: () => state };
}

test('indexes that are made again while another process writes are complete when the answer comes (M36)', async (t) => {
  const path = freshPath(t);
  const memory = openMemory(t, { path, clock: systemClock });
  await Promise.all(Array.from({ length: 101 }, (_, n) => memory.archive(exchange(`boat number ${n}`))));
  const { hold, state } = momentaryLock(t, path);
  assert.equal(await memory.reindex(hold), 101);
  assert.equal(state(), 'free');
});

test('secrets of records that are masked while another process writes have left its file when the answer comes (M36)', async (t) => {
  const path = freshPath(t);
  const { hold, state } = momentaryLock(t, path);
  let late = 0;
  const sleep: typeof systemClock.sleep = (ms, signal) => {
    if (state() !== 'held') return systemClock.sleep(ms, signal);
    late += 1; // who met the lock first tries again long after the others
    return systemClock.sleep(late === 1 ? 400 : ms, signal);
  };
  const memory = openMemory(t, { path, clock: { ...systemClock, sleep } });
  const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  const saved = await memory.put(note('The gate opens with placeholderword.'));
  const id = 'id' in saved ? saved.id : '';
  await memory.retract({ id, scope: mine, by, reason: 'wrong' });
  await memory.archive(exchange('The gate is green.'));
  const file = new Database(path);
  t.after(() => file.close());
  file.prepare("UPDATE memory_records SET content = replace(content, 'placeholderword', ?)").run(key);
  const { found } = await memory.scan({ mode: 'fix', onProgress: hold });
  const text = file.prepare<[string], string>('SELECT content FROM memory_records WHERE id = ?').pluck();
  assert.deepEqual(
    [found.map((secret) => secret.id), late > 0, text.get(id)],
    [[id], true, 'The gate opens with [redacted:github token].'],
  );
});
