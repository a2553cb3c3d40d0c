// What an import passes over, counted by reason.
import type { ImportReport, SkipReason } from '#memory/types/import.ts';

export interface Tally {
  /** Counts some entries that are not stored. */
  skip(reason: SkipReason, entries?: number): void;
  /** Counts one that is not in the form that was expected; `words` say which, and why. */
  unreadable(words: string): void;
  /** How many unreadable ones there were, and what was said of the last. */
  sofar(): { unreadable: number; last: string };
}

/** How many unreadable entries are reported; all of them are counted. */
const maxNamed = 5;

/** Counts into the report. */
export function createTally({ entries, unreadable }: Pick<ImportReport, 'entries' | 'unreadable'>): Tally {
  let [count, last] = [0, ''];
  const skip: Tally['skip'] = (reason, more = 1) => {
    if (more > 0) entries.skipped[reason] = (entries.skipped[reason] ?? 0) + more;
  };
  return {
    skip,
    unreadable(words) {
      skip('unreadable');
      count += 1;
      last = words;
      if (unreadable.length < maxNamed) unreadable.push(words);
    },
    sofar: () => ({ unreadable: count, last }),
  };
}
