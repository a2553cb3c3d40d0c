// A process that run.ts starts: it runs the test files that it receives, one after the other. report-tests.ts sends the results. No test.
import 'node:http'; // before any platform's library, as in the program: the first undici of a process serves them all
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endOfFile } from './report-tests.ts';

/** Loads a file, whose tests begin at once, and adds the test that runs last: top-level tests run in order. */
async function run(path: string): Promise<void> {
  const loaded = await import(pathToFileURL(path).href).then(
    () => ({}),
    (error: unknown) => ({ error }),
  );
  await test(endOfFile, () => {
    if ('error' in loaded) throw loaded.error;
  });
}

// Node's runner shows an error outside of every test only in the exit code
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error) => console.error(`${event}:`, error));

// run.ts sends the path of the next file, and none at the end
process.on('message', ({ path }: { path?: string }) => {
  if (path === undefined) process.exit(); // even if a test left something open
  void run(path);
});
