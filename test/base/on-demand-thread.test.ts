// A thread has the room that it is given, whatever the program was started with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { createOnDemandThread } from '#base/threads/on-demand-thread.ts';

/** Makes many short-lived objects, and says how many megabytes V8 has taken for new ones. */
const fill = `
import { getHeapSpaceStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
let stored = [];
for (let at = 0; at < 400_000; at += 1) if (stored.push({ at, of: [at] }) > 50_000) stored = [];
const [space] = getHeapSpaceStatistics().filter((one) => one.space_name === 'new_space');
parentPort.on('message', () => parentPort.postMessage(space.space_size / 2 ** 20));
`;

test('the new objects of a thread take no more than it is given, though the main thread may have more', async () => {
  setFlagsFromString('--max-semi-space-size=16');
  const said = Promise.withResolvers<number>();
  const thread = createOnDemandThread<number>({
    file: new URL(`data:text/javascript,${encodeURIComponent(fill)}`),
    youngMiB: 6,
    received: said.resolve,
    died: said.reject,
  });
  thread.ask('how much');
  const megabytes = await said.promise;
  await thread.end();
  assert.ok(megabytes <= 4, `expected two spaces of 2 MB, got ${megabytes} MB`);
});
