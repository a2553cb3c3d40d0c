// The time limit of a whole run. It stands still while a person is waited for: they are slow, and the run is not.
import { type Clock, msSince } from '#base/clock.ts';

/** Made once, since an error costs its stack. */
const halted = new Error('the clock of the run stands still');

interface RunTimer {
  /** Waits for `work` without counting its time. */
  pause<T>(work: () => Promise<T>): Promise<T>;
  /** Milliseconds outside of pauses, until now or its end. */
  workedMs(): number;
  end(): void;
}

/** Counts from now; calls `over` once `ms` have passed outside of pauses. */
export function createRunTimer({
  clock,
  ms,
  over,
}: {
  clock: Clock;
  ms: number;
  over: () => void;
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
    clock.sleep(ms - spent, running.signal).then(over, () => {}); // paused or ended first
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
