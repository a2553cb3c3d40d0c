// Words, full text and vectors made again from what is stored. Changes nothing that anyone is shown.
import { setImmediate } from 'node:timers/promises';
import type { Store } from '#memory/store/store.ts';
import type { Progress } from '#memory/types/progress.ts';

/** Rows that one transaction indexes; the event loop turns in between. */
const atOnce = 100;

/**
 * Makes the index of every chunk again, some rows at a time, so that searches and other programs work on; the number of chunks.
 * What was interrupted is begun again by the next call, and is found by its old words until then.
 */
export async function reindex(
  store: Store,
  onProgress: ((at: Progress) => void) | undefined,
): Promise<number> {
  const total = store.chunks.count();
  // first of all, since a change to a full text that has lost its words would fail
  await store.retryWhileLocked(() => store.texts.rebuild());
  let done = 0;
  for (let row = 0; ; ) {
    const rows = store.texts.after(row, atOnce).map((text) => text.row);
    if (rows.length === 0) break;
    row = rows.at(-1) ?? row;
    await store.retryWhileLocked(() => store.texts.reindex(rows));
    done += rows.length;
    onProgress?.({ done, total: Math.max(total, done) });
    await setImmediate();
  }
  return done;
}
