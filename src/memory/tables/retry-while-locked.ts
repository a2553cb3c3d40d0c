// Waiting for another process that writes the same file, without standing still. Not for reads, which never wait.
import { type Clock, msSince } from '#base/clock.ts';
import { codeOf, ParleyError } from '#base/errors.ts';

/** How long SQLite itself waits, in milliseconds: the whole program stands still for that long, so it is short. */
export const lockedMs = 20;

/** In milliseconds. SQLite has no queue of writers: one that tries seldom can be overtaken for long, so it tries often. */
const timeout = { wholeMs: 5_000, minMs: 2, maxMs: 25 };

/**
 * Runs the transaction again while another process has the file locked. Rejects with a ParleyError `memory_busy` after 5 s:
 * nothing of it was stored then.
 */
export async function retryWhileLocked<T>(clock: Clock, transaction: () => T): Promise<T> {
  for (const since = clock.monotonic(); ; ) {
    try {
      return transaction();
    } catch (cause) {
      if (!isLockedError(cause)) throw cause;
      if (msSince(clock, since) >= timeout.wholeMs)
        throw new ParleyError('memory_busy', 'Another process held the lock of the memory for too long.', {
          hint: 'Try it again: nothing is stored twice.',
          cause,
        });
    }
    await clock.sleep(timeout.minMs + Math.random() * (timeout.maxMs - timeout.minMs));
  }
}

/** True for SQLite's word that another process holds the lock. */
export function isLockedError(error: unknown): boolean {
  return codeOf(error)?.startsWith('SQLITE_BUSY') === true;
}
