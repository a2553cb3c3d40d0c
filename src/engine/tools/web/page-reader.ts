// Reads HTML of strangers as text in a separate thread, one page after the other, within time and memory.
import PQueue from 'p-queue';
import type { Clock } from '#base/clock.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import { lazy } from '#base/lazy.ts';
import { createCallThread } from '#base/threads/call-thread.ts';
import { withTimeout } from '#base/waiting/async.ts';
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

/** A page of two megabytes as people write them takes a second at most. */
const usualMs = 10_000;
/** Room for the tree of a page, which takes up to a hundred times the bytes of the page. */
const oldMiB = 256;
const youngMiB = 16;
const idleAfterMs = 60_000;

/** The one of this process, which all share. */
export const pageReader = lazy(() => createPageReader());

/** A reader whose thread starts with the first page, holds no program alive, and ends when it had nothing to do for a minute. */
export function createPageReader(maxMs: number = usualMs): PageReader {
  // each page has the thread for itself: one that takes too long is ended with it
  const queue = new PQueue({ concurrency: 1 });
  const thread = createCallThread<PageCalls>({
    file: new URL('./page-worker.ts', import.meta.url),
    youngMiB,
    oldMiB,
    idleMs: idleAfterMs,
    what: 'The thread that reads pages',
    ended: { code: 'page_unreadable', message: 'The page was not read to its end.' },
  });
  return {
    read: (html, { maxChars, clock, signal }) =>
      queue.add(
        async () => {
          const end = (): void => void thread.end();
          signal.addEventListener('abort', end, { once: true });
          try {
            return await withTimeout({ clock, ms: maxMs, what: 'The page' }, () =>
              thread.call('text', { html, maxChars }),
            );
          } catch (error) {
            if (signal.aborted) throw signal.reason;
            await thread.end();
            throw unreadable(error, maxMs);
          } finally {
            signal.removeEventListener('abort', end);
          }
        },
        { signal },
      ),
  };
}

function unreadable(cause: unknown, maxMs: number): ParleyError {
  const why =
    codeOf(cause) === 'timeout'
      ? `it takes longer than ${maxMs / 1_000} s to read it`
      : 'it takes more memory than it may, or is nested too deeply';
  return new ParleyError('page_unreadable', `The page cannot be read as text: ${why}.`, { cause });
}
