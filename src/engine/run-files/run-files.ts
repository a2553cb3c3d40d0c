// The files of runs, written as the runs go: a projection of their durable events that catches up after a crash. Not replay.

import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage, hintOf, ParleyError } from '#base/errors.ts';
import { storageHint } from '#base/files/disk-failures.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs } from '#base/waiting/async.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { runFolder } from './run-folder.ts';
import { createRunWriter } from './run-writer.ts';

export interface RunFiles {
  /** Something durable has happened in a run: its files follow soon. */
  noticed(event: EngineEvent): void;
  /** Looks at the files of the run once they have everything that has happened in it, and before anything more is written. */
  look<T>(runID: string, work: () => Promise<T>): Promise<T>;
  remove(runIDs: readonly string[]): Promise<void>;
  /** Removes the files, changes the events that they are made of, and writes them again; a run whose files no longer exist gets none. */
  rewrite(runID: string, change: () => Promise<void>): Promise<void>;
  settled(): Promise<void>;
}

/** What happens within this time is written together: most short runs are written once, when they are over. */
const togetherMs = 1_500;
/** Between two attempts to write what could not be written. */
const retry = { firstMs: 1_000, capMs: 60_000 };

/**
 * The files under `home`, fed from the event log. What a disk, or a system with too few file handles, refuses is logged and listed among the
 * problems until it is written: it is tried again, and the runs themselves do not wait for it.
 */
export function createRunFiles(options: {
  home: string;
  events: EventLog;
  clock: Clock;
  problems: ActiveProblems;
  log: Log;
}): RunFiles {
  const { home, events, clock, problems, log } = options;
  const place = join(home, runFolder);
  const files = createRunWriter({ home, events });
  const queues = new Map<string, Promise<void>>();
  /** Runs whose files follow in a moment. */
  const soon = new Map<string, NodeJS.Timeout>();
  /** Runs whose files could not be written. */
  const behind = new Set<string>();
  const closed = new AbortController();
  let retrying: Promise<void> | undefined;

  const written = (runID: string): void => {
    behind.delete(runID);
    if (behind.size === 0) problems.clear(place);
  };

  /** Until nothing is behind, or the program ends. */
  const catchUp = async (): Promise<void> => {
    for (let attempt = 1; behind.size > 0 && !closed.signal.aborted; attempt += 1) {
      await clock.sleep(backoffMs(attempt, retry), closed.signal).catch(() => undefined);
      // one after the other: each of them takes file handles
      for (const runID of closed.signal.aborted ? [] : [...behind]) await enqueue(runID);
    }
    retrying = undefined;
  };

  const notSoon = (runID: string): void => {
    clearTimeout(soon.get(runID));
    soon.delete(runID);
  };

  const enqueue = (runID: string): Promise<void> => {
    notSoon(runID);
    const before = queues.get(runID) ?? Promise.resolve();
    const next = before
      .then(() => setImmediate())
      .then(() => {
        // what has happened while it waited is written with it: of a run that ended, nothing would be known any more the next time
        notSoon(runID);
        return files.write(runID);
      })
      .then(() => written(runID))
      .catch((error: unknown) => {
        files.forget(runID); // what was kept in mind may be ahead of the files: they are read again
        log.error({ runID, error: errorMessage(error) }, 'the files of a run could not be written');
        behind.add(runID);
        problems.note(place, problemOf(place, error));
        retrying ??= catchUp();
      })
      .finally(() => {
        if (queues.get(runID) === next) queues.delete(runID);
      });
    queues.set(runID, next);
    return next;
  };

  const remove = async (runID: string): Promise<void> => {
    notSoon(runID);
    await queues.get(runID);
    files.forget(runID);
    written(runID);
    await rm(join(home, runFolder, runID), { recursive: true, force: true });
  };

  return {
    noticed({ type, envelope }) {
      const { run_id, seq } = envelope;
      if (run_id !== null && type === 'session.run.started') files.begun(run_id);
      if (run_id === null || seq === null || soon.has(run_id)) return;
      soon.set(
        run_id,
        setTimeout(() => void enqueue(run_id), togetherMs),
      );
    },
    async look(runID, work) {
      const looked = enqueue(runID).then(work);
      const over = looked.then(nothing, nothing);
      queues.set(runID, over);
      return looked.finally(() => {
        if (queues.get(runID) === over) queues.delete(runID);
      });
    },
    async remove(runIDs) {
      for (const runID of runIDs) await remove(runID);
    },
    async rewrite(runID, change) {
      const isPending = soon.has(runID);
      await queues.get(runID);
      const wasThere = isPending || existsSync(join(home, runFolder, runID));
      // first, so that a process that ends in between leaves no file with what was changed
      await remove(runID);
      await change();
      if (wasThere) await enqueue(runID);
    },
    async settled() {
      closed.abort();
      await retrying;
      for (const runID of [...soon.keys(), ...behind]) void enqueue(runID);
      await Promise.all(queues.values());
    },
  };
}

function nothing(): void {}

function problemOf(place: string, error: unknown): ParleyError {
  const why = errorMessage(error).replace(/\.$/, '');
  // a thread that could not be started says so only in its message
  const code = /\b(?:EMFILE|ENFILE)\b/.exec(why)?.[0] ?? codeOf(error);
  const words = `The files of runs in ${place} cannot be written: ${why}. The runs continue.`;
  return new ParleyError('run_files_unwritten', words, { hint: hintOf(error) ?? storageHint(code) });
}
