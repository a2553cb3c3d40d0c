// How long a model may be silent: until its first piece, and between two pieces.

import { type Clock, type MonotonicMs, msSince } from '#base/clock.ts';
import { anySignal, waitAbandoned } from '#base/waiting/async.ts';
import { silentTooLong } from './calls/silence.ts';

export interface SilenceLimits {
  /** Until the first piece of an answer. */
  firstTokenMs: number;
  /** Between two pieces. */
  idleMs: number;
}

interface Watch {
  /** Aborts with a ParleyError `timeout` when the model is silent too long, and with the outer signal's reason. */
  signal: AbortSignal;
  /** A piece of the answer has come. */
  touch(): void;
  /** The server showed that it works, and said nothing of the answer: the limit that holds begins again. */
  alive(): void;
  /** Ends the watch; the signal no longer aborts by itself. */
  end(): void;
}

/** Starts watching now. One timer at a time, however many pieces come. */
export function createWatch(limits: SilenceLimits, clock: Clock, outer: AbortSignal): Watch {
  const either = anySignal(outer);
  const ended = new AbortController();
  let last: MonotonicMs = clock.monotonic();
  let hasBegun = false;

  const patrol = async (): Promise<void> => {
    for (;;) {
      const limit = hasBegun ? limits.idleMs : limits.firstTokenMs;
      const left = limit - msSince(clock, last);
      if (left <= 0) {
        either.abort(silentTooLong({ awaited: hasBegun ? 'continue' : 'begin', ms: limit }));
        return;
      }
      await clock.sleep(left, ended.signal);
    }
  };
  // The only way that `sleep` rejects is the end of the watch, which is no failure.
  patrol().catch(() => {});

  return {
    signal: either.signal,
    touch() {
      last = clock.monotonic();
      hasBegun = true;
    },
    alive() {
      last = clock.monotonic();
    },
    end() {
      ended.abort(waitAbandoned);
      either[Symbol.dispose]();
    },
  };
}
