// How a script that measures ends: the bounds that it missed, its figures as JSON, and the exit code.

/**
 * Prints a line `MISSED: …` for each missed bound and, last, the figures as one line of JSON with `ok` and `missed`. When a bound
 * is missed, the process will exit with 1.
 */
export function conclude(figures: object, missed: readonly string[]): void {
  for (const words of missed) process.stdout.write(`MISSED: ${words}\n`);
  process.stdout.write(`${JSON.stringify({ ...figures, ok: missed.length === 0, missed })}\n`);
  if (missed.length > 0) process.exitCode = 1;
}

/** Nothing, or why the value misses its bound. NaN, the figure of no measurement, misses it. */
export function atMost(what: string, value: number, bound: number): string[] {
  return value <= bound ? [] : [`${what}: ${value}, to reach: at most ${bound}`];
}

/** As `atMost`, for a value of which more is better. */
export function atLeast(what: string, value: number, bound: number): string[] {
  return value >= bound ? [] : [`${what}: ${value}, to reach: at least ${bound}`];
}
