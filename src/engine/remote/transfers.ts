// Files between this process and an engine over a link that may be slow: how long one is waited for, and what status says until then.

import type { ActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';

/** How far a transfer has come. */
export interface TransferProgress {
  bytes: number;
}

export interface Transfers {
  /**
   * Runs `work` under a signal that aborts with `signal`, and with a ParleyError `file_not_brought` when the files of `group` have
   * taken 3 minutes in which the engine could be reached. One that takes long counts as failing until it is over.
   */
  within<T>(
    file: { group: string; what: string; size: number },
    signal: AbortSignal,
    work: (signal: AbortSignal, progress: TransferProgress) => Promise<T>,
  ): Promise<T>;
  /** Forgets how long the files of this group took. */
  drop(group: string): void;
}

/** For all files of one answer, or of one message: a chat waits for them. 8 MiB need 46 KiB/s. */
const maxMs = 180_000;
/** How often the time is counted, and reported. */
const stepMs = 5_000;
/** From this time on a transfer takes long. */
const longMs = 10_000;

/** `up` resolves while the engine can be reached: time in which it cannot is not counted. */
export function createTransfers(options: {
  up(signal: AbortSignal): Promise<void>;
  clock: Clock;
  log: Log;
  problems: ActiveProblems;
}): Transfers {
  const { up, clock, log, problems } = options;
  const spent = new Map<string, number>();
  return {
    async within({ group, what, size }, signal, work) {
      const own = new AbortController();
      const ended = new AbortController();
      const progress: TransferProgress = { bytes: 0 };
      const forward = (): void => own.abort(signal.reason);
      if (signal.aborted) forward();
      else signal.addEventListener('abort', forward, { once: true });
      const count = async (): Promise<void> => {
        for (let ownMs = stepMs; ; ownMs += stepMs) {
          await up(ended.signal);
          await clock.sleep(stepMs, ended.signal);
          const ms = (spent.get(group) ?? 0) + stepMs;
          spent.set(group, ms);
          if (ms >= maxMs) return own.abort(notBrought(what));
          if (ownMs >= longMs) problems.note(what, slow(what, { bytes: progress.bytes, size }));
        }
      };
      count().catch(() => undefined); // it has ended
      try {
        if ((spent.get(group) ?? 0) >= maxMs) own.abort(notBrought(what));
        own.signal.throwIfAborted();
        return await work(own.signal, progress);
      } catch (error) {
        if (!signal.aborted)
          log.warn({ what, bytes: progress.bytes, words: errorMessage(error) }, 'a file was not brought');
        throw error;
      } finally {
        ended.abort();
        signal.removeEventListener('abort', forward);
        problems.clear(what);
      }
    },
    drop(group) {
      spent.delete(group);
    },
  };
}

function slow(what: string, { bytes, size }: { bytes: number; size: number }): ParleyError {
  const share = size === 0 ? 0 : Math.floor((100 * bytes) / size);
  return new ParleyError(
    'transfer_slow',
    `${what} takes long over the link to the engine: ${share} % so far.`,
    {
      hint: 'Its chat waits for it, at most 3 minutes; the stop command there ends the wait. Look at the network between both.',
    },
  );
}

function notBrought(what: string): ParleyError {
  return new ParleyError(
    'file_not_brought',
    `${what} did not come over the link to the engine in 3 minutes.`,
  );
}
