// Long conversations are summarized once they have been silent for a while, before they are next needed. Off unless configured.
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import type { Log } from '#base/log/log.ts';
import { every } from '#base/waiting/async.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { Summaries } from './summaries.ts';

export interface IdleCompaction {
  start(): void;
  /** Ends it, after the conversation that it is at. */
  close(): Promise<void>;
}

/** How often it is looked for conversations that have become silent, in milliseconds. */
const lookMs = 60_000;
/** A start looks back so far: what was written before is left until it is used again. */
const oldestMs = 7 * 24 * 3_600_000;

/**
 * Looks every minute at the conversations that have become silent since the last look; the first look after a start is at those of a week.
 * One that is summarized already is found short and left as it is, so that nothing has to be noted.
 */
export function createIdleCompaction(options: {
  tables: RunTables;
  summaries: Pick<Summaries, 'compactIdle'>;
  /** Milliseconds of silence after which a conversation is summarized; never when undefined. */
  afterMs: number | undefined;
  clock: Clock;
  log: Log;
}): IdleCompaction {
  const { tables, summaries, afterMs, clock, log } = options;
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  /** Up to when conversations have been looked at, by the time of their last word. */
  let lookedUntil = 0;

  const one = async (sessionID: string): Promise<void> => {
    if (tables.runs.running(sessionID) !== undefined) return; // the end of its run makes it silent anew
    try {
      const isMade = await summaries.compactIdle(sessionID);
      if (isMade) log.info({ sessionID }, 'a silent conversation was summarized');
    } catch (error) {
      if (isDiskFailure(error)) throw error;
      if (!closing.signal.aborted)
        log.warn({ sessionID, error: errorMessage(error) }, 'a silent conversation could not be summarized');
    }
  };
  const look = async (silentMs: number): Promise<void> => {
    const until = clock.now() - silentMs;
    const after = Math.max(lookedUntil, until - oldestMs);
    if (until <= after) return;
    for (const sessionID of tables.conversation.sessions.lastWrittenIn({ after, until })) {
      if (closing.signal.aborted) return;
      await one(sessionID);
    }
    lookedUntil = until;
  };
  return {
    start() {
      if (afterMs === undefined) return;
      running ??= every({ clock, firstMs: lookMs, ms: lookMs, signal: closing.signal }, () =>
        look(afterMs).catch((error: unknown) => {
          log.warn({ error: errorMessage(error) }, 'silent conversations are looked at again in a minute');
        }),
      );
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}
