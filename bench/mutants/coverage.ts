// Which places of the sources a test file runs, found once without a mutant.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Failure } from './first-failure.ts';
import { hashOf } from './hash.ts';
import { hashOfTest } from './loaded-by.ts';
import { runTests, type Tree } from './run-tests.ts';

/** From, to and whether it ran (1) or not (0), in characters of the source. The shortest stretch around a place counts. */
type Stretch = readonly [start: number, end: number, ran: 0 | 1];

/** What one test file does without a mutant. */
export interface Measured {
  /** How long it takes in a separate process, in milliseconds. */
  ms: number;
  /** By source file, for each process and thread that loaded it. */
  ran: Record<string, Stretch[][]>;
  /** The hash of each of these source files as it was then. */
  sources: Record<string, string>;
}

export interface Circumstances {
  /** The folder in which what was measured is found again. */
  saved: string;
  /** The hashes of the source files that are looked at. */
  sources: Record<string, string>;
}

/** Whether the test ran what is at this place of the source file. */
export function runsAt({ ran }: Measured, file: string, at: number): boolean {
  return (ran[file] ?? []).some((stretches) => {
    const around = stretches.filter(([start, end]) => start <= at && at < end);
    const shortest = around.sort((a, b) => a[1] - a[0] - (b[1] - b[0]))[0];
    return shortest?.[2] === 1;
  });
}

/**
 * Runs the test file on its own and says what it ran, or which test fails and why: twice, as a slow moment is no fault.
 * What was measured before is used again while the test and the sources that are looked at are the same.
 */
export async function measure(tree: Tree, test: string, about: Circumstances): Promise<Measured | Failure> {
  const path = join(about.saved, `${hashOfTest(tree.folder, test)}.json`);
  if (existsSync(path)) {
    const before = JSON.parse(readFileSync(path, 'utf8')) as Measured; // as it was written below
    if (Object.entries(about.sources).every(([file, hash]) => (before.sources[file] ?? hash) === hash))
      return before;
  }
  const coverage = `${tree.folder}-coverage`;
  let failure: Failure | undefined;
  for (let times = 0; times < 2; times += 1) {
    rmSync(coverage, { recursive: true, force: true });
    const started = performance.now();
    const outcome = await runTests(tree, { tests: [test], ms: 300_000, testMs: 120_000, coverage });
    if (outcome.how === 'passed') {
      const ms = Math.round(performance.now() - started);
      const ran = readCoverage(coverage, tree);
      const sources = Object.fromEntries(
        Object.keys(ran).map((file) => [file, hashOf(readFileSync(join(tree.folder, file), 'utf8'))]),
      );
      const measured: Measured = { ms, ran, sources };
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(measured));
      return measured;
    }
    failure =
      outcome.how === 'failed' ? outcome.failure : { title: 'all', file: test, error: 'no end in 300 s' };
  }
  return { ...(failure ?? { title: '', error: '' }), file: test };
}

interface Reported {
  result: {
    url: string;
    functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[];
  }[];
}

function readCoverage(folder: string, tree: Tree): Measured['ran'] {
  const base = `${pathToFileURL(tree.folder).href}/`;
  const ran: Measured['ran'] = {};
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const reported = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Reported; // as V8 writes it
    for (const { url, functions } of reported.result) {
      const file = url.startsWith(base) ? url.slice(base.length) : '';
      if (!file.startsWith('src/')) continue;
      const stretches = functions.flatMap(({ ranges }) =>
        ranges.map(
          ({ startOffset, endOffset, count }): Stretch => [startOffset, endOffset, count > 0 ? 1 : 0],
        ),
      );
      ran[file] = [...(ran[file] ?? []), stretches];
    }
  }
  return ran;
}
