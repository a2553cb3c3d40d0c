// A value that takes long to make and is seldom needed. Not for what can change.

/** The value, made when it is asked for first and kept. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
