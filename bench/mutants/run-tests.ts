// Test files run in one process of Node until the first test that fails.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Failure } from './first-failure.ts';

export type Outcome = { how: 'passed' } | { how: 'failed'; failure: Failure } | { how: 'too long' };

export interface Tree {
  /** A copy of the project in which files may be changed. */
  folder: string;
  /** Where its tests write; emptied after each run. */
  scratch: string;
}

export interface Run {
  /** Paths from the root of the project. */
  tests: readonly string[];
  /** All of them may take so long, in milliseconds. */
  ms: number;
  /** One test may take so long, in milliseconds. */
  testMs: number;
  /** V8 writes into this folder which code ran. */
  coverage?: string;
}

/** Runs the files in the tree. It ends at the first failure; what the tests started ends with them. */
export async function runTests(tree: Tree, { tests, ms, testMs, coverage }: Run): Promise<Outcome> {
  const loaded = 'test/support/loaded.ts'; // says when a file could not be loaded to its end
  const flags = [
    ...(coverage === undefined ? ['--import', './test/support/compile-cache.js'] : []),
    ...['--test', '--test-isolation=none', '--test-force-exit', `--test-timeout=${Math.ceil(testMs)}`],
    '--test-reporter=./bench/mutants/first-failure.ts',
  ];
  mkdirSync(tree.scratch, { recursive: true });
  const child = spawn(process.execPath, [...flags, ...tests, loaded], {
    cwd: tree.folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
    env: {
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      ...process.env,
      ...(coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage }),
      TMPDIR: tree.scratch,
      PARLEY_TEST_FILES: JSON.stringify(tests.map((file) => join(tree.folder, file))),
    },
  });
  let tooLong = false;
  let said = '';
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL'); // its group: what the tests started too
    } catch {
      // the whole group has ended on its own
    }
  };
  process.once('exit', kill);
  const timer = setTimeout(() => {
    tooLong = true;
    kill();
  }, ms);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (failureOf(said) !== undefined) kill();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearTimeout(timer);
  process.off('exit', kill);
  kill();
  unmountBelow(tree.scratch);
  rmSync(tree.scratch, { recursive: true, force: true, maxRetries: 5 });
  const failure = failureOf(said);
  if (failure !== undefined) return { how: 'failed', failure };
  if (tooLong) return { how: 'too long' };
  if (code === 0) return { how: 'passed' };
  return {
    how: 'failed',
    failure: { title: 'no test', file: '', error: `the process ended with ${code ?? 'a signal'}` },
  };
}

/** Takes away the disks that a test which was killed left mounted, the innermost first. */
function unmountBelow(folder: string): void {
  const table = '/proc/self/mounts';
  const mounts = existsSync(table) ? readFileSync(table, 'utf8').split('\n') : [];
  const paths = mounts.flatMap((line) => line.split(' ')[1] ?? []);
  for (const path of paths.reverse()) if (path.startsWith(`${folder}/`)) spawnSync('umount', ['-l', path]);
}

/** The first whole line of the reporter. */
function failureOf(said: string): Failure | undefined {
  const line = said
    .split('\n')
    .find((text, index, all) => index < all.length - 1 && text.startsWith('{"title":'));
  return line === undefined ? undefined : (JSON.parse(line) as Failure); // as the reporter wrote it
}
