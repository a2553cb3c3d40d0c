// Reads HTML of strangers as text in separate threads, two pages at a time, within processor time, elements and memory.
import PQueue from 'p-queue';
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { lazy } from '#base/lazy.ts';
import { type CallThread, createCallThread } from '#base/threads/call-thread.ts';
import { every, withTimeout } from '#base/waiting/async.ts';
import type { PageCalls } from './page-calls.ts';

export interface PageReader {
  /**
   * The text of a page, at most `maxChars` of it. Rejects with a ParleyError `page_unreadable` with a message when it takes too much time or
   * memory, and with the reason of the signal.
   */
  read(
    html: string,
    how: { maxChars: number; clock: Clock; signal: AbortSignal },
  ): Promise<PageCalls['text']['result']>;
}

/** A page of two megabytes as people write them takes a second at most; in a busy machine it may take longer to get it. */
const usualLimits = { cpuMs: 2_000, ms: 10_000 };
/** How often it is looked how much of it a page has taken, in milliseconds. */
const lookMs = 100;
/** Pages that are read at a time: one that is slow holds up no other. */
const readers = 2;
/** Room for the tree of a page, which takes up to a hundred times the bytes of the page. */
const oldMiB = 256;
const youngMiB = 16;
const idleAfterMs = 60_000;

/** The one of this process, which all share. */
export const pageReader = lazy(() => createPageReader());

/** A reader whose threads start with the first pages, hold no program alive, and end when they had nothing to do for a minute. */
export function createPageReader(limits: { cpuMs: number; ms: number } = usualLimits): PageReader {
  const queue = new PQueue({ concurrency: readers });
  // each page has a thread for itself: one that takes too long is ended with it
  const free = Array.from({ length: readers }, () =>
    createCallThread<PageCalls>({
      file: new URL('./page-worker.ts', import.meta.url),
      youngMiB,
      oldMiB,
      idleMs: idleAfterMs,
      what: 'The thread that reads pages',
      ended: { code: 'page_unreadable', message: 'The page was not read to its end.' },
    }),
  );
  return {
    read: (html, how) =>
      queue.add(
        async () => {
          const thread = free.pop();
          if (thread === undefined) throw new Error('more pages are read than there are threads');
          try {
            return await readIn(thread, { html, limits, ...how });
          } finally {
            free.push(thread);
          }
        },
        { signal: how.signal },
      ),
  };
}

/** Reads one page in the thread, and ends the thread with a page that is over a limit. */
async function readIn(
  thread: CallThread<PageCalls>,
  of: { html: string; limits: { cpuMs: number; ms: number } } & Parameters<PageReader['read']>[1],
): Promise<PageCalls['text']['result']> {
  const { html, maxChars, clock, signal, limits } = of;
  const done = new AbortController();
  const end = (): void => void thread.end();
  signal.addEventListener('abort', end, { once: true });
  let isOver = false;
  const before = await thread.cpuMs();
  const watching = every({ clock, ms: lookMs, firstMs: lookMs, signal: done.signal }, async () => {
    isOver ||= (await thread.cpuMs()) - before > limits.cpuMs;
    if (isOver) end();
  });
  try {
    return await withTimeout({ clock, ms: limits.ms, what: 'The page' }, () =>
      thread.call('text', { html, maxChars }),
    );
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (codeOf(error) !== 'page_too_large') await thread.end();
    throw unreadable(error, isOver ? limits.cpuMs : limits.ms, isOver);
  } finally {
    signal.removeEventListener('abort', end);
    done.abort();
    await watching;
  }
}

function unreadable(cause: unknown, maxMs: number, isOver: boolean): ParleyError {
  const why =
    isOver || codeOf(cause) === 'timeout'
      ? `it takes longer than ${maxMs / 1_000} s to read it`
      : codeOf(cause) === 'page_too_large'
        ? errorMessage(cause)
        : 'it takes more memory than it may, or is nested too deeply';
  return new ParleyError('page_unreadable', `The page cannot be read as text: ${why}.`, { cause });
}
