// One thing at a time for each key, different keys side by side. Not a queue that survives the process.

export interface KeyedQueue {
  /** Runs `work` after what came before under the key; false, and nothing runs, when too much waits already. */
  run(key: string, work: () => Promise<void>): boolean;
  /** Pieces of work of the key that have not ended. */
  waiting(key: string): number;
  /** Resolves when all that was taken has ended. */
  idle(): Promise<void>;
}

/**
 * One queue for each key: work of one key runs one after the other, work of different keys at the same time. It holds at most `most`
 * pieces of work, any number when absent, and refuses more. What `work` throws goes to `failed`.
 */
export function createKeyedQueue(options: { most?: number; failed: (error: unknown) => void }): KeyedQueue {
  const { most = Number.POSITIVE_INFINITY, failed } = options;
  const lanes = new Map<string, { waiting: number; last: Promise<void> }>();
  let waiting = 0;
  return {
    run(key, work) {
      if (waiting >= most) return false;
      waiting += 1;
      const lane = lanes.get(key) ?? { waiting: 0, last: Promise.resolve() };
      lanes.set(key, lane);
      lane.waiting += 1;
      lane.last = lane.last
        .then(work)
        .catch(failed)
        .then(() => {
          waiting -= 1;
          lane.waiting -= 1;
          if (lane.waiting === 0) lanes.delete(key);
        });
      return true;
    },
    waiting: (key) => lanes.get(key)?.waiting ?? 0,
    async idle() {
      while (lanes.size > 0) await Promise.all([...lanes.values()].map(({ last }) => last));
    },
  };
}
