// The processes under measurement: Parley as an operator starts it, and the bare echo bots.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { endChild } from '#app/demo/child.ts';
import { endAtExit } from '../harness/at-exit.ts';
import { nodeOf, ownRoot, startArguments } from '../harness/start-arguments.ts';
import { type Probe, probing } from './probed.ts';

export interface Child {
  /** Milliseconds from the start of the process until all platforms were connected. */
  readyMs: number;
  probe: Probe;
  /** Ends it with SIGTERM and resolves with its exit code. */
  stop(): Promise<number | null>;
}

const probeFile = join(import.meta.dirname, 'probe.js');
const echoFile = join(import.meta.dirname, 'echo.ts');
const readyWithinMs = 30_000;

export interface Start {
  /** The checkout whose program it is; this one when absent. */
  root?: string;
  folder: string;
  /** Tokens and roots, as the process is to find them in its environment. */
  environment: Readonly<Record<string, string>>;
  /** `bare` starts exactly what an operator starts; `probed` loads the probe as well. */
  how: 'bare' | 'probed';
  /** Further arguments for Node, such as `--cpu-prof`. */
  nodeArguments?: readonly string[];
}

/** Starts a checkout's `parley start` in the folder of its config. */
export function startParley({ root = ownRoot, how, nodeArguments = [], ...start }: Start): Promise<Child> {
  const probe = how === 'probed' ? ['--import', probeFile] : [];
  const words = [...nodeArguments, ...probe, ...startArguments(root), 'start'];
  return startProcess({ node: nodeOf(root), words }, start);
}

/** Starts the three echo bots in one process. */
export function startEcho(start: Pick<Start, 'folder' | 'environment'>): Promise<Child> {
  return startProcess({ node: process.execPath, words: [echoFile] }, start);
}

async function startProcess(
  { node, words }: { node: string; words: readonly string[] },
  { folder, environment }: Pick<Start, 'folder' | 'environment'>,
): Promise<Child> {
  const startedAt = performance.now();
  const child = spawn(node, words, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exited = once(child, 'exit');
  child.once(
    'exit',
    endAtExit(() => child.kill('SIGKILL')),
  );
  const said: string[] = [];
  const waiting = new Set(['discord', 'telegram', 'slack']);
  const ready = new Promise<number>((resolve) => {
    for (const stream of [child.stderr, child.stdout]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        if (said.push(line) > 200) said.shift();
        const [, platform] = /^ {2}(\w+) +connected$/.exec(line) ?? [];
        if (platform === undefined) return;
        waiting.delete(platform);
        if (waiting.size === 0) resolve(performance.now() - startedAt);
      });
    }
  });
  const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), readyWithinMs).unref());
  const outcome = await Promise.race([ready, exited, late]);
  if (typeof outcome !== 'number') {
    await endChild(child, exited, 'SIGKILL');
    throw new Error(
      `${words.slice(-2).join(' ')} did not connect to ${[...waiting].join(', ')}:\n${said.join('\n')}`,
    );
  }
  return {
    readyMs: outcome,
    probe: probing(child),
    async stop() {
      const code = await endChild(child, exited, 'SIGTERM');
      const errors = said.filter((line) => line.startsWith('{'));
      if (errors.length > 0)
        process.stderr.write(`the process logged ${errors.length} lines, the last:\n${errors.at(-1)}\n`);
      return code;
    },
  };
}
