// The environment that a thread of this program is started with. Not the thread.
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/** What was compiled once is read from a folder, one below it for each version of Node; a thread does so when it is told where. */
export function threadEnvironment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}
