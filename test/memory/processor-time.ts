// How long work holds the processor, on a machine that other programs use too.

/**
 * What the work gives, and the milliseconds of this thread's processor time that it takes: the least of three times. What runs next
 * to it (another program in the same caches, the collection of what an earlier test left) can only add to the time.
 */
export async function processorTime<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  let least = Infinity;
  for (let time = 1; ; time += 1) {
    const before = process.threadCpuUsage();
    const result = await work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
    if (time === 3) return { ms: least, result };
  }
}
