// Loaded into Parley's own process by `node --import`: says every few seconds, over the fourth pipe, what memory it holds once garbage
// is collected. Changes nothing else: as TypeScript it would bring Node's stripping of types with it, 6 MB in each thread.
import { createWriteStream } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const everyMs = 5_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
/** One thread alone speaks; what the heaps of others hold is in the whole. */
const pipe = isMainThread ? createWriteStream('', { fd: 3, autoClose: false }) : undefined;

const say = () => {
  collect();
  collect(); // what the first run's finalizers let go of
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const mb = (bytes) => bytes / 2 ** 20;
  const memory = { rss: mb(rss), heap: mb(heapUsed), external: mb(external + arrayBuffers) };
  pipe?.write(`${JSON.stringify(memory)}\n`);
};

if (pipe !== undefined) setInterval(say, everyMs).unref();
