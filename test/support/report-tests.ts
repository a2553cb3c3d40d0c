// The reporter of run-files.ts: sends run.ts the result of every test and the end of every file. No test.
import { readFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** The name of the test that run-files.ts adds to each file: it runs last, and fails if the file could not be loaded. */
export const endOfFile = 'the file is loaded to its end';

/** A message of run-files.ts to run.ts. */
export type Said =
  | { type: 'passed' | 'skipped' }
  | { type: 'failed'; test: string; error: string }
  | { type: 'end'; processorMs: number };

/** Processor time of this process in ms; on Linux also of the programs that it started and that have ended. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  let programs = 0;
  try {
    const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? [];
    // cutime and cstime in proc(5), in hundredths of a second
    programs = 10 * (Number(fields[13]) + Number(fields[14]));
  } catch {
    // a system without /proc
  }
  return Math.round((user + system) / 1000 + programs);
}

/** The result of a test; undefined for other events, and for a suite unless the suite itself failed. */
function saidOf({ type, data }: TestEvent, around: readonly string[]): Said | undefined {
  if (type === 'test:pass') {
    if (data.details.type === 'suite') return;
    return { type: data.skip === undefined && data.todo === undefined ? 'passed' : 'skipped' };
  }
  if (type !== 'test:fail') return;
  const { error } = data.details;
  if (data.details.type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed')
    return;
  const test = [...around.slice(0, data.nesting), data.name].join(' > ');
  return { type: 'failed', test, error: inspect(error.cause ?? error) };
}

/** Sends the results that Node's test runner reports; prints nothing. */
// biome-ignore lint/correctness/useYield: results go to run.ts, not to the output.
// biome-ignore lint/style/noDefaultExport: Node takes a reporter from a module's default export.
export default async function* reportTests(events: AsyncIterable<TestEvent>): AsyncGenerator<never> {
  /** Names of the reported test and of the tests around it. */
  const names: string[] = [];
  let before = 0;
  for await (const event of events) {
    if (event.type === 'test:start') names.splice(event.data.nesting, Infinity, event.data.name);
    const isEnd = names[0] === endOfFile;
    const said = saidOf(event, names);
    if (said === undefined) continue;
    if (!isEnd || said.type === 'failed') process.send?.(said);
    if (!isEnd) continue;
    const now = processorMs();
    process.send?.({ type: 'end', processorMs: now - before });
    before = now;
  }
}
