// Entries of the journal forgotten by their ids: only those of the caller's own audience.

import type { Store } from '#memory/store/store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { JournalCaller } from '#memory/types/journal.ts';
import type { CheckedInput } from './parts.ts';
import { mayChange } from './sessions.ts';

/** Forgets entries with what belongs to them, and empties the file of their bytes; how many of the ids there were. */
export async function forgetEntries(
  store: Store,
  caller: JournalCaller,
  { ids, reason }: CheckedInput<'forget'>,
): Promise<{ forgotten: number }> {
  const readable = readableBy(caller.scope);
  const forgotten = await store.retryWhileLocked(() => {
    const own = store.journal
      .select({ ids }, readable)
      .filter(({ audience }) => mayChange(caller, audience))
      .map(({ id }) => id);
    if (own.length > 0) store.forget({ rows: [], records: [], journal: own, by: caller.by, reason });
    return own.length;
  });
  if (forgotten > 0) await store.retryWhileLocked(store.leaveNoTrace);
  return { forgotten };
}
