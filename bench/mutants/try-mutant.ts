// One mutant in a copy of the tree: written, tested, taken back. Not the choice of mutants.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutate.ts';

export type Fate = 'killed' | 'survived' | 'timeout';

/** Runs the tests in the tree until the first that fails; `timeout` when they do not end in `ms`. `pass` with no mutant in it is `survived`. */
export function runTests(
  tree: string,
  { tests, ms }: { tests: readonly string[]; ms: number },
): Promise<Fate> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      ['--test', '--test-isolation=none', '--test-reporter=tap', '--test-timeout=60000', ...tests],
      { cwd: tree, stdio: ['ignore', 'pipe', 'ignore'], detached: true },
    );
    let fate: Fate | undefined;
    const end = (how: Fate): void => {
      fate ??= how;
      // a group of its own: what the tests started ends with them
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    };
    const timer = setTimeout(() => end('timeout'), ms);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (/^not ok /m.test(text)) end('killed');
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(fate ?? (code === 0 ? 'survived' : 'killed'));
    });
  });
}

/** What the tests say of the mutant, which stands in the tree only until then. */
export async function tryMutant(
  tree: string,
  mutant: Mutant,
  how: { tests: readonly string[]; ms: number },
): Promise<Fate> {
  const path = join(tree, mutant.file);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, whole.slice(0, mutant.start) + mutant.text + whole.slice(mutant.end));
  try {
    return await runTests(tree, how);
  } finally {
    writeFileSync(path, whole);
  }
}
