// A moment as a caller gives it: milliseconds since the epoch. Seconds and microseconds, which other programs count in, are refused with the likely value.
import { z } from 'zod';

/** Below this a number is a moment in 1973 in milliseconds, and one up to the year 5138 in seconds. */
const firstMs = 100_000_000_000;

/** The end of the year 9999: a number above it is a moment of the year 1978 or later in microseconds. */
const lastMs = 253_402_300_799_999;

/** Milliseconds since the epoch, 0 or after 1973. */
export const epochMs = z.number().superRefine((value, context) => {
  if (value === 0 || (value >= firstMs && value <= lastMs)) return;
  const [unit, ms] = value > lastMs ? ['microseconds', value / 1_000] : ['seconds', value * 1_000];
  const likely = ms >= firstMs && ms <= lastMs ? `; did you mean ${Math.round(ms)}` : '';
  context.addIssue({
    code: 'custom',
    input: value,
    message: `expected milliseconds since the epoch, not ${unit}${likely}`,
  });
});
