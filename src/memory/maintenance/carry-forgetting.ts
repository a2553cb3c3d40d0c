// What one memory file has forgotten, forgotten in another one too: for a backup that comes back.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import { openStore } from '#memory/store/store.ts';
import { readTombstones } from '#memory/tables/tombstones.ts';

/** Two memory files: what is forgotten in the one is to be forgotten in the other, which nobody may have open. */
interface CarriedForgetting {
  from: string;
  to: string;
  clock: Clock;
  newId: NewId;
}

/**
 * Carries everything that the file at `from` knows to be forgotten into the one at `to`: there it is forgotten as well, in one
 * transaction, and cannot come back. Resolves with how many entries went; `to` is not touched when it knows all that already.
 * Throws SQLite's own error when `from` cannot be read.
 */
export async function carryForgetting({ from, to, clock, newId }: CarriedForgetting): Promise<number> {
  const { tombstones, forgotten, lines } = readTombstones(from);
  const there = readTombstones(to);
  const known = new Set([
    ...there.tombstones.map(({ hash }) => hash),
    ...there.forgotten.map(({ id }) => id),
  ]);
  const news = {
    tombstones: tombstones.filter(({ hash }) => !known.has(hash)),
    forgotten: forgotten.filter(({ id }) => !known.has(id)),
  };
  if (news.tombstones.length + news.forgotten.length + lines.length === 0) return 0;
  const store = openStore({ path: to, clock, newId });
  try {
    // the next start takes them out of the files that came back
    await store.retryWhileLocked(() => store.fileRows.forgetLines(lines, clock.now()));
    const forgotten = await store.retryWhileLocked(() => store.forgetAgain(news, { name: 'restore' }));
    await store.retryWhileLocked(store.leaveNoTrace);
    return forgotten;
  } finally {
    store.close();
  }
}
