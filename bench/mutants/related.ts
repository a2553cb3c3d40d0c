// Which test files can notice a fault in a source file, by its folder.
import { globSync } from 'node:fs';

/** Folders below `src`, and globs of the tests that hold what they do. The longest that begins a file counts. */
const candidates: Readonly<Record<string, readonly string[]>> = {
  'adapters/gateway': [
    'adapters/gateway/**/*.test.ts',
    'app/{people,unlink,buttons,forgetting,retention,threads,room-context,pointed-at,mcp-tokens,speech}.test.ts',
    'conformance/{refused,threads}.test.ts',
  ],
  'adapters/uploads': [
    'adapters/uploads/*.test.ts',
    'adapters/gateway/{files,power-cut}.test.ts',
    'engine/remote/{cut,slow}-links.test.ts',
  ],
  engine: ['engine/**/*.test.ts', 'app/{threads,pointed-at,speech}.test.ts'],
  memory: ['memory/**/*.test.ts', 'app/embedding-faults.test.ts'],
};

/** Tests of sizes: they take minutes, and what they run is run by smaller ones. */
const leftOut = ['test/memory/import/large-history.test.ts'];

/** The candidates of a file below `src`; for a folder that the list does not name, all tests that mirror its topmost folder. */
export function candidatesOf(root: string, file: string): string[] {
  const name = file.replace(/^src\//, '');
  const known = Object.keys(candidates)
    .filter((folder) => name.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0];
  const globs = (known === undefined ? undefined : candidates[known]) ?? [
    `${name.split('/')[0]}/**/*.test.ts`,
  ];
  const found = globs.flatMap((glob) => globSync(`test/${glob}`, { cwd: root, exclude: leftOut }));
  return [...new Set(found)].sort();
}
