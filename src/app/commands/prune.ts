// `parley prune`: all that is beyond its retention in the home folder, shown or deleted. How long each is kept is in the config.

import { parleyRuns } from './calls/runs.ts';
import type { CommandInput } from './parts/input.ts';
import { parleyUploads } from './uploads.ts';

/** `uploads prune`, then `runs prune`; may be called while Parley runs. As JSON it is one object with what both print. */
export async function prune(input: CommandInput): Promise<number> {
  const printed: string[] = [];
  const print = input.json ? (line: string) => void printed.push(line) : input.print;
  for (const each of [parleyUploads, parleyRuns]) {
    const code = await each({ ...input, print, rest: ['prune'] });
    if (code !== 0) return code;
  }
  if (input.json) input.print(JSON.stringify(Object.assign({}, ...printed.map((line) => JSON.parse(line)))));
  return 0;
}
