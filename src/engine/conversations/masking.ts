// Secrets in what was written and answered, masked where they are stored once the answer is delivered. The model has seen them in its turn. Not what secrets look like.

import { setImmediate } from 'node:timers/promises';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { type MaskText, remembering } from '#base/masked-value.ts';
import { emptyLog } from '#base/sqlite/empty-log.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { every } from '#base/waiting/async.ts';
import { createBatched } from '#base/waiting/batched.ts';
import type { RunFiles } from '#engine/run-files/run-files.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { Sessions } from '#engine/sessions/sessions.ts';
import { among, createRunMaskRows, type RunToMask } from './mask-rows.ts';

export interface Masking {
  start(): void;
  /** Something may be due. */
  nudge(): void;
  /** Masks what is due; what the disk refuses is masked by the next start. */
  close(): Promise<void>;
}

/** Runs that are looked at together, and written in one transaction: some milliseconds. */
const atOnce = 10;
/** What a person said stands as it was written for so long after its answer, in milliseconds; docs/security.md says so. */
const soonMs = 2_000;
/** Due runs are looked for so often, in milliseconds. */
const sweepMs = 60_000;
/** For this long, in milliseconds, a client may read what it asked for as it was written. */
const settledMs = 60_000;
/** An answer that nobody delivers, or a run that nobody begins again, is waited for so long, in milliseconds. */
const abandonedMs = 24 * 3600_000;

/** Once started it masks what is due, then soon after each nudge and once a minute; nothing without `mask`. */
export function createMasking(options: {
  database: Sqlite;
  tables: Pick<RunTables, 'events' | 'clock'>;
  sessions: Pick<Sessions, 'changed'>;
  runFiles: Pick<RunFiles, 'rewrite'>;
  mask: MaskText | undefined;
  log: Log;
}): Masking {
  const { tables, sessions, runFiles, mask, log } = options;
  const { events, clock } = tables;
  const rows = createRunMaskRows(options.database);
  const ending = new AbortController();

  /** Masks what one run has left; true where that was something. */
  const change = async (run: RunToMask, masker: MaskText): Promise<boolean> => {
    const changes = await rows.values.changes(among([run]), masker);
    if (changes.length === 0) return false;
    await runFiles.rewrite(run.runID, () =>
      events.together(() => {
        rows.values.write(changes);
        rows.done([run.runID], clock.now());
      }),
    );
    sessions.changed(JSON.parse(run.messageIDs));
    return true;
  };
  const some = async (after: number): Promise<number | undefined> => {
    const now = clock.now();
    const runs = rows.due({ settled: now - settledMs, abandoned: now - abandonedMs, after, limit: atOnce });
    if (runs.length === 0) return undefined;
    const masker = remembering(mask ?? (async (text) => text));
    const clean: string[] = [];
    let masked = 0;
    // most runs hold no secret: one look at all of them says so; where it fails, a look at each says whose fault it is
    const changes = await rows.values.changes(among(runs), masker).catch(() => undefined);
    if (changes?.length === 0) clean.push(...runs.map(({ runID }) => runID));
    else
      for (const run of runs) {
        try {
          if (await change(run, masker)) masked += 1;
          else clean.push(run.runID);
        } catch (error) {
          // it is tried again within a minute, and holds up no other
          log.error(
            { runID: run.runID, words: errorMessage(error) },
            'secrets in a run could not be masked yet',
          );
        }
        await setImmediate();
      }
    if (clean.length > 0) await events.together(() => rows.done(clean, clock.now()));
    if (masked > 0) {
      emptyLog(options.database);
      log.debug({ runs: masked }, 'secrets in runs were masked');
    }
    return runs.length < atOnce ? undefined : runs.at(-1)?.position;
  };
  const all = async (): Promise<void> => {
    try {
      for (let after: number | undefined = 0; after !== undefined; ) {
        after = await some(after);
        await setImmediate();
      }
    } catch (error) {
      log.error({ words: errorMessage(error) }, 'secrets in runs could not be masked');
    }
  };
  const batched = createBatched({ clock, ms: soonMs, work: all });
  const nudge = (): void => {
    if (mask !== undefined) batched.nudge();
  };
  let sweeping: Promise<void> | undefined;
  return {
    start() {
      if (mask !== undefined)
        sweeping ??= every({ clock, ms: sweepMs, signal: ending.signal }, batched.flush);
    },
    nudge,
    async close() {
      ending.abort();
      await sweeping;
      if (mask !== undefined) await batched.flush();
      await batched.stop();
    },
  };
}
