// The last file of each lane of `npm test`: fails when a file before it was not loaded to its end, which Node's runner follows itself
// once that file has defined a test.
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const files = JSON.parse(process.env.PARLEY_TEST_FILES ?? '[]') as string[]; // from run.ts

test('every file of this lane was loaded to its end', async () => {
  // what was loaded is there, and what threw throws the same again
  for (const file of files) await import(pathToFileURL(file).href);
});
