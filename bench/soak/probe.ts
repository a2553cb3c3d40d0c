// Loaded into Parley's own process by `node --import`: says every few seconds, over the fourth pipe, what memory it holds once garbage is collected. Changes nothing else.
import { createWriteStream } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Megabytes. */
export interface Memory {
  rss: number;
  heap: number;
  /** Buffers and what native code says that it holds for JavaScript objects. */
  external: number;
}

const everyMs = 5_000;

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');
const pipe = createWriteStream('', { fd: 3, autoClose: false });

const say = (): void => {
  if (typeof collect === 'function') {
    collect();
    collect(); // what the first run's finalizers let go of
  }
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const mb = (bytes: number): number => bytes / 2 ** 20;
  const memory: Memory = { rss: mb(rss), heap: mb(heapUsed), external: mb(external + arrayBuffers) };
  pipe.write(`${JSON.stringify(memory)}\n`);
};

setInterval(say, everyMs).unref();
