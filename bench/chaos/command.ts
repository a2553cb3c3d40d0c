// One command of Parley as a process of its own, next to the program.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { systemClock } from '#base/clock.ts';
import { startArguments } from '../harness/start-arguments.ts';

export interface Ended {
  /** Null when it was killed. */
  code: number | null;
  /** What it wrote to both outputs. */
  said: string;
}

/** No command may take longer, in milliseconds, on two busy cores. */
const longestMs = 90_000;
const program = startArguments();

/** Runs it in `folder` to its end, or kills it after `killAfterMs`. Throws when it takes longer than 90 s. */
export async function runCommand(
  words: readonly string[],
  options: { folder: string; environment: NodeJS.ProcessEnv; killAfterMs: number | undefined },
): Promise<Ended> {
  const { folder, environment, killAfterMs } = options;
  const child = spawn(process.execPath, [...program, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const over = new AbortController();
  const later = systemClock.sleep(killAfterMs ?? longestMs, over.signal).then(
    () => child.kill('SIGKILL'),
    () => false,
  );
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  over.abort();
  const isLate = await later;
  if (isLate && killAfterMs === undefined)
    throw new Error(`parley ${words.join(' ')} took longer than ${longestMs / 1000} s:\n${out}${err}`);
  return { code: child.exitCode, said: `${out}${err}` };
}
