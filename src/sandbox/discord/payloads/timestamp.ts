// Times as Discord's API writes them.

/** A time with microseconds and an offset. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00');
}
