// `npm test`: every test file, in lanes side by side. A lane is one process, which loads the sources once for all its files.
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { scratchFolder } from './support/scratch-folder.ts';

const folder = import.meta.dirname;
const files = globSync('**/*.test.ts', {
  cwd: folder,
  exclude: ['{judge,local-model,mcp-clients}/node_modules/**'],
})
  .map((file) => file.split(sep).join('/'))
  .sort();

/** The first lane whose pattern fits takes a file; what starts programs or browsers is separated, as it waits a lot. */
const lanes: readonly { name: string; takes: RegExp }[] = [
  {
    name: 'disks and several processes',
    takes: /^app\/(storage|two-processes|two-parts|second-process|space|tracing)\.|^memory\/locking\./,
  },
  { name: 'programs', takes: /^app\/(shutdown|live|durability|memory-command)\./ },
  { name: 'page', takes: /\/page\// },
  { name: 'app', takes: /^app\/|^[^/]+$/ },
  { name: 'text and sandbox', takes: /^(adapters\/text|sandbox)\// },
  { name: 'platforms', takes: /^(adapters|conformance\/(?!engine))/ },
  // How long a search holds the processor depends on the heap of its program: these have one without the remains of other tests.
  { name: 'time of the processor', takes: /^memory\/(fallback-scan|ranking)\./ },
  { name: 'engine and memory', takes: /^/ },
];

const scratch = scratchFolder();
/** What is compiled stays where it was, for the programs that the tests start and for the next time. */
const environment = {
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  ...process.env,
  TMPDIR: scratch,
};

const startedAt = performance.now();
const seconds = (): number => Math.round((performance.now() - startedAt) / 1000);

interface Outcome {
  name: string;
  code: number | null;
  said: string;
}

/**
 * A test that waits for ever is named instead of waited for, and what one left open (a socket, a program) does not retain its lane
 * from telling how its tests went.
 */
const ends = ['--test-timeout=240000', '--test-force-exit'];

function run(name: string, own: readonly string[]): Promise<Outcome> {
  const flags = [
    '--import',
    join(folder, 'support', 'compile-cache.js'),
    '--test',
    '--test-isolation=none',
    ...ends,
  ];
  const paths = own.map((file) => join(folder, file));
  const child = spawn(process.execPath, [...flags, ...paths, join(folder, 'support', 'loaded.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, PARLEY_TEST_FILES: JSON.stringify(paths) },
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

/** Why a lane failed: its failed tests with their errors, or its last words when it did not come as far as that. */
function reasons(said: string): string {
  const at = said.lastIndexOf('✖ failing tests:');
  return at < 0 ? said.split('\n').slice(-30).join('\n') : said.slice(at);
}

const taken = new Set<string>();
const outcomes = await Promise.all(
  lanes.map(async ({ name, takes }) => {
    const own = files.filter((file) => !taken.has(file) && takes.test(file));
    for (const file of own) taken.add(file);
    const outcome = await run(name, own);
    process.stdout.write(
      `\n== ${name}: ${own.length} files, at its end after ${seconds()} s\n${outcome.said}`,
    );
    return outcome;
  }),
);
const total = (what: string): number => outcomes.reduce((sum, { said }) => sum + count(said, what), 0);
const wrong = outcomes.filter(({ code }) => code !== 0);
// Once more at the end, where a log that was cut still has them.
for (const { name, code, said } of wrong)
  process.stdout.write(`\n== ${name} ended with code ${code}\n${reasons(said)}`);
process.stdout.write(
  `\n${files.length} files, ${total('tests')} tests: ${total('pass')} passed, ${total('fail') + total('cancelled')} failed, ` +
    `${total('skipped')} skipped, in ${seconds()} s\n`,
);
// A lane that found no test but the last (see loaded.ts) has not tested anything, whatever its exit code says.
process.exitCode = wrong.length === 0 && outcomes.every(({ said }) => count(said, 'tests') > 1) ? 0 : 1;
