// What became of each mutant, on disk, so that a run that was stopped goes on.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Fate } from './try-mutant.ts';

interface Row extends Fate {
  /** The mutant: its file as it was, and its place. */
  id: string;
  /** The tests that said so, as they were. */
  tests: string;
}

export interface Results {
  /** The fate that is known of this mutant under the same tests. `testsOf` names the tests that a fate rests on. */
  find(id: string, testsOf: (fate: Fate) => string): Fate | undefined;
  add(row: Row): void;
}

/** The results in this file of JSON lines; a torn last line, as a kill leaves it, is passed over. */
export function openResults(path: string): Results {
  const rows = new Map<string, Row>();
  for (const line of existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []) {
    if (!line.endsWith('}')) continue;
    const row = JSON.parse(line) as Row; // as `add` wrote it
    rows.set(row.id, row);
  }
  mkdirSync(dirname(path), { recursive: true });
  return {
    find(id, testsOf) {
      const row = rows.get(id);
      return row !== undefined && row.tests === testsOf(row) ? row : undefined;
    },
    add(row) {
      rows.set(row.id, row);
      appendFileSync(path, `${JSON.stringify(row)}\n`);
    },
  };
}
