// A value that takes long to make and is seldom needed. Not for what can change.

/** The value, made at its first use and then held. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
