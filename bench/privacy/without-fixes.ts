// `npm run bench:privacy:without -- --histories N --seed S`: takes out what keeps each kind of leak from happening, one after the other, in a
// copy of the sources, and shows that the random histories find it. `--skip K` passes over the first of the list, and `--most M` takes so many;
// `--fix NAME` takes the one of this name.
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
  values: { histories, seed, skip, most, fix: named },
} = argumentsOf({
  name: 'bench:privacy:without',
  about:
    'Takes out what keeps each kind of leak from happening, one after the other, in a copy of the sources, and shows that the random histories find it. It exits with 1 when one goes unnoticed.',
  options: {
    histories: { standard: 480, least: 1, most: 100_000, about: 'histories for each' },
    seed: { standard: 1, least: 0, most: 2 ** 20, about: 'of the random choices' },
    skip: { standard: 0, least: 0, most: 100, about: 'protections that are passed over' },
    fix: { value: 'NAME', about: 'only this protection, by its name or a part of what it ensures' },
    most: { standard: 100, least: 1, most: 100, about: 'protections that are taken out' },
  },
});

/** The sources in a separate folder, with the same packages. */
async function copied(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-without-'));
  for (const name of ['src', 'bench', 'bin', 'package.json'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Takes the fix out of the sources in the folder; an error when it is not there as it is described. */
async function takeOut(folder: string, { edits }: Fix): Promise<void> {
  for (const { file, from, to } of edits) {
    const path = join(folder, file);
    const source = await readFile(path, 'utf8');
    if (!source.includes(from)) throw new Error(`${file} does not hold: ${from}`);
    await writeFile(path, source.replace(from, to));
  }
}

/** The last line of the histories in that folder. */
function play(folder: string): Promise<{ leaks: number; played: number }> {
  const flags = ['--histories', String(histories), '--seed', String(seed), '--first'];
  const child = spawn(process.execPath, [join(folder, 'bench/privacy/bench.ts'), ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (piece) => {
    said += piece;
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      const last = said.trim().split('\n').at(-1) ?? '';
      if (code === 0 || code === 1) resolve(JSON.parse(last));
      else reject(new Error(`The histories ended with ${code}: ${last}`));
    });
  });
}

let unnoticed = 0;
const meant = fixes.filter(({ ensures }) => named === undefined || ensures.includes(named));
if (meant.length === 0)
  refuseArguments(
    'bench:privacy:without',
    `Expected a part of what a protection ensures, got ${JSON.stringify(named)}: ${fixes.map(({ ensures }) => ensures).join('; ')}.`,
  );
const tried = meant.slice(skip, skip + most);
for (const fix of tried) {
  const folder = await copied();
  try {
    await takeOut(folder, fix);
    const { leaks, played } = await play(folder);
    if (leaks === 0) unnoticed += 1;
    print(
      `${leaks === 0 ? 'UNNOTICED' : 'found    '} ${fix.ensures} (${leaks} leaks in ${played} histories)`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
conclude(
  { fixes: tried.length, unnoticed, histories, seed },
  atMost('protections whose absence is not noticed', unnoticed, 0),
);
