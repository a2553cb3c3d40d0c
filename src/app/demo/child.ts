// Parley as a process of its own, started the way an operator starts it, so that it can really be killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Environment } from '#app/config/environment.ts';
import { ParleyError } from '#base/errors.ts';

export interface Child {
  /** Where its engine listens. */
  url: string;
  /** Ends it with SIGKILL: nothing is flushed, nothing is closed. */
  kill(): Promise<void>;
  /** Ends it with SIGTERM and resolves with its exit code. */
  stop(): Promise<number | null>;
}

const program = join(import.meta.dirname, '..', '..', '..', 'bin', 'parley.js');
/** The child runs what this process runs. */
const options = import.meta.filename.endsWith('.ts') ? ['--source'] : [];
const readyWithinMs = 30_000;

/** Starts `parley start` in `folder` and resolves once it says that all of `platforms` are connected. */
export async function startChild(
  folder: string,
  environment: Environment,
  platforms: readonly string[],
): Promise<Child> {
  const variables = { PATH: process.env.PATH ?? '', HOME: folder, ...environment };
  const child = spawn(process.execPath, [program, ...options, 'start'], {
    cwd: folder,
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  const waiting = new Set(platforms);
  let url = '';
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      url ||= /http:\/\/[\w.:]+\d/.exec(line)?.[0] ?? '';
      const [, platform] = /^ {2}(\w+) +connected$/.exec(line) ?? [];
      if (platform !== undefined) waiting.delete(platform);
      if (waiting.size === 0) resolve();
    });
  });
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), readyWithinMs).unref());
  const outcome = await Promise.race([ready, exited, late]);
  if (outcome !== undefined) {
    await endChild(child, exited, 'SIGKILL');
    throw new ParleyError(
      'demo_child',
      `Parley ${outcome === 'late' ? `did not connect within ${readyWithinMs / 1_000} s` : 'ended before it connected'} to ${[...waiting].join(', ')}. Its output:\n${lines.join('\n')}`,
    );
  }
  return {
    url,
    kill: async () => void (await endChild(child, exited, 'SIGKILL')),
    stop: () => endChild(child, exited, 'SIGTERM'),
  };
}

/** Sends the signal to a child (nothing happens to one that has ended) and resolves with its exit code. */
export async function endChild(
  child: ChildProcess,
  exited: Promise<unknown>,
  signal: NodeJS.Signals,
): Promise<number | null> {
  child.kill(signal);
  await exited;
  return child.exitCode;
}
