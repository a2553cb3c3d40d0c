// A clock for tests that wait for a real network: short pauses (a retry's) take no time, long ones (a limit's) are real.
import { type Clock, systemClock } from '#base/clock.ts';

const pauseMs = 10_000;

export const hurriedClock: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms <= pauseMs ? 0 : ms, signal),
};
