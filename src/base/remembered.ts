// A pure function that remembers its last results, within bounds. Not for what can change.

/**
 * The same function, with the results for the `most` texts that were asked for last kept; what was asked for longest ago goes
 * first. What it returns is shared between callers, and must not be changed by them.
 */
export function remembered<T extends object | string>(
  most: number,
  make: (text: string) => T,
): (text: string) => T {
  const known = new Map<string, T>(); // in the order in which they were asked for
  return (text) => {
    const result = known.get(text) ?? make(text);
    known.delete(text);
    known.set(text, result);
    const [oldest] = known.size > most ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    return result;
  };
}
