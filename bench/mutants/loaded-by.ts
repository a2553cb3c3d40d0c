// What a test file is as a whole: its own words and those of the files that it loads from the tests and benchmarks.
import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { hashOf } from './hash.ts';

const relativeImport = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** The test file and all that it loads by a relative path, directly or not; paths from the root of the project. */
export function loadedBy(root: string, test: string): string[] {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file) || !existsSync(join(root, file))) return;
    found.add(file);
    for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(relativeImport))
      visit(normalize(join(file, '..', path)));
  };
  visit(normalize(test));
  return [...found].sort();
}

/** The same as long as the test and what it loads are. */
export function hashOfTest(root: string, test: string): string {
  return hashOf(
    test,
    ...loadedBy(root, test).map((file) => `${file}\n${readFileSync(join(root, file), 'utf8')}`),
  );
}
