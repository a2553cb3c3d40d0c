// Waits in a test for what comes about on its own, outside of a clock that the test moves. Not a test.

/** How long a test waits for what must come; only a failure takes so long, however busy the machine is. */
const timeoutMs = 60_000;

/** Looks every few milliseconds, and less often at what takes long: a look at a whole chat is not free. */
const pauseMs = { first: 2, longest: 25, ofWaited: 0.1 };

/** Resolves as soon as `look` finds something; fails with `what` after a generous time. */
export async function found<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const from = performance.now();
  for (let waited = 0; waited < timeoutMs; waited = performance.now() - from) {
    const value = await look();
    if (value !== undefined) return value;
    const pause = Math.min(pauseMs.first + waited * pauseMs.ofWaited, pauseMs.longest);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new Error(`Waited ${timeoutMs / 1000} s in vain for: ${what}`);
}

/** Resolves as soon as it is so; fails with `what` after a generous time. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await found(what, async () => ((await isSo()) ? true : undefined));
}
