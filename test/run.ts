// `npm test`: every test file, in lanes side by side. A lane is one process, which loads the sources once for all its files.
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join, sep } from 'node:path';

const folder = import.meta.dirname;
const files = globSync('**/*.test.ts', { cwd: folder, exclude: ['judge/node_modules/**'] })
  .map((file) => file.split(sep).join('/'))
  .sort();

/** The first lane whose pattern fits takes a file; what starts programs or browsers is kept apart, as it waits a lot. */
const lanes: readonly { name: string; takes: RegExp }[] = [
  { name: 'disks', takes: /^app\/storage\.|^memory\/locking\./ },
  { name: 'programs', takes: /^app\/(shutdown|live|durability|memory-command)\./ },
  { name: 'page', takes: /\/page\// },
  { name: 'app', takes: /^app\/|^[^/]+$/ },
  { name: 'text and sandbox', takes: /^adapters\/(text|sandbox)\// },
  { name: 'platforms', takes: /^(adapters|conformance)\// },
  { name: 'engine and memory', takes: /^/ },
];

interface Outcome {
  name: string;
  code: number | null;
  said: string;
}

function run(name: string, own: readonly string[]): Promise<Outcome> {
  const flags = ['--import', join(folder, 'support', 'compile-cache.js'), '--test', '--test-isolation=none'];
  const child = spawn(process.execPath, [...flags, ...own.map((file) => join(folder, file))], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => said.push(piece));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ name, code, said: Buffer.concat(said).toString() }));
  });
}

const count = (said: string, what: string): number =>
  Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(said)?.[1] ?? 0);

const startedAt = performance.now();
const taken = new Set<string>();
const outcomes = await Promise.all(
  lanes.map(async ({ name, takes }) => {
    const own = files.filter((file) => !taken.has(file) && takes.test(file));
    for (const file of own) taken.add(file);
    const outcome = await run(name, own);
    process.stdout.write(`\n== ${name}: ${own.length} files\n${outcome.said}`);
    return outcome;
  }),
);
const total = (what: string): number => outcomes.reduce((sum, { said }) => sum + count(said, what), 0);
const wrong = outcomes.filter(({ code }) => code !== 0);
for (const { name, code } of wrong) process.stdout.write(`\nThe lane "${name}" ended with code ${code}.`);
process.stdout.write(
  `\n${files.length} files, ${total('tests')} tests: ${total('pass')} passed, ${total('fail')} failed, ` +
    `${total('skipped')} skipped, in ${Math.round((performance.now() - startedAt) / 1000)} s\n`,
);
// A lane that found no test at all has not tested anything, whatever its exit code says.
process.exitCode = wrong.length === 0 && outcomes.every(({ said }) => count(said, 'tests') > 0) ? 0 : 1;
