// Mutants that no test can notice, each with the reason. Not those that a test should notice and does not.
import type { Mutant } from './mutate.ts';

export interface Equivalent {
  /** From the root of the project. */
  file: string;
  /** What the line says, without the space around it. */
  line: string;
  /** As `npm run mutants` prints it. */
  what: string;
  reason: string;
}

export const equivalents: readonly Equivalent[] = [];

/** The mutants that an entry names; an error in words when an entry names none. */
export function takeEquivalents(
  mutants: readonly Mutant[],
  entries: readonly Equivalent[],
): Map<Mutant, Equivalent> {
  const found = new Map<Mutant, Equivalent>();
  for (const entry of entries) {
    const named = mutants.filter(
      ({ file, words, what }) => file === entry.file && words === entry.line && what === entry.what,
    );
    if (named.length === 0)
      throw new Error(
        `bench/mutants/equivalent.ts names a mutant that is none: ${entry.file}, "${entry.line}", ${entry.what}. ` +
          'Expected a line and a change that exist; change the entry or take it out.',
      );
    for (const mutant of named) found.set(mutant, entry);
  }
  return found;
}
