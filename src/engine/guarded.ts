// The calls of one part of the engine's interface, each through the same guard.

type Call = (...args: never[]) => Promise<unknown>;

/** The same calls, with the same arguments and results, each inside of `guard`. */
export function guarded<T extends Record<keyof T, Call>>(
  calls: T,
  guard: <R>(work: () => Promise<R>) => Promise<R>,
): T {
  const guardedCalls = Object.entries<Call>(calls).map(
    ([name, call]) => [name, (...args: never[]) => guard(() => call(...args))] as const,
  );
  return Object.fromEntries(guardedCalls) as T; // under the same names
}
