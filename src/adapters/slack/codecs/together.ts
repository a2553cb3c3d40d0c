// One call for all who ask the same at about the same time. Nobody is given an answer that was requested before they asked.

/**
 * The same question, asked as seldom as that allows: one call at a time, and one more for all who came before its answer. A
 * failed call fails for everyone who waited for it.
 */
export function requestedTogether<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= (async () => {
      const before = running;
      await before.catch(() => undefined);
      // who asks from here on cannot know whether Slack has answered already
      running = next ?? before;
      next = undefined;
      return ask();
    })();
    return next;
  };
}
