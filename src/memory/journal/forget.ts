// Entries of the journal forgotten by their ids: only those of the caller's own audience.

import type { JournalStore } from '#memory/store/journal-store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { JournalCaller } from '#memory/types/journal.ts';
import type { CheckedInput } from './parts.ts';
import { mayChange } from './sessions.ts';

/** Forgets entries with what belongs to them, and empties the file of their bytes; how many of the ids there were. */
export async function forgetEntries(
  { storage, journal, forget, leaveNoTrace }: JournalStore,
  caller: JournalCaller,
  { ids, reason }: CheckedInput<'forget'>,
): Promise<{ forgotten: number }> {
  const readable = readableBy(caller.scope);
  const forgotten = await storage.write(function* () {
    const own = (yield* journal.select({ ids }, readable))
      .filter(({ audience }) => mayChange(caller, audience))
      .map(({ id }) => id);
    if (own.length > 0) yield* forget({ rows: [], records: [], journal: own, by: caller.by, reason });
    return own.length;
  });
  if (forgotten > 0) await leaveNoTrace();
  return { forgotten };
}
