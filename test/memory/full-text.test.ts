// A full text that is lost under a memory that is open, and inside the thread of a large one.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { createRandom } from '../../bench/harness/random.ts';
import { clockOf } from '../support/clock-of.ts';
import { until } from '../support/found.ts';
import { by } from './facts.ts';
import { exchange, found, mine, openMemory, start } from './open-memory.ts';

for (const [where, threadAbove] of [
  ['here', undefined],
  ['in a thread', { rows: 0, bytes: 0 }],
] as const)
  test(`a search ${where} over a full text that went away in the meantime finds by LIKE within its scope, and it is made again`, async (t: TestContext) => {
    const memory = openMemory(t, { threadAbove });
    await memory.archive(exchange('The harbour was closed'));
    const other = { audience: 'person:per_2', restricted: true } as const;
    await memory.archive(exchange('The harbour of another', { where: other }));
    assert.deepEqual(await found(memory, 'harbour'), ['The harbour was closed']);
    const file = new Database(memory.path);
    file.unsafeMode(true);
    file.exec('DROP TABLE global_memory_fts');
    file.close();
    const { hits, degraded } = await memory.search({ text: 'closed harbour', scope: mine });
    assert.deepEqual(
      hits.map(({ text }) => text),
      ['you said: The harbour was closed'],
    );
    assert.match(degraded.join(), /full text damaged: searched with LIKE/);
    assert.equal((await memory.archive(exchange('The boat is red'))).status, 'stored');
    const again = await memory.search({ text: 'boat', scope: mine });
    assert.deepEqual([again.hits.length, again.degraded], [1, []]);
    const recalled = await memory.recall({ text: 'Was the harbour closed?', scope: mine });
    assert.equal(recalled.hits.length, 1);
  });

test('a scope that reads most of the memory finds what was added since its last question, and nothing of another one', async (t) => {
  const memory = openMemory(t);
  const second = openMemory(t, { path: memory.path });
  const other = { audience: 'person:per_2', restricted: true } as const;
  const expected: string[] = [];
  for (let n = 0; n < 30; n += 1) {
    const isOther = n % 3 === 2;
    const text = `Boat number ${n} is moored`;
    const writer = n % 2 === 0 ? memory : second;
    await writer.archive(exchange(text, isOther ? { where: other } : {}));
    if (!isOther) expected.push(text);
    assert.deepEqual((await found(memory, 'boat moored', 100)).sort(), expected.toSorted());
  }
  const { hits } = await memory.search({ text: 'boat number 16', scope: mine });
  const [{ id = '', text = '' } = {}] = hits;
  await second.forget({ selection: { ids: [id] }, scope: mine, mode: 'forget', by });
  const left = expected.filter((each) => !text.endsWith(each));
  assert.equal(left.length, expected.length - 1);
  assert.deepEqual((await found(memory, 'boat moored', 100)).sort(), left.toSorted());
});

/** A memory whose index of words many writes left in parts, closed, and the parts of it. */
async function withParts(t: TestContext) {
  const { path, ...memory } = openMemory(t);
  const random = createRandom(1);
  const word = (): string => Array.from({ length: 7 }, () => 'bdfgklmnprst'[random.int(0, 11)]).join('');
  const texts = Array.from(
    { length: 600 },
    (_, n) => `boat ${n} ${Array.from({ length: 60 }, word).join(' ')}`,
  );
  for (let at = 0; at < texts.length; at += 30)
    await Promise.all(texts.slice(at, at + 30).map((text) => memory.archive(exchange(text))));
  const file = new Database(path);
  t.after(() => file.close());
  const pagesOfParts = file.prepare('SELECT count(*) FROM global_memory_fts_idx GROUP BY segid').pluck();
  const parts = (): number => pagesOfParts.all().length;
  assert.ok(parts() > 3, `in ${parts()} parts`);
  const text = texts[77] ?? '';
  const before = await found(memory, text, 3);
  await memory.close();
  return { path, file, parts, text, before };
}

test('a running memory merges an index of words that many writes left in parts, in steps, and finds the same', async (t) => {
  const { path, parts, text, before } = await withParts(t);
  let pauses = 0;
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    pauses += 1;
    await pause(Math.min(ms, 20), undefined, { signal });
  };
  const running = openMemory(t, { path, ahead: true, clock: clockOf(() => start, sleep) });
  await until('one part of the full text', async () => parts() === 1);
  assert.ok(pauses > 5, `${pauses} pauses`);
  assert.deepEqual(await found(running, text, 3), before);
});

test('a merge that another process holds up continues when the file is free', async (t) => {
  const { path, file, parts } = await withParts(t);
  let [now, waits] = [start, 0];
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    if (ms >= 30_000) waits += 1;
    now += 1_000;
    await pause(Math.min(ms, 20), undefined, { signal });
  };
  openMemory(t, { path, ahead: true, clock: clockOf(() => now, sleep) });
  file.exec('BEGIN IMMEDIATE');
  await until('a pause', async () => waits > 0);
  assert.ok(parts() > 3);
  file.exec('COMMIT');
  await until('one part of the full text', async () => parts() === 1);
});
