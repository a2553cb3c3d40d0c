// What takes long to make and never changes, as a compiled schema, is made once for all files of a lane. Not for what has a state.

/** Makes the value when it is first asked for, and gives the same one from then on. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
