// A pure function that remembers its last results, within bounds. Not for what can change.

/**
 * The same function, with the results for the texts asked for last kept: at least `most`, at most twice as many.
 * What it returns is shared between callers, and must not be changed by them.
 */
export function remembered<T extends object>(most: number, make: (text: string) => T): (text: string) => T {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    const result = old.get(text) ?? make(text);
    if (young.size >= most) {
      old = young;
      young = new Map();
    }
    young.set(text, result);
    return result;
  };
}
