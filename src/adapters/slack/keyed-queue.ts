// One thing at a time for each key, different keys side by side. Not a queue that survives the process.

export interface KeyedQueue {
  /** Runs `work` after what came before under the key; false, and nothing runs, when too much waits already. */
  run(key: string, work: () => Promise<void>): boolean;
  /** Resolves when all that was taken has ended. */
  idle(): Promise<void>;
}

/**
 * One queue for each key: work of one key runs one after the other, work of different keys at the same time. It holds at most `most`
 * pieces of work and refuses more. What `work` throws goes to `failed`.
 */
export function createKeyedQueue(options: { most: number; failed: (error: unknown) => void }): KeyedQueue {
  const tails = new Map<string, Promise<void>>();
  let waiting = 0;
  return {
    run(key, work) {
      if (waiting >= options.most) return false;
      waiting += 1;
      const tail = (tails.get(key) ?? Promise.resolve()).then(work).catch(options.failed);
      const ended = tail.then(() => {
        waiting -= 1;
        if (tails.get(key) === ended) tails.delete(key);
      });
      tails.set(key, ended);
      return true;
    },
    async idle() {
      while (tails.size > 0) await Promise.all(tails.values());
    },
  };
}
