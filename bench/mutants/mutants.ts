// npm run mutants -- FOLDER...: small faults in the source of these folders, one at a time, and whether any related test notices.
// Each fault that no test noticed, then a table by folder. Its last line is JSON; it ends with 0 when at least 85 % were noticed.
import { cpSync, existsSync, globSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { scratchFolder } from '../../test/support/scratch-folder.ts';
import { argumentsOf, refuseArguments } from '../harness/arguments.ts';
import { atLeast, conclude } from '../harness/conclude.ts';
import { allMutants } from './all-mutants.ts';
import { type Measured, measure, runsAt } from './coverage.ts';
import { equivalents, takeEquivalents } from './equivalent.ts';
import { hashOf } from './hash.ts';
import { hashOfTest } from './loaded-by.ts';
import type { Mutant } from './mutate.ts';
import { candidatesOf } from './related.ts';
import { openResults } from './results.ts';
import type { Tree } from './run-tests.ts';
import { sample } from './sample.ts';
import { type Fate, type Timed, tryMutant } from './try-mutant.ts';

const root = join(import.meta.dirname, '..', '..');
const goal = 0.85;
const name = 'mutants';

/** A copy of the project in which files may be changed. */
function copyTree(): Tree {
  const folder = scratchFolder();
  const tree = { folder: join(folder, 'tree'), scratch: join(folder, 't') };
  const left = new Set(['node_modules', '.git', '.parley', 'dist', 'coverage']);
  cpSync(root, tree.folder, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(tree.folder, 'node_modules'));
  return tree;
}

/** All source files of a folder below src, or those of a pattern that ends with .ts. */
function filesOf(folder: string): string[] {
  const path = folder.replace(/^src\/|\/+$/g, '');
  const files = globSync(path.endsWith('.ts') ? `src/${path}` : `src/${path}/**/*.ts`, { cwd: root }).sort();
  if (files.length === 0) refuseArguments(name, `Expected folders or files below src, got "${folder}".`);
  return files;
}

const {
  values: { most, seed },
  operands: folders,
} = argumentsOf({
  name,
  about:
    'Puts small faults into the source of these folders or files below src, one at a time, and looks whether any related test notices. The last line is JSON; it exits with 1 when fewer than 85 % are noticed in a folder.',
  operands: 'FOLDER...',
  options: {
    most: { standard: 40, least: 1, most: 100_000, about: 'faults in each folder' },
    seed: { standard: 1, least: 0, most: 2 ** 31 - 1, about: 'of the choice of faults' },
  },
});

const filesByFolder = new Map(folders.map((folder) => [folder, filesOf(folder)]));
const every = allMutants(root, [
  ...new Set([...[...filesByFolder.values()].flat(), ...equivalents.map(({ file }) => file)]),
]);
const equivalent = takeEquivalents(every, equivalents);
const chosen = new Map(
  [...filesByFolder].map(([folder, files]) => [
    folder,
    sample(
      every.filter(({ file }) => files.includes(file)),
      { most, seed },
    ),
  ]),
);
const tried = [...new Set([...chosen.values()].flat())].filter((mutant) => !equivalent.has(mutant));
console.log(`${every.length} mutants in ${[...filesByFolder.values()].flat().length} files; seed ${seed}`);

const saved = join(root, 'coverage', 'mutants');
const tree = copyTree();
/** As it is tried: the project itself may change in the meantime. */
const read = (file: string): string => readFileSync(join(tree.folder, file), 'utf8');
const sources = Object.fromEntries(tried.map(({ file }) => [file, hashOf(read(file))]));

const measured = new Map<string, Measured>();
const failures: string[] = [];
for (const test of new Set(tried.flatMap(({ file }) => candidatesOf(root, file)))) {
  const result = await measure(tree, test, { saved: join(saved, 'tests'), sources });
  if ('ran' in result) measured.set(test, result);
  else failures.push(`${test}: "${result.title}" fails without a mutant: ${result.error}`);
}
if (failures.length > 0) {
  console.error(failures.join('\n'));
  process.exit(1);
}

/** How often a test file noticed a fault in a source file: it is asked first about the next one. */
const noticed = new Map<string, number>();

/** The tests that run the changed place, the most promising first; all candidates where none of them loads the file. */
function testsOf(mutant: Mutant): Timed[] {
  const timed = candidatesOf(root, mutant.file).flatMap((test) => {
    const one = measured.get(test);
    return one === undefined ? [] : [{ test, ...one }];
  });
  const running = timed.filter((one) => runsAt(one, mutant.file, mutant.at));
  const some = timed.some(({ ran }) => ran[mutant.file] !== undefined) ? running : timed;
  const before = (test: string): number => noticed.get(`${mutant.file} ${test}`) ?? 0;
  return some
    .sort((a, b) => before(b.test) - before(a.test) || a.ms - b.ms)
    .map(({ test, ms }) => ({ test, ms }));
}

const results = openResults(join(saved, 'fates.jsonl'));
const fates = new Map<Mutant, Fate>();
for (const mutant of tried) {
  const id = hashOf(mutant.file, read(mutant.file), `${mutant.start}-${mutant.end}`, mutant.text);
  const tests = testsOf(mutant);
  const restsOn = ({ by }: Fate): string =>
    by === undefined
      ? hashOf(...tests.map(({ test }) => hashOfTest(tree.folder, test)).sort())
      : hashOf(existsSync(join(tree.folder, by)) ? read(by) : '');
  const known = results.find(id, restsOn);
  const fate = known ?? (await tryMutant(tree, mutant, tests));
  if (known === undefined) results.add({ id, tests: restsOn(fate), ...fate });
  fates.set(mutant, fate);
  if (fate.by !== undefined) {
    const name = `${mutant.file} ${fate.by}`;
    noticed.set(name, (noticed.get(name) ?? 0) + 1);
  }
  console.log(
    `${fate.fate.padEnd(9)} ${mutant.file}:${mutant.line}  ${mutant.what}${tests.length === 0 ? '  (no test runs it)' : ''}`,
  );
}

const isKilled = (mutant: Mutant): boolean => fates.get(mutant)?.fate === 'killed';
const rows = [...chosen].map(([folder, mutants]) => {
  const same = mutants.filter((mutant) => equivalent.has(mutant)).length;
  const killed = mutants.filter(isKilled).length;
  const counted = mutants.length - same;
  return {
    ...{ folder, mutants: mutants.length, killed, survived: counted - killed, equivalent: same },
    share: counted === 0 ? 1 : Number((killed / counted).toFixed(3)),
  };
});
console.log(`\n${'folder'.padEnd(44)}mutants  killed  survived  equivalent  share`);
for (const row of rows)
  console.log(
    `${row.folder.padEnd(44)}${String(row.mutants).padStart(7)}${String(row.killed).padStart(8)}${String(row.survived).padStart(10)}` +
      `${String(row.equivalent).padStart(12)}${`${(100 * row.share).toFixed(0)} %`.padStart(7)}`,
  );
console.log('\nsurvivors');
for (const mutant of tried)
  if (!isKilled(mutant)) console.log(`${mutant.file}:${mutant.line}  ${mutant.what}\n    ${mutant.words}`);
conclude(
  { bench: 'mutants', most, seed, folders: rows },
  rows.flatMap(({ folder, share }) =>
    atLeast(`share of the faults in ${folder} that is noticed`, share, goal),
  ),
);
