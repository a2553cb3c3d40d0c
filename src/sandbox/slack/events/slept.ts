// A wait that a signal ends early, with what ended it.
import type { Clock } from '#base/clock.ts';

/** True after `ms`, false as soon as the signal aborts. */
export function slept(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return clock.sleep(ms, signal).then(
    () => true,
    () => false,
  );
}
