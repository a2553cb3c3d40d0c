// Threads that read what strangers made, two things at a time, within processor time, memory and a wait. Not the formats.
import PQueue from 'p-queue';
import { systemClock } from '#base/clock.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import { lazy } from '#base/lazy.ts';
import { type CallThread, createCallThread } from '#base/threads/call-thread.ts';
import { every, withTimeout } from '#base/waiting/async.ts';
import type { DocumentCalls } from './document-calls.ts';

export interface ReadingLimits {
  /** Processor time of one thing, in milliseconds. */
  cpuMs: number;
  /** The longest wait for one thing, in milliseconds: a busy machine gives it less of the processor. */
  ms: number;
}

export interface DocumentThreads {
  /**
   * The result of a call, in a thread that nothing else uses meanwhile. Rejects with what the thread threw, with the reason of the
   * signal, and with a ParleyError `reading_over_limit` that says which limit was reached, as the rest of a sentence.
   */
  call<Name extends keyof DocumentCalls>(
    name: Name,
    request: DocumentCalls[Name]['request'],
    how: { limits: ReadingLimits; signal: AbortSignal },
  ): Promise<DocumentCalls[Name]['result']>;
}

/** How often it is looked what a document has taken, in milliseconds. */
const lookMs = 100;
/** Things that are read at a time: one that is slow holds up no other. */
const readers = 2;
/** Room for the tree of a page, which takes up to a hundred times the bytes of the page. */
const oldMiB = 256;
const youngMiB = 16;
/** Bytes in buffers outside of the heap: a file of 20 MiB, and its parts as they are unpacked. */
const maxBytesOutside = 256 * 2 ** 20;
const idleAfterMs = 60_000;

/** The threads of this process, which all share. */
export const documentThreads = lazy(() => createDocumentThreads());

/** Threads that start with the first call, hold no program alive, and end when they had nothing to do for a minute. */
export function createDocumentThreads(): DocumentThreads {
  const queue = new PQueue({ concurrency: readers });
  // each thing has a thread for itself: one that takes too long is ended with it
  const free = Array.from({ length: readers }, () =>
    createCallThread<DocumentCalls>({
      file: new URL('./document-worker.ts', import.meta.url),
      youngMiB,
      oldMiB,
      idleMs: idleAfterMs,
      what: 'The thread that reads documents',
      ended: { code: 'reading_ended', message: 'It was not read to its end.' },
    }),
  );
  return {
    call: (name, request, how) =>
      queue.add(
        async () => {
          const thread = free.pop();
          if (thread === undefined) throw new Error('more is read than there are threads');
          try {
            return await within(thread, how, () => thread.call(name, request));
          } finally {
            free.push(thread);
          }
        },
        { signal: how.signal },
      ),
  };
}

/** A document of 300 pages takes a second or two; what takes more than this is no document that people write. */
const documentLimits: ReadingLimits = { cpuMs: 8_000, ms: 30_000 };

/** The text of a document of a stranger, or why there is none. Rejects only with the signal's reason. */
export async function readDocument(
  request: DocumentCalls['document']['request'],
  signal: AbortSignal,
): Promise<DocumentCalls['document']['result']> {
  try {
    return await documentThreads().call('document', request, { limits: documentLimits, signal });
  } catch (error) {
    signal.throwIfAborted();
    return { unread: codeOf(error) === 'reading_over_limit' ? 'too much work' : 'damaged' };
  }
}

/** Works in the thread, and ends the thread with what is over a limit. */
async function within<T>(
  thread: CallThread<DocumentCalls>,
  { limits, signal }: Parameters<DocumentThreads['call']>[2],
  work: () => Promise<T>,
): Promise<T> {
  const clock = systemClock; // a thread works in the machine's time, whatever its caller's
  const done = new AbortController();
  const end = (): void => void thread.end();
  signal.addEventListener('abort', end, { once: true });
  let over: 'time' | 'memory' | undefined;
  const before = await thread.cpuMs();
  const watching = every({ clock, ms: lookMs, firstMs: lookMs, signal: done.signal }, async () => {
    if ((await thread.cpuMs()) - before > limits.cpuMs) over ??= 'time';
    if ((await thread.bytesOutside()) > maxBytesOutside) over ??= 'memory';
    if (over !== undefined) end();
  });
  try {
    return await withTimeout({ clock, ms: limits.ms, what: 'The reading' }, work);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const code = codeOf(error) ?? '';
    if (!endings.has(code)) throw error;
    await thread.end();
    throw new ParleyError(
      'reading_over_limit',
      over === 'time' || code === 'timeout'
        ? `it takes longer than ${(over === 'time' ? limits.cpuMs : limits.ms) / 1_000} s to read it`
        : 'it takes more memory than it may, or is nested too deeply',
      { cause: error },
    );
  } finally {
    signal.removeEventListener('abort', end);
    done.abort();
    await watching;
  }
}

/** Codes with which a call fails that was ended here, waited for too long, or whose thread died. */
const endings = new Set(['reading_ended', 'timeout', 'thread_ended']);
