// A moment as a caller gives it: milliseconds since the epoch. Seconds, which many programs count in, are refused with the likely value.
import { z } from 'zod';

/** Below this a number is a moment in 1973 in milliseconds, and one up to the year 5138 in seconds. */
const firstMs = 100_000_000_000;

/** The last moment that a date can be. */
const lastMs = 8_640_000_000_000_000;

/** Milliseconds since the epoch, 0 or after 1973. */
export const epochMs = z
  .number()
  .max(lastMs)
  .superRefine((value, context) => {
    if (value === 0 || value >= firstMs) return;
    const likely = value > 0 ? `; did you mean ${Math.round(value * 1_000)}` : '';
    context.addIssue({
      code: 'custom',
      input: value,
      message: `expected milliseconds since the epoch, not seconds${likely}`,
    });
  });
