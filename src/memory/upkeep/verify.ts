// Proof that memory is whole and that nothing outlived its chunk. Reads only.
import type { Store } from '#memory/store/store.ts';
import type { Verification } from '#memory/terms/keeping.ts';
import { tracesOf } from './forget.ts';

/** Looks through every index, and for the bytes of these words in every file of the memory. Takes seconds for a large memory. */
export function verify(store: Store, words: readonly string[]): Verification {
  return { problems: store.problems(), traces: tracesOf(words, store.files()) };
}
