// The time limit of a whole run. It stands still while a person is waited for: they are slow, and the run is not.
import { type Clock, msSince } from '#base/clock.ts';

/** Made once, since an error costs its stack. */
const halted = new Error('the clock of the run stands still');

/** A run that takes longer does so each time, in milliseconds. */
const tickMs = 2_000;

interface RunTimer {
  /** Waits for `work` without counting its time. */
  pause<T>(work: () => Promise<T>): Promise<T>;
  /** Milliseconds outside of pauses, until now or its end. */
  workedMs(): number;
  end(): void;
}

/** Counts from now; calls `over` once `ms` have passed outside of pauses, and `tick` now and then until then. */
export function createRunTimer({
  clock,
  ms,
  over,
  tick = () => {},
}: {
  clock: Clock;
  ms: number;
  over: () => void;
  tick?: (() => void) | undefined;
}): RunTimer {
  let spent = 0;
  let started = clock.monotonic();
  let running = new AbortController();
  let ended = false;
  let paused = 0;

  const go = (): void => {
    if (ended) return;
    started = clock.monotonic();
    running = new AbortController();
    void wait(running.signal).catch(() => {}); // paused or ended first
  };
  const wait = async (signal: AbortSignal): Promise<void> => {
    for (let left = ms - spent; left > 0; left = ms - spent - msSince(clock, started)) {
      await clock.sleep(Math.min(left, tickMs), signal);
      tick();
    }
    over();
  };
  const halt = (): void => {
    spent += msSince(clock, started);
    running.abort(halted);
  };
  go();
  return {
    async pause(work) {
      if (paused === 0) halt();
      paused += 1;
      try {
        return await work();
      } finally {
        paused -= 1;
        if (paused === 0) go();
      }
    },
    workedMs: () => spent + (ended || paused > 0 ? 0 : msSince(clock, started)),
    end() {
      if (ended) return;
      if (paused === 0) spent += msSince(clock, started);
      ended = true;
      running.abort(halted);
    },
  };
}
