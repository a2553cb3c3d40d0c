// The write-ahead log of a database emptied into its file, so that what was overwritten or removed stands nowhere any more. Not checkpoints for speed.
import { standStill } from '#base/waiting/stand-still.ts';
import type { Sqlite } from './sqlite.ts';

/** A search elsewhere, or a checkpoint, keeps the log from being emptied for some milliseconds; emptying is tried this often, and this far apart. */
const maxTries = 10;
const betweenTriesMs = 10;

/** Empties the log; false when someone was in the way to the end. The program stands still until then, for some milliseconds. */
export function emptyLog(database: Sqlite): boolean {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (database.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0) return true;
    standStill(betweenTriesMs);
  }
  return false;
}
