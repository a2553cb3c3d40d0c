// Resumes the gateway session that an earlier connection left, for the messages that came since: Discord lists no direct messages to a
// bot, so that a first one is found in no other way. Begins no session, and reads no messages.

import { WebSocket } from 'ws';
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { tryJson } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';
import { every } from '#base/waiting/async.ts';
import type { Shard } from './sharding.ts';

/** A session that does not catch up for so long is given up, in milliseconds: nothing new comes in until then. */
const giveUpMs = 10_000;

const op = { dispatch: 0, heartbeat: 1, resume: 6, hello: 10, ack: 11 } as const;
const payload = z.looseObject({ op: z.int(), s: z.int().nullish(), t: z.string().nullish(), d: z.unknown() });
const hello = z.looseObject({ heartbeat_interval: z.number().min(1) });
const noteSchema = z.object({ id: z.string(), url: z.url(), seq: z.int(), of: z.int() });

/** A session: its id, where it is resumed, the last dispatch whose message was taken in, and the number of shards. */
export type SessionNote = z.infer<typeof noteSchema>;

/** The cursor under which a shard's session is noted. */
export function sessionCursor({ id }: Shard): string {
  return `session:${id}`;
}

/** A note as it was written; undefined when there is none, or one of another number of shards. */
export function parseNote(text: string | undefined, shard: Shard): SessionNote | undefined {
  const read = noteSchema.safeParse(tryJson(text ?? ''));
  return read.success && read.data.of === shard.of ? read.data : undefined;
}

export interface EarlierSession {
  /** Ends the connection at once. Discord keeps the session for some minutes, so that a process after this one can resume it. */
  end(): void;
}

interface ResumeEarlier {
  note: SessionNote;
  token: string;
  clock: Clock;
  log: Log;
  /** Takes each dispatch that came since. */
  packet(packet: unknown): void;
}

/**
 * Resolves once everything that came since was passed on, or that is given up; what comes afterwards is passed on until the end.
 * Rejects when the signal aborts.
 */
export async function resumeEarlier(options: ResumeEarlier, signal: AbortSignal): Promise<EarlierSession> {
  const { note, token, clock, log } = options;
  signal.throwIfAborted();
  const caughtUp = Promise.withResolvers<string>();
  const over = new AbortController();
  const socket = new WebSocket(`${note.url}?v=10&encoding=json`);
  let { seq } = note;
  let count = 0;
  const end = (): void => {
    over.abort();
    socket.terminate();
  };
  const send = (code: number, data: unknown): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ op: code, d: data }));
  };
  const beat = (ms: number): void =>
    void every({ clock, firstMs: ms, ms, signal: over.signal }, () => send(op.heartbeat, seq));
  const onPayload = ({ op: code, s, t, d }: z.infer<typeof payload>): void => {
    switch (code) {
      case op.hello:
        send(op.resume, { token, session_id: note.id, seq });
        beat(hello.parse(d).heartbeat_interval);
        return;
      case op.heartbeat:
        send(op.heartbeat, seq);
        return;
      case op.ack:
        return;
      case op.dispatch:
        seq = s ?? seq;
        if (t === 'RESUMED') caughtUp.resolve('resumed');
        else {
          count += 1;
          options.packet({ t, d });
        }
        return;
      default:
        // an invalid session, or a request to connect again: whatever is left is fetched from the histories of the chats
        caughtUp.resolve('over');
        end();
    }
  };
  socket.on('error', () => caughtUp.resolve('not reached'));
  socket.on('close', () => caughtUp.resolve('closed'));
  socket.on('message', (raw) => {
    const read = over.signal.aborted ? undefined : payload.safeParse(tryJson(raw.toString()));
    if (read?.success === true) onPayload(read.data);
  });
  const timeout = clock.sleep(giveUpMs, AbortSignal.any([signal, over.signal])).then(
    () => 'no answer',
    () => 'ended',
  );
  const outcome = await Promise.race([caughtUp.promise, timeout]);
  if (outcome !== 'resumed') end();
  signal.throwIfAborted();
  log.debug({ outcome, dispatches: count }, 'the session of an earlier connection');
  return { end };
}
