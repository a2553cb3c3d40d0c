// Which runs' files are beyond their retention, by age and by count: found, deleted, and kept to it once a day. Their rows in the database stay.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { every } from '#base/waiting/async.ts';
import { runFolder } from './run-folder.ts';

interface RunRetention {
  /** Days since the files of a run were last written; kept at any age when absent. */
  days?: number | undefined;
  /** How many runs have files at most: those of older runs are deleted. */
  count: number;
}

interface OldRun {
  runID: string;
  /** Of all its files. */
  bytes: number;
  /** When they were last written, in milliseconds since the epoch. */
  at: number;
}

const dayMs = 24 * 3600_000;

/** Runs whose files are older than the retention, or more than it allows; oldest first. Changes nothing. */
export async function oldRuns(home: string, retention: RunRetention & { now: number }): Promise<OldRun[]> {
  const { days, count, now } = retention;
  const names = await entriesOf(join(home, runFolder));
  // Ids are in order of time, so the oldest come first. Anything else in the folder is someone else's and stays.
  const runIDs = names.filter((name) => /^run_\w+$/.test(name)).sort();
  const surplus = Math.max(0, runIDs.length - count);
  const old: OldRun[] = [];
  for (const [index, runID] of runIDs.entries()) {
    if (index >= surplus && days === undefined) break;
    const files = await filesOf(join(home, runFolder, runID));
    if (index < surplus || (days !== undefined && files.at <= now - days * dayMs))
      old.push({ runID, ...files });
  }
  return old;
}

/** Deletes the files of these runs. What no longer exists is no error. */
export async function deleteRuns(home: string, runs: readonly Pick<OldRun, 'runID'>[]): Promise<void> {
  for (const { runID } of runs) await rm(join(home, runFolder, runID), { recursive: true, force: true });
}

/** Prunes once a day until the signal aborts, then resolves; the first round is the caller's. One that fails is logged. */
export function keepRunRetention(
  home: string,
  { clock, log, ...retention }: RunRetention & { clock: Clock; log: Log },
  signal: AbortSignal,
): Promise<void> {
  return every({ clock, firstMs: dayMs, ms: dayMs, signal }, () =>
    pruneRuns(home, { ...retention, clock, log }),
  );
}

/** One round; a failure is logged, since no run waits for it. */
export async function pruneRuns(
  home: string,
  { clock, log, ...retention }: RunRetention & { clock: Clock; log: Log },
): Promise<void> {
  try {
    const old = await oldRuns(home, { ...retention, now: clock.now() });
    await deleteRuns(home, old);
    if (old.length > 0) log.info({ runs: old.length }, 'files of runs beyond their retention were deleted');
  } catch (error) {
    log.error({ words: errorMessage(error) }, 'the files of runs could not be pruned');
  }
}

async function filesOf(folder: string): Promise<{ bytes: number; at: number }> {
  let bytes = 0;
  let at = 0;
  for (const name of await entriesOf(folder, 'recursive')) {
    const found = await stat(join(folder, name)).catch(() => undefined); // deleted since it was listed
    if (found?.isFile() !== true) continue;
    bytes += found.size;
    at = Math.max(at, Math.floor(found.mtimeMs));
  }
  return { bytes, at };
}

async function entriesOf(folder: string, how: 'flat' | 'recursive' = 'flat'): Promise<string[]> {
  try {
    return await readdir(folder, { recursive: how === 'recursive' });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
