// Reads HTML of strangers as text, within processor time, elements and memory.
import type { DocumentCalls } from '#base/documents/document-calls.ts';
import {
  createDocumentThreads,
  type DocumentThreads,
  documentThreads,
  type ReadingLimits,
} from '#base/documents/document-threads.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { lazy } from '#base/lazy.ts';

export interface PageReader {
  /**
   * The text of a page, at most `maxChars` of it. Rejects with a ParleyError `page_unreadable` with a message when it takes too much time or
   * memory, and with the reason of the signal.
   */
  read(
    html: string,
    how: { maxChars: number; signal: AbortSignal },
  ): Promise<DocumentCalls['page']['result']>;
}

/** A page of two megabytes as people write them takes a second at most; in a busy machine it may take longer to get it. */
const usualLimits: ReadingLimits = { cpuMs: 2_000, ms: 10_000 };

/** The one of this process, which all share. */
export const pageReader = lazy(() => createPageReader(usualLimits, documentThreads()));

/** A reader of pages; with threads of its own where none are given. */
export function createPageReader(
  limits: ReadingLimits = usualLimits,
  threads: DocumentThreads = createDocumentThreads(),
): PageReader {
  return {
    async read(html, { maxChars, signal }) {
      try {
        return await threads.call('page', { html, maxChars }, { limits, signal });
      } catch (cause) {
        if (signal.aborted) throw cause;
        const isWords = ['page_too_large', 'reading_over_limit'].includes(codeOf(cause) ?? '');
        const why = isWords
          ? errorMessage(cause)
          : 'it takes more memory than it may, or is nested too deeply';
        throw new ParleyError('page_unreadable', `The page cannot be read as text: ${why}.`, { cause });
      }
    },
  };
}
