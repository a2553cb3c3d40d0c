// `parley prune`: all that is beyond its retention in the home folder, shown or deleted. How long each is kept is in the config.

import { parleyRuns } from './calls/runs.ts';
import type { CommandInput } from './parts/input.ts';
import { parleyUploads } from './uploads.ts';

/** `uploads prune`, then `runs prune`; may be called while Parley runs. As JSON each has a line. */
export async function prune(input: CommandInput): Promise<number> {
  for (const each of [parleyUploads, parleyRuns]) {
    const code = await each({ ...input, rest: ['prune'] });
    if (code !== 0) return code;
  }
  return 0;
}
