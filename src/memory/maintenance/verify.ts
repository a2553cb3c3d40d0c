// Proof that memory is whole and that nothing outlived its chunk. Reads only.
import { tracesOf } from '#base/files/file-traces.ts';
import type { Store } from '#memory/store/store.ts';
import type { Verification } from '#memory/types/maintenance.ts';
import { unreadNotice } from './forget.ts';

/**
 * Looks through every index, and for the bytes of these words in every file of the memory. Takes seconds for a large memory. A file that
 * was not read to its end, also because `signal` aborted, is one of the problems.
 */
export async function verify(
  store: Store,
  words: readonly string[],
  signal?: AbortSignal,
): Promise<Verification> {
  const problems = await store.retryWhileLocked(() => store.problems());
  const { traces, unread } = await tracesOf(words, store.files(), { signal });
  return { problems: [...problems, ...unreadNotice(unread)], traces };
}
