// One thing at a time for each key, different keys side by side. Not a queue that survives the process.

export interface KeyedQueue {
  /** Runs `work` after what came before under the key; false, and nothing runs, when too much waits already. */
  run(key: string, work: () => Promise<void>): boolean;
  /** Resolves when all that was taken has ended. */
  idle(): Promise<void>;
}

/** Empty lanes that take `most` pieces of work at a time. `work` must not throw: what it throws goes to `failed`. */
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
