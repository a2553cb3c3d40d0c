// Old rows of a table taken out in small steps, oldest first, so that nothing else waits for it.
import { setImmediate } from 'node:timers/promises';

/** A row as far as pruning goes by it. */
export interface PrunableRow {
  /** Its place in the table: rows are written in this order. */
  position: number;
  /** In milliseconds since the epoch. */
  at: number;
  /** As SQLite says it: 1 for a row that is still needed, however old it is. */
  isNeeded: 0 | 1;
}

export interface PrunableTable {
  /** Rows after this place, in order, at most `limit`. */
  after(position: number, limit: number): PrunableRow[];
  /** Removes these rows with all that hangs on them, in one transaction. */
  remove(positions: readonly number[]): void;
}

/** Rows that are looked at in one step: some milliseconds. */
const stepRows = 200;

/** Removes what is older than `before` and not needed; resolves with how many rows. Ends between two steps once the signal aborts. */
export async function pruneRows(table: PrunableTable, before: number, signal: AbortSignal): Promise<number> {
  let removed = 0;
  for (let at = -1; ; ) {
    await setImmediate();
    if (signal.aborted) return removed;
    const rows = table.after(at, stepRows);
    const old = rows.filter((row) => row.at < before && row.isNeeded === 0).map(({ position }) => position);
    if (old.length > 0) table.remove(old);
    removed += old.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < stepRows || last.at >= before) return removed;
    at = last.position;
  }
}
