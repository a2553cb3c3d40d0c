// The wall clocks of processes, moved from outside through files that a preloaded module reads.
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Starting } from './program.ts';

export interface ClockFiles {
  /** What a process needs in its environment to have the clock of this name. */
  environment(name: string): NodeJS.ProcessEnv;
  starting: Starting;
  /** From soon on the clock of this name differs from the machine's by so many milliseconds. */
  move(name: string, offsetMs: number): Promise<void>;
}

/** Clocks whose files lie in `folder`; each is right until it is moved. */
export function createClockFiles(folder: string): ClockFiles {
  const fileOf = (name: string): string => join(folder, `clock-${name}`);
  return {
    environment: (name) => ({ PARLEY_BENCH_CLOCK: fileOf(name) }),
    starting: { preload: join(import.meta.dirname, 'moved-clock.js') },
    async move(name, offsetMs) {
      const file = fileOf(name);
      await writeFile(`${file}.new`, String(offsetMs));
      await rename(`${file}.new`, file);
    },
  };
}
