// A pure function that remembers its last results, within bounds. Not for what can change.

/**
 * The same function, keeping at most the results for `most` texts: always those of the half that were asked for last. What it
 * returns is shared between callers, and must not be changed by them.
 */
export function memoize<T extends object | string, K extends string = string>(
  most: number,
  make: (text: K) => T,
): (text: K) => T {
  // two generations: an exact order of use costs a map that is changed by every look
  let [young, old] = [new Map<K, T>(), new Map<K, T>()];
  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    const result = old.get(text) ?? make(text);
    if (2 * young.size >= most) [old, young] = [young, new Map()];
    young.set(text, result);
    return result;
  };
}
