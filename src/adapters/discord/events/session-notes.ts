// Notes the gateway session of a shard in the ledger, with the last dispatch before which every message was taken in.

import { z } from 'zod';
import { type SessionNote, sessionCursor } from '#adapters/discord/shards/earlier-session.ts';
import type { Shard } from '#adapters/discord/shards/sharding.ts';
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { createWaker, isAbort } from '#base/waiting/async.ts';
import type { EventLanes } from './lanes.ts';

/** How far a note may be behind, in milliseconds: what is resumed twice is passed over. */
const everyMs = 5000;

const begun = z.looseObject({ session_id: z.string(), resume_gateway_url: z.string() });

interface SessionNotes {
  /** A session begins, with the data of its READY. Nothing is noted of it before `ready`. */
  begin(data: unknown, seq: number): void;
  /** A dispatch came, and what it brought is in its lane. */
  seen(seq: number): void;
  /** What an earlier session brought is in the lanes. */
  ready(): void;
  /** Resolves soon after the signal's abort. */
  over: Promise<void>;
}

interface SessionNotesOptions {
  sink: Pick<Sink, 'advance'>;
  lanes: EventLanes;
  shard: Shard;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}

/** Notes every 5 s how far a session was received, so that the next process can resume it. */
export function createSessionNotes({
  sink,
  lanes,
  shard,
  clock,
  log,
  signal,
}: SessionNotesOptions): SessionNotes {
  const waker = createWaker();
  let state: 'begun' | 'ready' = 'begun';
  let note: SessionNote | undefined;
  let written = '';

  const write = async (): Promise<void> => {
    const value = JSON.stringify(note);
    if (state !== 'ready' || value === undefined || value === written) return;
    await lanes.idle();
    signal.throwIfAborted();
    await sink.advance({ name: sessionCursor(shard), value });
    written = value;
  };
  const run = async (): Promise<void> => {
    for (;;) {
      await waker.wait(clock, everyMs, signal);
      await write().catch((error: unknown) => {
        if (isAbort(error, signal)) throw error;
        log.warn({ shard: shard.id, error: errorMessage(error) }, 'the discord session was not noted');
      });
    }
  };
  return {
    begin(data, seq) {
      state = 'begun';
      const read = begun.safeParse(data);
      note = read.success
        ? { id: read.data.session_id, url: read.data.resume_gateway_url, seq, of: shard.of }
        : undefined;
    },
    seen(seq) {
      if (note !== undefined) note = { ...note, seq };
    },
    ready() {
      state = 'ready';
      waker.wake();
    },
    over: run().catch((error: unknown) => {
      if (!isAbort(error, signal)) throw error;
    }),
  };
}
