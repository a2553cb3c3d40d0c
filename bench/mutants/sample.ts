// Which mutants of a folder are tried. The same ones for the same seed, also after other lines of the sources changed.
import { hashOf } from './hash.ts';
import type { Mutant } from './mutate.ts';

/** At most so many, in the order of their files and places. */
export function sample(mutants: readonly Mutant[], { most, seed }: { most: number; seed: number }): Mutant[] {
  const times = new Map<string, number>();
  return mutants
    .map((mutant) => {
      const name = hashOf(mutant.file, mutant.words, mutant.what);
      const before = times.get(name) ?? 0; // lines that say the same have an order among themselves
      times.set(name, before + 1);
      return { mutant, at: hashOf(String(seed), name, String(before)) };
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, most)
    .map(({ mutant }) => mutant)
    .sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1));
}
