// Which test files are run for a mutant of a folder: those that mirror it, and those that the list names beside them.
import { globSync } from 'node:fs';

/** Folders below `src`, and globs of further tests that hold what they do. The longest that begins a folder counts. */
const further: Readonly<Record<string, readonly string[]>> = {
  'adapters/gateway': ['test/adapters/gateway/*.test.ts'],
  'adapters/gateway/ledger': ['test/adapters/gateway/**/*.test.ts'],
  'adapters/gateway/delivery': ['test/adapters/gateway/*.test.ts'],
  'adapters/gateway/access': ['test/adapters/gateway/*.test.ts', 'test/adapters/gateway/commands/*.test.ts'],
  'adapters/gateway/turns': ['test/adapters/gateway/*.test.ts', 'test/adapters/gateway/commands/*.test.ts'],
  'adapters/uploads': ['test/adapters/gateway/files.test.ts', 'test/adapters/gateway/power-cut.test.ts'],
  'engine/permissions': [
    'test/engine/{permissions,leave-once,questions}.test.ts',
    'test/engine/http/garbage.test.ts',
  ],
  'engine/runs': ['test/engine/*.test.ts', 'test/engine/http/{runs,branches,distil-audiences}.test.ts'],
  'engine/http': ['test/engine/{permissions,leave-once,questions}.test.ts'],
  'memory/store': ['test/memory/*.test.ts'],
  'memory/upkeep': ['test/memory/*.test.ts'],
};

/** The test files of a file below `src`, each once; an empty list when nothing holds it. */
export function testsOf(root: string, file: string): string[] {
  const folder = file.replace(/^src\//, '').replace(/\/[^/]*$/, '');
  const known = Object.keys(further)
    .filter((name) => folder === name || folder.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length)[0];
  const mirrored = `test/${folder}/**/*.test.ts`;
  const globs = [mirrored, ...(known === undefined ? [] : (further[known] ?? []))];
  return [...new Set(globs.flatMap((glob) => globSync(glob, { cwd: root })))].sort();
}
