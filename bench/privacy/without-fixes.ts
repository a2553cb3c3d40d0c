// `npm run bench:privacy:without`: takes out what keeps each kind of leak from happening, one after the other, in a copy of the sources, and
// shows that random histories find it, or a test where nobody is shown a word without it. `--fix NAME` takes out one of them.
// The exit code is 1 when one of them goes unnoticed.
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argumentsOf, refuseArguments } from '../harness/arguments.ts';
import { atMost, conclude } from '../harness/conclude.ts';
import type { Fix } from './fix.ts';
import { fixes } from './fixes.ts';

const root = join(import.meta.dirname, '..', '..');
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const {
  values: { histories, seed, skip, most, fix: named, by },
} = argumentsOf({
  name: 'bench:privacy:without',
  about:
    'Takes out what keeps each kind of leak from happening, one after the other, in a copy of the sources, and shows that random histories or a test find it. It exits with 1 when one goes unnoticed.',
  options: {
    histories: { standard: 280, least: 1, most: 100_000, about: 'histories for each, at most' },
    seed: { standard: 1, least: 0, most: 2 ** 20, about: 'of the random choices' },
    skip: { standard: 0, least: 0, most: 100, about: 'protections that are passed over' },
    fix: { value: 'NAME', about: 'only this protection' },
    by: { standard: 'all', oneOf: ['all', 'histories', 'tests'], about: 'only those that are found so' },
    most: { standard: 100, least: 1, most: 100, about: 'protections that are taken out' },
  },
});

/** The sources in a separate folder, with the same packages. */
async function copied(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-without-'));
  for (const name of ['src', 'bench', 'test', 'build', 'bin', 'package.json'])
    await cp(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Does the work without the fix in the sources of the folder, and puts it back; an error when it is not there as it is described. */
async function without<T>(folder: string, { edits }: Fix, work: () => Promise<T>): Promise<T> {
  const before = new Map<string, string>();
  try {
    for (const { file, from, to } of edits) {
      const path = join(folder, file);
      const source = await readFile(path, 'utf8');
      if (!source.includes(from)) throw new Error(`${file} does not hold: ${from}`);
      if (!before.has(path)) before.set(path, source);
      await writeFile(
        path,
        source.replace(from, () => to),
      );
    }
    return await work();
  } finally {
    for (const [path, source] of before) await writeFile(path, source);
  }
}

/** Runs Node in the folder: its exit code, and what it printed. */
function run(folder: string, args: readonly string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (piece) => {
    said += piece;
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, said })));
}

/** Plays histories until one finds it; how it was found, or undefined. */
async function played(
  folder: string,
  { mode, chains = [] }: { mode?: string; chains?: readonly string[] },
): Promise<string | undefined> {
  const world = [mode === undefined ? [] : ['--mode', mode], chains.map((chain) => ['--chain', chain])];
  const flags = ['--histories', String(histories), '--seed', String(seed), '--first'];
  const { code, said } = await run(folder, ['bench/privacy/bench.ts', ...flags, ...world.flat(2)]);
  const last = said.trim().split('\n').at(-1) ?? '';
  if (code !== 0 && code !== 1) throw new Error(`The histories ended with ${code}: ${last}`);
  const found: { leaks: number; played: number } = JSON.parse(last); // the bench's own figures
  return found.leaks === 0 ? undefined : `${found.leaks} leaks in ${found.played} histories`;
}

/** Runs a file of tests; which of them found it, or undefined. */
async function tested(folder: string, file: string): Promise<string | undefined> {
  const { said } = await run(folder, [
    ...['--test', '--test-reporter=tap', '--test-timeout=60000', '--test-force-exit', file],
  ]);
  const [, title] = /^ *not ok \d+ - (?!.*\.test\.ts$)(.+)$/m.exec(said) ?? [];
  return title;
}

let unnoticed = 0;
const isMeant = ({ name, shows }: Fix): boolean =>
  (named === undefined || name === named) &&
  (by === 'all' || (by === 'tests') === (shows !== undefined && 'test' in shows));
const meant = fixes.filter(isMeant);
if (meant.length === 0)
  refuseArguments(
    'bench:privacy:without',
    `Expected a protection, got ${JSON.stringify(named)}: ${fixes.map(({ name }) => name).join(', ')}.`,
  );
const tried = meant.slice(skip, skip + most);
const folder = await copied();
try {
  for (const fix of tried) {
    const { name, ensures, shows = {} } = fix;
    const how = await without(folder, fix, () =>
      'test' in shows ? tested(folder, shows.test) : played(folder, shows),
    );
    if (how === undefined) unnoticed += 1;
    print(`${how === undefined ? 'UNNOTICED' : 'found    '} ${name}: ${ensures} (${how ?? 'nothing'})`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
conclude(
  { fixes: tried.length, unnoticed, histories, seed },
  atMost('protections whose absence is not noticed', unnoticed, 0),
);
