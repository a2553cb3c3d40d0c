// npm run mutants -- FOLDER...: small faults in the source of these folders, one at a time, and whether any related test notices.
// A table by file, then each fault that no test noticed. Its last line is JSON; it ends with 0 when at least 85 % were noticed.
import { cpSync, globSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { API } from 'typescript/unstable/sync';
import { readFlags } from '../stage/flags.ts';
import { createRandom } from '../stage/random.ts';
import { type Mutant, mutantsOf } from './mutate.ts';
import { testsOf } from './related.ts';
import { type Fate, runTests, tryMutant } from './try-mutant.ts';

const root = join(import.meta.dirname, '..', '..');
const goal = 0.85;
/** A mutant may take this many times as long as the tests without one, and some seconds more: beyond that it hangs. */
const patience = { times: 3, moreMs: 5_000 };
const flags = [
  { name: 'most', least: 1, most: 100_000, standard: 40 },
  { name: 'seed', least: 0, most: 2 ** 31 - 1, standard: 1 },
  { name: 'at-once', least: 1, most: 2, standard: 2 },
];

/** Every mutant of these source files; the compiler parses them as it does for the check of types. */
function allMutants(files: readonly string[]): Mutant[] {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects();
    return files.flatMap((file) => {
      const source = project?.program.getSourceFile(join(root, file));
      if (source === undefined) throw new Error(`The compiler does not know ${file}.`);
      return mutantsOf(file, source);
    });
  } finally {
    api.close();
  }
}

/** The same mutants for the same seed, whatever the order in which files are found. */
function sample(mutants: readonly Mutant[], { most, seed }: { most: number; seed: number }): Mutant[] {
  const random = createRandom(seed);
  return mutants
    .map((mutant) => ({ mutant, at: random.int(0, 2 ** 31 - 1) }))
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ mutant }) => mutant)
    .sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1));
}

/** A copy of the tree in which files may be changed. */
function copyTree(): string {
  const tree = mkdtempSync(join(tmpdir(), 'parley-mutants-'));
  const left = new Set(['node_modules', '.git', '.parley', 'dist']);
  cpSync(root, tree, { recursive: true, filter: (path) => !left.has(path.slice(root.length + 1)) });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

/** All source files of a folder below src, or the one file that is named. */
function globOf(folder: string): string {
  const name = folder.replace(/^src\/|\/+$/g, '');
  return name.endsWith('.ts') ? `src/${name}` : `src/${name}/**/*.ts`;
}

const { positionals: folders, tokens } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  strict: false,
  tokens: true,
  options: Object.fromEntries(flags.map(({ name }) => [name, { type: 'string' as const }])),
});
const given = tokens.flatMap((token) =>
  token.kind === 'option' ? [token.rawName, ...(token.value === undefined ? [] : [token.value])] : [],
);
const [most = 0, seed = 0, atOnce = 1] = readFlags('mutants -- FOLDER...', flags, given);
const files = folders.flatMap((folder) => globSync(globOf(folder), { cwd: root })).sort();
if (files.length === 0)
  throw new Error(`Expected folders or files below src, got: ${folders.join(' ') || 'none'}.`);
const every = allMutants([...new Set(files)]);
const chosen = sample(every, { most, seed });
const fates = new Map<Mutant, Fate>();
const usual = new Map<string, Promise<number>>();
const trees = Array.from({ length: atOnce }, copyTree);
console.log(`${every.length} mutants in ${files.length} files; ${chosen.length} are tried (seed ${seed})`);

/** How long the tests take without a mutant, in milliseconds; they must pass. */
function usualMs(tree: string, tests: readonly string[]): Promise<number> {
  const key = tests.join(' ');
  const known =
    usual.get(key) ??
    (async () => {
      const started = performance.now();
      const fate = await runTests(tree, { tests, ms: 600_000 });
      if (fate !== 'survived') throw new Error(`The tests fail without a mutant (${fate}): ${key}`);
      return performance.now() - started;
    })();
  usual.set(key, known);
  return known;
}

const waiting = [...chosen];
try {
  await Promise.all(
    trees.map(async (tree) => {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        const tests = testsOf(root, mutant.file);
        const ms = tests.length === 0 ? 0 : patience.times * (await usualMs(tree, tests)) + patience.moreMs;
        const fate = tests.length === 0 ? 'survived' : await tryMutant(tree, mutant, { tests, ms });
        fates.set(mutant, fate);
        if (fate === 'survived') console.log(`survived  ${mutant.file}:${mutant.line}  ${mutant.what}`);
      }
    }),
  );
} finally {
  for (const tree of trees) rmSync(tree, { recursive: true, force: true });
}

const count = (of: readonly Mutant[], fate: Fate): number =>
  of.filter((one) => fates.get(one) === fate).length;
console.log(`\n${'file'.padEnd(56)}killed  survived  timeouts`);
for (const [file, of] of Map.groupBy(chosen, (mutant) => mutant.file))
  console.log(
    `${file.padEnd(56)}${String(count(of, 'killed')).padStart(6)}${String(count(of, 'survived')).padStart(10)}${String(count(of, 'timeout')).padStart(10)}`,
  );
const [killed, survived, timeouts] = (['killed', 'survived', 'timeout'] as const).map((fate) =>
  count(chosen, fate),
);
const share = chosen.length === 0 ? 1 : 1 - (survived ?? 0) / chosen.length;
const ok = share >= goal;
console.log(
  JSON.stringify({
    bench: 'mutants',
    folders,
    seed,
    tried: chosen.length,
    killed,
    survived,
    timeouts,
    share: Number(share.toFixed(3)),
    ok,
  }),
);
process.exitCode = ok ? 0 : 1;
