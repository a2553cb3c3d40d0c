// What stands in the way of the whole program right now, in words with its cure: noted when it fails, cleared when it works. Not a log.
import type { Clock } from './clock.ts';
import { cureOf, wordsOf } from './errors.ts';

export interface Trouble {
  /** What is in trouble: the path of a database, or of a folder. */
  what: string;
  words: string;
  cure: string | undefined;
  /** When it began, in milliseconds since the epoch; later failures of the same kind do not move it. */
  sinceMs: number;
  /** The file itself is damaged: it stays so until somebody mends it. */
  damaged?: true;
}

export interface Troubles {
  /** Notes that `what` failed, or failed again; `damaged`: because its file is. */
  note(what: string, error: unknown, kind?: 'damaged'): void;
  /** `what` works (again). */
  clear(what: string): void;
  /** What is in trouble now, oldest first. */
  list(): Trouble[];
}

/** An empty board; it holds at most one trouble for each thing that is named. */
export function createTroubles(clock: Pick<Clock, 'now'>): Troubles {
  const now = new Map<string, Trouble>();
  return {
    note(what, error, kind) {
      const cure = cureOf(error);
      const sinceMs = now.get(what)?.sinceMs ?? clock.now();
      const damage = kind === 'damaged' ? { damaged: true as const } : {};
      now.set(what, { what, words: wordsOf(error), cure, sinceMs, ...damage });
    },
    clear(what) {
      now.delete(what);
    },
    list: () => [...now.values()].sort((a, b) => a.sinceMs - b.sinceMs),
  };
}
