// One stream of events for all who listen in a process: each gets their session's, from what is being written now.
import { ParleyError } from '#base/errors.ts';
import type { EngineEvent, EventEnvelope } from '#engine/wire/events/event.ts';
import { withPiece } from '#engine/wire/runs/text-deltas.ts';

interface EventHub {
  /** A connection has begun, which reports again what is being written. */
  begin(): void;
  /** Passes an event on. */
  notify(event: EngineEvent): void;
  /**
   * Events of the session or run, or all, until the signal aborts; first what is being written, each part as one piece.
   * A reader that falls too far behind is given what was queued for it and then a ParleyError `subscriber_overflow`.
   */
  listen(
    filter: { sessionID?: string | undefined; runID?: string | undefined },
    signal: AbortSignal,
  ): AsyncIterable<EngineEvent>;
}

type Piece = Extract<EngineEvent, { type: 'message.part.updated' }>;

interface Listener {
  sessionID: string | undefined;
  runID: string | undefined;
  held: EngineEvent[];
  wake: () => void;
}

/** A listener this far behind has stopped reading. */
const maxHeld = 10_000;

function overflowed(): ParleyError {
  return new ParleyError('subscriber_overflow', `This reader of events was ${maxHeld} events behind.`);
}

/** A hub without listeners. What it holds of parts is dropped with the end of their run. */
export function createEventHub(): EventHub {
  const listeners = new Set<Listener>();
  const unfinished = new Map<string, Piece>();

  const drop = (over: (of: EventEnvelope) => boolean): void => {
    for (const [id, { envelope }] of unfinished) if (over(envelope)) unfinished.delete(id);
  };
  /** Keeps what is being written; a piece after a gap is not kept, since its beginning is unknown. */
  const note = (event: EngineEvent): void => {
    if (event.type === 'session.run.finished') drop(({ run_id }) => run_id === event.properties.runID);
    if (event.type === 'session.deleted') drop(({ session_id }) => session_id === event.properties.sessionID);
    if (event.type !== 'message.part.updated') return;
    const { part, delta, offset } = event.properties;
    if (delta === undefined) unfinished.delete(part.id);
    if (delta === undefined || offset === undefined) return;
    const whole = withPiece(unfinished.get(part.id)?.properties.delta ?? '', { delta, offset });
    if (whole !== undefined)
      unfinished.set(part.id, { ...event, properties: { ...event.properties, delta: whole, offset: 0 } });
  };
  const fits = ({ sessionID, runID }: Listener, { envelope }: EngineEvent): boolean =>
    (sessionID === undefined || envelope.session_id === sessionID) &&
    (runID === undefined || envelope.run_id === runID);

  return {
    begin: () => unfinished.clear(),
    notify(event) {
      note(event);
      for (const listener of listeners) {
        if (!fits(listener, event)) continue;
        if (listener.held.length >= maxHeld) listeners.delete(listener);
        else listener.held.push(event);
        listener.wake();
      }
    },
    listen(filter, signal) {
      const listener: Listener = {
        sessionID: filter.sessionID,
        runID: filter.runID,
        held: [],
        wake: () => {},
      };
      for (const piece of unfinished.values()) if (fits(listener, piece)) listener.held.push(piece);
      listeners.add(listener);
      const end = (): void => {
        listeners.delete(listener);
        listener.wake();
      };
      if (signal.aborted) end();
      signal.addEventListener('abort', end, { once: true });
      async function* read(): AsyncGenerator<EngineEvent> {
        try {
          while (!signal.aborted) {
            const event = listener.held.shift();
            if (event !== undefined) yield event;
            else if (!listeners.has(listener)) throw overflowed();
            else
              await new Promise<void>((resolve) => {
                listener.wake = resolve;
              });
          }
        } finally {
          signal.removeEventListener('abort', end);
          end();
        }
      }
      return read();
    },
  };
}
