// Small pieces for asynchronous code: one owner for waiting, one for time limits. Not a scheduler.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';

/**
 * True when the error is the abort of `signal` (of any signal when none is given). A call that a library gave up on its own
 * ends in an AbortError too: as long as `signal` has not aborted, that is a failure like any other.
 */
export function isAbort(error: unknown, signal?: AbortSignal): boolean {
  if (signal?.aborted === false) return false;
  if (signal !== undefined && error === signal.reason) return true;
  return error instanceof Error && error.name === 'AbortError';
}

export interface Waker {
  /** Ends the current wait, or the next one if nobody waits now. */
  wake(): void;
  /** Resolves at the next wake, or after `ms`; rejects when the signal aborts. */
  wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void>;
}

/** Why a wait is given up that nobody needs any more; made once, since an error costs its stack. */
export const waitAbandoned = new Error('the wait is over');

/** A latch for one waiting loop: wakes that come between two waits are not lost. */
export function createWaker(): Waker {
  let pending = false;
  let release: (() => void) | undefined;
  return {
    wake() {
      if (release === undefined) pending = true;
      else release();
    },
    async wait(clock, ms, signal) {
      signal?.throwIfAborted();
      if (pending) {
        pending = false;
        return;
      }
      using done = anySignal(signal);
      const woken = new Promise<void>((resolve) => {
        release = resolve;
      });
      try {
        await Promise.race([woken, clock.sleep(ms, done.signal)]);
      } finally {
        release = undefined;
        done.abort(waitAbandoned);
      }
    },
  };
}

interface Either extends Disposable {
  signal: AbortSignal;
  abort(reason: unknown): void;
}

/**
 * A signal that aborts with the first of these, or by `abort`, until it is disposed of: for one call under signals that live long. A signal made by
 * `AbortSignal.any` and listened to (as by fetch) is held by Node for as long as any of its sources lives.
 */
export function anySignal(...signals: readonly (AbortSignal | null | undefined)[]): Either {
  const own = new AbortController();
  const links = signals
    .filter((signal) => signal !== undefined && signal !== null)
    .map((signal) => ({ signal, forward: () => own.abort(signal.reason) }));
  for (const { signal, forward } of links)
    if (signal.aborted) forward();
    else signal.addEventListener('abort', forward, { once: true });
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    [Symbol.dispose]() {
      for (const { signal, forward } of links) signal.removeEventListener('abort', forward);
    },
  };
}

/** Runs `work` under a time limit; past it, its signal aborts and a ParleyError `timeout` naming `what` is thrown. */
export async function withTimeout<T>(
  limit: { clock: Clock; ms: number; what: string; signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using within = anySignal(limit.signal);
  const timer = new AbortController();
  const expired = limit.clock.sleep(limit.ms, timer.signal).then(
    () => {
      const error = new ParleyError('timeout', `${limit.what} took longer than ${limit.ms} ms.`);
      within.abort(error);
      throw error;
    },
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work(within.signal), expired]);
  } finally {
    timer.abort(waitAbandoned);
  }
}

/** Does `work` until the signal aborts, which resolves: `firstMs` from now, and `ms` after each end of it. Rejects as soon as `work` does. */
export async function every(
  { clock, ms, firstMs = 0, signal }: { clock: Clock; ms: number; firstMs?: number; signal: AbortSignal },
  work: () => unknown,
): Promise<void> {
  try {
    if (firstMs > 0) await clock.sleep(firstMs, signal);
    for (;;) {
      await work();
      await clock.sleep(ms, signal);
    }
  } catch (error) {
    if (!isAbort(error, signal)) throw error;
  }
}

/** Delay before attempt `attempt` (from 1): doubling from `firstMs`, capped, with full jitter above half. */
export function backoffMs(attempt: number, limits: { firstMs: number; capMs: number }): number {
  const whole = Math.min(limits.capMs, limits.firstMs * 2 ** Math.max(0, attempt - 1));
  return Math.round(whole / 2 + Math.random() * (whole / 2));
}

/** Waits for the end of something, and no longer than `ms` milliseconds; rejects as `ended` does. */
export async function waitAtMost(
  ended: Promise<unknown>,
  { clock, ms }: { clock: Clock; ms: number },
): Promise<void> {
  const waited = new AbortController();
  await Promise.race([ended, clock.sleep(ms, waited.signal).catch(() => undefined)]);
  waited.abort();
}
