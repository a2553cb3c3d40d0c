// Loaded into a process by `node --import`: its garbage is collected every second, so that what it holds is what it needs.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  setInterval(collect, 1_000).unref();
}
