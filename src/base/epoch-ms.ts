// A moment as a caller gives it: milliseconds since the epoch. Seconds and microseconds, which other programs count in, are refused with the likely value.
import { z } from 'zod';

/** Below this a number is a moment in 1973 in milliseconds, and one up to the year 5138 in seconds. */
const firstMs = 100_000_000_000;

/** The end of the year 9999. */
const lastMs = 253_402_300_799_999;

/** The year 2200: what another unit means is before it. */
const lastLikelyMs = 7_258_118_400_000;

/** Milliseconds in the other units in which programs count. */
const units = { seconds: 1_000, microseconds: 1e-3, nanoseconds: 1e-6 };

/** Milliseconds since the epoch, 0 or after 1973. */
export const epochMs = z.number().superRefine((value, context) => {
  if (value === 0 || (value >= firstMs && value <= lastMs)) return;
  const meant = Object.entries(units)
    .map(([unit, ms]) => ({ unit, ms: Math.round(value * ms) }))
    .find(({ ms }) => ms >= firstMs && ms <= lastLikelyMs);
  const instead =
    meant === undefined
      ? `, 0 or from ${firstMs} to ${lastMs} (the end of the year 9999); leave it out where there is no such time`
      : `, not ${meant.unit}; did you mean ${meant.ms}`;
  context.addIssue({
    code: 'custom',
    input: value,
    message: `expected milliseconds since the epoch${instead}`,
  });
});
