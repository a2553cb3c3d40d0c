// `npm test` and `npm run test:all`: a few processes take the test files one by one, the longest first. Each process loads the sources
// once for all of its files.
//
//   node test/run.ts [--all | --rest] [--record] [part of a path]...
//
// `npm test` leaves out the files below, `--all` runs every file, and `--rest` only those that `npm test` leaves out.
// `--record` writes the seconds of each file to durations.json, which decides the order.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { scratchFolder } from './support/scratch-folder.ts';
import { type Outcome, TestProcess } from './support/test-process.ts';

const folder = import.meta.dirname;
const durationsPath = join(folder, 'durations.json');

/** Files that `npm test` leaves out. */
const rest: readonly RegExp[] = [
  // pages in Chromium
  /\/page\//,
  // programs that are started, stopped and killed, commands that wait for their time limits, and disks that fill up
  /^app\/(bundle|changed-while-off|durability|home-wait|live|schedules-apart|second-process|shutdown|space|storage)\./,
  /^app\/(shared-database|tandem-documents|two-instances|two-processes|unanswered)\./,
  /^app\/backup\/(planned-restore|shared-home)\./,
  /^memory\/(locking|files\/kill)\./,
  /^bench\/(arguments|checkout)\./,
  /^cost\//,
  // long runs over generated or collected input
  /^adapters\/text\/(nasty|properties|prose)\./,
  /^bench\/(documents|privacy|records)\./,
  /^app\/mcp-connects\./,
];

/** Files that get a new process: how long a search holds the processor depends on the heap, which earlier tests fill. */
const separate = /^memory\/(fallback-scan|ranking)\./;

/** Files that run when all others have ended: which work falls into one commit depends on what else the machine does. */
const last = /^cost\/exchange\./;

const { values: flags, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, rest: { type: 'boolean' }, record: { type: 'boolean' } },
});

/** Seconds that each file took when they were recorded. */
const durations: Record<string, number> = JSON.parse(readFileSync(durationsPath, 'utf8'));
const median = Object.values(durations).sort((a, b) => a - b)[Object.keys(durations).length >> 1] ?? 0;
const duration = (file: string): number => durations[file] ?? median;

const files = globSync('**/*.test.ts', {
  cwd: folder,
  exclude: ['{judge,local-model,mcp-clients}/node_modules/**'],
}).map((file) => file.split(sep).join('/'));

function isChosen(file: string): boolean {
  const isRest = rest.some((pattern) => pattern.test(file));
  // `npm run test:all -- --rest` gives both
  if (flags.rest === true ? !isRest : flags.all !== true && isRest) return false;
  return parts.length === 0 || parts.some((part) => file.includes(part));
}
const chosen = files.filter(isChosen).sort((a, b) => duration(b) - duration(a) || (a < b ? -1 : 1));
const waiting = chosen.filter((file) => !last.test(file));

const environment = {
  // compiled code stays in its usual place, for the programs that the tests start and for the next run
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  ...process.env,
  TMPDIR: scratchFolder(),
};

const outcomes: Outcome[] = [];
/** Processes that ended with an error although their tests passed. */
const wrong: string[] = [];

function show({ file, passed, failed, skipped, seconds, processor }: Outcome): void {
  process.stdout.write(
    `${failed.length === 0 ? '✔' : '✖'} ${file}: ${passed} passed, ${failed.length} failed, ${skipped} skipped, ` +
      `${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of the processor\n`,
  );
  for (const { test, error } of failed) process.stdout.write(`  ✖ ${test}\n${error}\n`);
}

/** Runs a file and shows its outcome at once, so that a log that ends early has it. */
async function run(own: TestProcess, file: string): Promise<Outcome> {
  const outcome = await own.run(file);
  outcomes.push(outcome);
  show(outcome);
  return outcome;
}

async function end(own: TestProcess, ran: readonly Outcome[]): Promise<void> {
  const code = await own.end();
  if (code === 0 || ran.some(({ failed }) => failed.length > 0)) return;
  wrong.push(
    `the process of ${ran.map(({ file }) => file).join(', ')} ended with code ${code}:\n${own.output}`,
  );
}

/** Takes files until none is left. A process that a file ended is replaced. */
async function pull(): Promise<void> {
  let own = new TestProcess(environment);
  let ran: Outcome[] = [];
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (separate.test(file)) {
      const other = new TestProcess(environment);
      await end(other, [await run(other, file)]);
      continue;
    }
    ran.push(await run(own, file));
    if (own.hasEnded) [own, ran] = [new TestProcess(environment), []];
  }
  await end(own, ran);
}

const startedAt = performance.now();
// more than the cores, because many files wait
await Promise.all(Array.from({ length: availableParallelism() * 2 + 1 }, pull));
waiting.push(...chosen.filter((file) => last.test(file)));
await pull();

const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((all, one) => all + of(one), 0);
const failures = outcomes.filter(({ failed }) => failed.length > 0);
if (flags.record === true) {
  for (const { file, seconds } of outcomes) durations[file] = Math.round(seconds * 10) / 10;
  const sorted = files.sort().map((file) => [file, durations[file]]);
  writeFileSync(durationsPath, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
// again at the end, where a log that was cut still has them
if (failures.length > 0) process.stdout.write('\nFailed:\n');
for (const outcome of failures) show(outcome);
for (const line of wrong) process.stdout.write(`\n✖ ${line}\n`);
const passed = sum((one) => one.passed);
const failed = sum((one) => one.failed.length) + wrong.length;
if (passed === 0) process.stdout.write('\nNo test was run.\n');
process.stdout.write(
  `\n${outcomes.length} files in ${Math.round((performance.now() - startedAt) / 1000)} s, ` +
    `${Math.round(sum((one) => one.processor))} s of the processor\n` +
    `${passed} passed, ${failed} failed, ${sum((one) => one.skipped)} skipped\n`,
);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
