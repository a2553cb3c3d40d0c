// Secrets in what was written and answered, masked where they are stored once the answer is delivered. The model has seen them in their turn. Not their forms.

import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { type MaskText, remembering } from '#base/masked-value.ts';
import { emptyLog } from '#base/sqlite/empty-log.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { MaskedColumn } from '#base/sqlite/stored-values.ts';
import { every } from '#base/waiting/async.ts';
import { yieldToEventLoop } from '#base/waiting/yield-to-event-loop.ts';
import type { RunFiles } from '#engine/run-files/run-files.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { Sessions } from '#engine/sessions/sessions.ts';
import { createRunMaskRows, type RunToMask } from './mask-rows.ts';

export interface Masking {
  start(): void;
  /** Something may be due. */
  nudge(): void;
  /** Resolves when nothing that is due is left unmasked, or the disk refused it. */
  settled(): Promise<void>;
  /** Stops after the run in progress; what is left is masked by the next start. */
  close(): Promise<void>;
}

/** Runs that are looked at in a row, and written in one transaction. */
const atOnce = 20;
/** Due runs are looked for so often, in milliseconds. */
const sweepMs = 60_000;
/** A client may read what it asked for as it was written for so long, in milliseconds. */
const settledMs = 60_000;
/** An answer that nobody delivers, or a run that nobody begins again, is waited for so long, in milliseconds. */
const abandonedMs = 24 * 3600_000;

/** Once started it masks what is due, then whenever it is nudged and once a minute; nothing without `mask`. */
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
  let underWay: Promise<void> | undefined;
  let isNudged = false;

  const change = async (run: RunToMask, changes: readonly MaskedColumn[]): Promise<void> => {
    await runFiles.rewrite(run.runID, () =>
      events.together(() => {
        rows.values.write(changes);
        rows.done(run.runID, clock.now());
      }),
    );
    sessions.changed(JSON.parse(run.messageIDs));
  };
  const some = async (after: number): Promise<number | undefined> => {
    const now = clock.now();
    const runs = rows.due({ settled: now - settledMs, abandoned: now - abandonedMs, after, limit: atOnce });
    if (runs.length === 0) return undefined;
    const masker = remembering(mask ?? (async (text) => text));
    const clean: RunToMask[] = [];
    let masked = 0;
    for (const run of runs) {
      if (ending.signal.aborted) return undefined;
      try {
        const changes = await rows.values.changes(run, masker);
        if (changes.length === 0) clean.push(run);
        else {
          await change(run, changes);
          masked += 1;
        }
      } catch (error) {
        // it is tried again within a minute, and holds up no other
        log.error(
          { runID: run.runID, words: errorMessage(error) },
          'secrets in a run could not be masked yet',
        );
      }
      await yieldToEventLoop();
    }
    if (clean.length > 0)
      await events.together(() => {
        for (const { runID } of clean) rows.done(runID, clock.now());
      });
    if (masked > 0) {
      emptyLog(options.database);
      log.debug({ runs: masked }, 'secrets in runs were masked');
    }
    return runs.length < atOnce ? undefined : runs.at(-1)?.position;
  };
  const all = async (): Promise<void> => {
    do {
      isNudged = false;
      for (let after: number | undefined = 0; after !== undefined && !ending.signal.aborted; )
        after = await some(after);
    } while (isNudged && !ending.signal.aborted);
  };
  const nudge = (): void => {
    isNudged = true;
    if (ending.signal.aborted || mask === undefined) return;
    underWay ??= all()
      .catch((error: unknown) =>
        log.error({ words: errorMessage(error) }, 'secrets in runs could not be masked yet'),
      )
      .finally(() => {
        underWay = undefined;
      });
  };
  let sweeping: Promise<void> | undefined;
  return {
    start() {
      if (mask !== undefined) sweeping ??= every({ clock, ms: sweepMs, signal: ending.signal }, nudge);
    },
    nudge,
    settled: async () => underWay,
    async close() {
      ending.abort();
      await Promise.all([sweeping, underWay]);
    },
  };
}
