// A process of tests as run.ts sees it: receives one file after the other and reports the outcome of each. No test.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Said } from './report-tests.ts';

/** The outcome of a file. */
export interface Outcome {
  file: string;
  passed: number;
  skipped: number;
  failed: { test: string; error: string }[];
  seconds: number;
  /** Processor time in seconds, with that of its programs; 0 if the process ended before the file. */
  processor: number;
}

const folder = join(import.meta.dirname, '..');
/** After so long a test that still waits is reported as failed. */
const testTimeoutMs = 240_000;
/** After so long without a result the process is killed: a test in an endless loop cannot be timed out from inside. */
const silenceMs = testTimeoutMs + 60_000;
/** Characters of a process's output that a failure shows. */
const maxWords = 20_000;

export class TestProcess {
  readonly #child: ChildProcess;
  /** The end of its output. */
  #output = '';

  constructor(env: NodeJS.ProcessEnv) {
    this.#child = fork(join(folder, 'support/run-files.ts'), {
      silent: true,
      env,
      execArgv: [
        ...['--import', join(folder, 'support/compile-cache.js')],
        ...[`--test-timeout=${testTimeoutMs}`, `--test-reporter=${join(folder, 'support/report-tests.ts')}`],
      ],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (piece: Buffer) => {
        this.#output = (this.#output + String(piece)).slice(-maxWords);
      });
  }

  get output(): string {
    return this.#output;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Runs a file; never rejects. If the process ends before the file or hangs, the file has failed. */
  async run(file: string): Promise<Outcome> {
    const child = this.#child;
    const outcome: Outcome = { file, passed: 0, skipped: 0, failed: [], seconds: 0, processor: 0 };
    const from = performance.now();
    let silence: NodeJS.Timeout | undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const watch = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => child.kill('SIGKILL'), silenceMs);
    };
    const hear = (said: Said): void => {
      watch();
      if (said.type === 'end') {
        outcome.processor = said.processorMs / 1000;
        if (outcome.passed + outcome.skipped + outcome.failed.length === 0)
          outcome.failed.push({ test: 'the file has a test', error: 'It has none.' });
        resolve();
        return;
      }
      if (said.type === 'failed') outcome.failed.push(said);
      else outcome[said.type] += 1;
    };
    const broke = (code: number | null, signal: string | null): void => {
      const error = `Its process ended by ${signal ?? `code ${code}`}.\n${this.#output}`;
      outcome.failed.push({ test: 'the file runs to its end', error });
      resolve();
    };
    watch();
    child.on('message', hear).once('close', broke);
    child.send({ path: join(folder, file) });
    await promise;
    clearTimeout(silence);
    child.off('message', hear).off('close', broke);
    outcome.seconds = (performance.now() - from) / 1000;
    return outcome;
  }

  /** Ends the process; its exit code is not 0 if a test or anything outside of tests failed. */
  async end(): Promise<number | null> {
    if (!this.hasEnded) {
      const ended = once(this.#child, 'close');
      this.#child.send({});
      await ended;
    }
    return this.#child.exitCode;
  }
}
