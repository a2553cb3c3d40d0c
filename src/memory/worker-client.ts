// A thread that works on the memory file next to the program's own: started when it is first needed, and again when it died.
import { type CallThread, createCallThread } from '#base/threads/call-thread.ts';
import type { MemoryCalls, ThreadData } from './worker-protocol.ts';

export type MemoryWorker = CallThread<MemoryCalls>;

/** Room for new objects: more of it makes the program larger and hardly faster. */
const youngMiB = 32;

/** A thread for one file; nothing is started before the first call, and it ends when it had nothing to do for `idleMs`. */
export function createMemoryWorker(data: ThreadData, idleMs?: number): MemoryWorker {
  return createCallThread<MemoryCalls>({
    file: new URL('./worker.ts', import.meta.url),
    data,
    youngMiB,
    idleMs,
    what: 'A thread of the memory',
    ended: { code: 'memory_closed', message: 'The memory was closed.' },
  });
}
