// What stands in the way of the whole program right now, in words with its hint: noted when it fails, cleared when it works. Not a log.
import type { Clock } from './clock.ts';
import { errorMessage, hintOf } from './errors.ts';

export interface ActiveProblem {
  /** What is failing: the path of a database, or of a folder. */
  component: string;
  message: string;
  hint: string | undefined;
  /** When it began, in milliseconds since the epoch; later failures of the same kind do not move it. */
  sinceMs: number;
  /** The file itself is damaged: it stays so until someone fixes it. */
  damaged?: true;
}

export interface ActiveProblems {
  /** Notes that `what` failed, or failed again; `damaged`: because its file is. */
  note(what: string, error: unknown, kind?: 'damaged'): void;
  /** `what` works (again). */
  clear(what: string): void;
  /** What is failing now, oldest first. */
  list(): ActiveProblem[];
}

/** An empty list of current problems; at most one for each subject. */
export function createActiveProblems(clock: Pick<Clock, 'now'>): ActiveProblems {
  const now = new Map<string, ActiveProblem>();
  return {
    note(what, error, kind) {
      const hint = hintOf(error);
      const sinceMs = now.get(what)?.sinceMs ?? clock.now();
      const damage = kind === 'damaged' ? { damaged: true as const } : {};
      now.set(what, { component: what, message: errorMessage(error), hint, sinceMs, ...damage });
    },
    clear(what) {
      now.delete(what);
    },
    list: () => [...now.values()].sort((a, b) => a.sinceMs - b.sinceMs),
  };
}
