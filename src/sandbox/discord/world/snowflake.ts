// Discord's ids: time-ordered 64-bit numbers as strings. Not random, and not secrets.
import type { Clock } from '#base/clock.ts';

export type NewSnowflake = () => string;

const discordEpochMs = 1_420_070_400_000;
/** Ids of a clock that stands before this would be shorter than any id that Discord still gives out. */
const earliestMs = Date.UTC(2020, 0, 1);

/** A source of ids above `after` that grow, also within one millisecond and when the clock steps back. */
export function createSnowflakes(clock: Clock, after = 0n): NewSnowflake {
  let last = after;
  return () => {
    const candidate = BigInt(Math.max(clock.now(), earliestMs) - discordEpochMs) << 22n;
    last = candidate > last ? candidate : last + 1n;
    return last.toString();
  };
}

/** Whether the text has the form of an id. */
export function isSnowflake(text: string): boolean {
  return /^\d{1,20}$/.test(text);
}
