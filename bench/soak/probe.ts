// Loaded into Parley's own process by `node --import`: says every few seconds, over the fourth pipe, what memory it holds once garbage is collected. Changes nothing else.
import { createWriteStream } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { lazily } from '#base/lazily.ts';

/** Megabytes. */
export interface Memory {
  rss: number;
  /** Of the main thread. */
  heap: number;
  /** Buffers and what native code says that it holds for JavaScript objects. */
  external: number;
}

const everyMs = 5_000;

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');
/** Opened with the first word, by one thread alone. */
const pipe = lazily(() => createWriteStream('', { fd: 3, autoClose: false }));

const say = (): void => {
  if (typeof collect === 'function') {
    collect();
    collect(); // what the first run's finalizers let go of
  }
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const mb = (bytes: number): number => bytes / 2 ** 20;
  const memory: Memory = { rss: mb(rss), heap: mb(heapUsed), external: mb(external + arrayBuffers) };
  pipe().write(`${JSON.stringify(memory)}\n`);
};

// Threads load this as well: what their heaps hold is in the whole.
if (isMainThread) setInterval(say, everyMs).unref();
