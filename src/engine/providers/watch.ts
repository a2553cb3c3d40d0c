// How long a model may be silent: until its first piece, and between two pieces.

import { type Clock, type MonotonicMs, msSince } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { anySignal, waitAbandoned } from '#base/waiting/async.ts';

export interface SilenceLimits {
  /** Until the first piece of an answer. */
  firstTokenMs: number;
  /** Between two pieces. */
  idleMs: number;
}

interface Watch {
  /** Aborts with a ParleyError `timeout` when the model is silent too long, and with the outer signal's reason. */
  signal: AbortSignal;
  /** A piece has come. */
  touch(): void;
  /** Ends the watch; the signal no longer aborts by itself. */
  end(): void;
}

/** Starts watching now. One timer at a time, however many pieces come. */
export function createWatch(limits: SilenceLimits, clock: Clock, outer: AbortSignal): Watch {
  const either = anySignal(outer);
  const ended = new AbortController();
  const started = clock.monotonic();
  let received: MonotonicMs | undefined;

  const patrol = async (): Promise<void> => {
    for (;;) {
      const limit = received === undefined ? limits.firstTokenMs : limits.idleMs;
      const left = limit - msSince(clock, received ?? started);
      if (left <= 0) {
        const what =
          received === undefined ? 'did not begin to answer' : 'went silent in the middle of an answer';
        either.abort(new ParleyError('timeout', `The model ${what} for ${limit} ms.`));
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
      received = clock.monotonic();
    },
    end() {
      ended.abort(waitAbandoned);
      either[Symbol.dispose]();
    },
  };
}
