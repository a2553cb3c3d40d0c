// Parley as a child process that can be killed at any moment, also before it is ready.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endChild } from '#app/demo/child.ts';
import { ParleyError } from '#base/errors.ts';
import { startArguments } from './start-arguments.ts';

export interface Program {
  pid: number;
  /** Resolves once it has said all that is waited for; rejects with what it said when it ended before. */
  ready: Promise<void>;
  /** The last lines that it said. */
  said(): string;
  running(): boolean;
  /** SIGSTOP: it stands still, as a whole, until `goOn`. */
  pause(): void;
  goOn(): void;
  /** SIGKILL: nothing is flushed, nothing is closed. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

const program = startArguments();
const linesKept = 200;

export interface Starting {
  /** The command with its options; `start` when absent. */
  words?: readonly string[];
  /** Lines that it has said when it is ready; that all three platforms are connected, when absent. */
  until?: readonly RegExp[];
  /** Loads `file` first and reads its lines from a fourth pipe. */
  probe?: { file: string; line: (text: string) => void };
  /** Is loaded first. */
  preload?: string;
  /** Told each line of its output. */
  line?: (text: string) => void;
}

const connected = ['discord', 'telegram', 'slack'].map((name) => new RegExp(`^ {2}${name} +connected$`));

/** Starts Parley in `folder`. */
export function startProgram(
  folder: string,
  environment: NodeJS.ProcessEnv,
  { words = ['start'], until = connected, probe, preload = probe?.file, line: told }: Starting = {},
): Program {
  const first = preload === undefined ? [] : ['--import', preload];
  const child = spawn(process.execPath, [...first, ...program, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(probe ? (['pipe'] as const) : [])],
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  const save = (line: string): void => {
    lines.push(line);
    if (lines.length > linesKept) lines.shift();
  };
  const waiting = new Set(until);
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined); // a caller who does not wait need not hear of it
  listen(child.stderr, save);
  listen(child.stdout, (line) => {
    save(line);
    told?.(line);
    for (const pattern of waiting) if (pattern.test(line)) waiting.delete(pattern);
    if (waiting.size === 0) ready.resolve();
  });
  const fourth = child.stdio[3];
  if (probe !== undefined && fourth !== null && fourth !== undefined && 'read' in fourth)
    listen(fourth, probe.line);
  const running = (): boolean => child.exitCode === null && child.signalCode === null;
  void exited.then(() =>
    ready.reject(
      new ParleyError('program_ended', `Parley ended before it was connected:\n${lines.join('\n')}`),
    ),
  );
  return {
    pid: child.pid ?? 0,
    ready: ready.promise,
    said: () => lines.join('\n'),
    running,
    pause: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    async kill() {
      await endChild(child, exited, 'SIGKILL');
    },
    stop: () => endChild(child, exited, 'SIGTERM'),
  };
}

function listen(input: NodeJS.ReadableStream | null, line: (text: string) => void): void {
  if (input !== null) createInterface({ input }).on('line', line);
}
