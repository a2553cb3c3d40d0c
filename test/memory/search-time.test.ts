// A memory is searched in the program itself while it is small enough for that; others wait for it no longer than they notice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/found.ts';
import { testEmbedder } from './embedder.ts';
import { exchange, mine, openMemory, start } from './open-memory.ts';

/** As many rows as are searched without a thread. */
const rows = 8_000;
const atOnce = 500;

test('a search over all vectors of a memory that has no thread holds the program up for no more than 25 ms (M10)', async (t) => {
  const embedder = { ...testEmbedder('wide', 384), atOnce: 100 };
  const memory = openMemory(t, { embedder });
  for (let done = 0; done < rows; done += atOnce)
    await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        memory.archive(exchange(`Entry ${done + index} of the log, on a boat`, { at: start + done + index })),
      ),
    );
  await until('nothing that waits', async () => (await memory.status()).waiting === 0);
  const question = { text: 'Which ship was it?', scope: mine };
  for (let warm = 0; warm < 5; warm += 1) await memory.search(question);
  const times: number[] = [];
  for (let asked = 0; asked < 100; asked += 1) {
    // a search is one turn of the event loop; its processor time is what others wait for on a machine that does nothing else
    const before = process.threadCpuUsage();
    const { hits } = await memory.search(question);
    const { user, system } = process.threadCpuUsage(before);
    times.push((user + system) / 1_000);
    assert.ok((hits[0]?.why.vector ?? 0) > 0.9);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const p99 = times.sort((a, b) => a - b)[98] ?? Infinity;
  assert.ok(p99 <= 25, `the event loop waited for ${p99} ms`);
});
