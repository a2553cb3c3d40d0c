// A map within a size: what was used longest ago goes first. Not for results of pure functions, which are remembered.ts.

interface LruCache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  /** False where there was none. */
  delete(key: K): boolean;
}

/**
 * A map whose values have at most the size `most` together, in the measure of `sizeOf`, which must give the same for a value each
 * time; without it, at most that many values. A value that is larger than that is not kept, and takes no other's place.
 */
export function createLruCache<K, V extends NonNullable<unknown>>(
  most: number,
  sizeOf: (value: V) => number = () => 1,
): LruCache<K, V> {
  const values = new Map<K, V>();
  let size = 0;
  const drop = (key: K): V | undefined => {
    const value = values.get(key);
    if (value === undefined) return undefined;
    values.delete(key);
    size -= sizeOf(value);
    return value;
  };
  const set = (key: K, value: V): void => {
    drop(key);
    const own = sizeOf(value);
    if (own > most) return;
    values.set(key, value);
    size += own;
    // the way to the oldest key leads over the places of all that were taken out: it is gone only when one has to go
    if (size <= most) return;
    for (const oldest of values.keys()) {
      drop(oldest);
      if (size <= most) break;
    }
  };
  return {
    get(key) {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set,
    delete: (key) => drop(key) !== undefined,
  };
}
