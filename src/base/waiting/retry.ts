// The one way to do something again until it succeeds: pauses that grow, a clock, and a signal that ends it.
import type { Clock } from '#base/clock.ts';
import { backoffMs, isAbort } from './async.ts';

interface Retry {
  clock: Clock;
  /** The pause after the first failure and the longest one, in milliseconds; each is twice the one before, see `backoffMs`. */
  pauses: { firstMs: number; capMs: number };
  signal?: AbortSignal | undefined;
}

interface Failure {
  /** From 1. */
  attempt: number;
  /** The pause that follows, in milliseconds. */
  waitMs: number;
}

/**
 * Does `work` until it succeeds, and resolves with its result. After a failure `failed` throws to give up, or lets it be tried again; it may
 * return another pause in milliseconds, where the other side asks for one. Rejects with the reason of the signal once that has aborted.
 */
export async function retry<T>(
  { clock, pauses, signal }: Retry,
  work: (attempt: number) => Promise<T>,
  failed: (error: unknown, failure: Failure) => number | undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await work(attempt);
    } catch (error) {
      signal?.throwIfAborted();
      const waitMs = backoffMs(attempt, pauses);
      await clock.sleep(failed(error, { attempt, waitMs }) ?? waitMs, signal);
    }
  }
}

/** Resolves with undefined where the work was ended by the signal; rejects as it does otherwise. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAbort(error, signal)) return undefined;
    throw error;
  }
}
