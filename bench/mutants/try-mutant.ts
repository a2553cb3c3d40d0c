// One mutant in a copy of the tree: written, tested, taken back.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Mutant } from './mutate.ts';
import { runTests, type Tree } from './run-tests.ts';

export interface Fate {
  fate: 'killed' | 'survived';
  /** The test file that noticed; absent where the tests did not come to their end. */
  by?: string;
}

/** Tests may take this many times as long as alone and without a mutant, and some seconds more: beyond that they hang. */
const timeout = { times: 4, moreMs: 15_000 };

/** The tests of one process together take so long, in milliseconds; the first ones are few, as most mutants die early. */
const batchMs = [3_000, 12_000, 60_000];

export interface Timed {
  test: string;
  ms: number;
}

/** The tests in the same order, in groups that share a process. */
export function batchesOf(tests: readonly Timed[]): Timed[][] {
  const batches: Timed[][] = [];
  let left = 0;
  for (const one of tests) {
    const last = batches.at(-1);
    if (last === undefined || left < one.ms) {
      left = (batchMs[batches.length] ?? batchMs.at(-1) ?? 0) - one.ms;
      batches.push([one]);
    } else {
      left -= one.ms;
      last.push(one);
    }
  }
  return batches;
}

/** What the tests say of the mutant. A test that notices is asked once more on its own: one that then passes has not noticed. */
export async function tryMutant(tree: Tree, mutant: Mutant, tests: readonly Timed[]): Promise<Fate> {
  const path = join(tree.folder, mutant.file);
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, whole.slice(0, mutant.start) + mutant.text + whole.slice(mutant.end));
  const run = (some: readonly Timed[]) => {
    const limit = (ms: number): number => timeout.times * ms + timeout.moreMs;
    return runTests(tree, {
      tests: some.map(({ test }) => test),
      ms: limit(some.reduce((sum, { ms }) => sum + ms, 0)),
      testMs: limit(Math.max(...some.map(({ ms }) => ms))),
    });
  };
  try {
    for (const batch of batchesOf(tests)) {
      for (let left = batch; left.length > 0; ) {
        const outcome = await run(left);
        if (outcome.how === 'passed') break;
        if (outcome.how === 'too long') return { fate: 'killed' };
        const by = relative(tree.folder, outcome.failure.file);
        const again = left.filter(({ test }) => test === by);
        const named = again.length > 0;
        if ((await run(named ? again : left)).how !== 'passed')
          return named ? { fate: 'killed', by } : { fate: 'killed' };
        left = named ? left.filter(({ test }) => test !== by) : [];
      }
    }
    return { fate: 'survived' };
  } finally {
    writeFileSync(path, whole);
  }
}
