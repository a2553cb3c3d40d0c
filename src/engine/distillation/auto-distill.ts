// Conversations distilled on their own once they have been silent for a while. Off unless configured; what is found in them is in distill.ts.

import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import type { Log } from '#base/log/log.ts';
import { every } from '#base/waiting/async.ts';
import type { MemoryDistill, MemoryDistilled } from '#engine/wire/memory/memory-context.ts';
import type { DistillRows } from './distill-rows.ts';

export interface AutoDistilSettings {
  /** A conversation is distilled when it was silent for so long, in milliseconds. */
  silentMs: number;
}

export interface AutoDistil {
  /** Ends it, after the conversation that it is at. */
  close(): Promise<void>;
}

/** The least time between two looks for what is due, in milliseconds. */
const lookMs = 60_000;
/** What was written longer ago is left alone, so that switching it on does not read years. */
const oldestMs = 7 * 24 * 3_600_000;

/**
 * Looks every minute. What is due stands in the database, and is done only when its facts are stored: after a failure or a restart it is
 * distilled again, and a fact that is there already is not stored twice.
 */
export function createAutoDistil(options: {
  rows: DistillRows;
  distill(request: MemoryDistill, how: { evidence: 'needed' }): Promise<MemoryDistilled>;
  settings: AutoDistilSettings | undefined;
  clock: Clock;
  log: Log;
}): AutoDistil {
  const { rows, distill, settings, clock, log } = options;
  const closing = new AbortController();
  const one = async (sessionID: string): Promise<void> => {
    const request = { session_id: sessionID, conversation: [], artifact_refs: [], importance_threshold: 0.5 };
    const { status, stored_count: stored } = await distill(request, { evidence: 'needed' });
    log.info({ sessionID, status, stored }, 'a conversation was distilled');
  };
  const look = async (silentMs: number): Promise<void> => {
    const now = clock.now();
    for (const session of rows.due({ from: now - oldestMs, until: now - silentMs })) {
      if (closing.signal.aborted) break;
      try {
        await one(session.sessionID);
        rows.done(session, clock.now());
      } catch (error) {
        log.warn(
          { sessionID: session.sessionID, error: errorMessage(error) },
          'a conversation waits to be distilled',
        );
        if (isDiskFailure(error)) break; // what the disk refuses once, it refuses for all
      }
    }
  };
  const run = (silentMs: number): Promise<void> => {
    const ms = Math.min(lookMs, silentMs);
    return every({ clock, firstMs: ms, ms, signal: closing.signal }, () => look(silentMs)).catch(
      (error: unknown) => log.error({ error: errorMessage(error) }, 'nothing is distilled any more'),
    );
  };
  const running = settings === undefined ? undefined : run(settings.silentMs);
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}
