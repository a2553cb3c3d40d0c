// Events as an async iterable that reconnects by itself, from where it was, without gaps or duplicates.
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { type EngineEvent, endOfEvents, isEndOfRun } from '#engine/wire/events/event.ts';
import { ParleyClientError, type Query, type Send } from './request.ts';

export interface StreamOptions {
  sessionID?: string | undefined;
  runID?: string | undefined;
  /** Goes on after this durable event. */
  afterSeq?: number | undefined;
  /** Milliseconds, 0 to 1,000, within which events that follow one come together: less work for both sides. 0, each at once, when absent. */
  gatherMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

const firstPauseMs = 250;
const longestPauseMs = 10_000;
/** Two heartbeats and a little: a stream that is silent for longer is dead. */
const silenceMs = 25_000;

/**
 * The events, as they happen. Of a run: from its first event to its end, where the iteration ends; where its process died, to the end of
 * the run that goes on, and it waits for that one until the session goes on without it. Otherwise until the signal aborts. A lost connection is made again, and each piece of text comes once: what was written during the gap comes as
 * one. What the engine refuses is thrown as a ParleyClientError.
 */
export async function* streamEvents(send: Send, options: StreamOptions): AsyncGenerator<EngineEvent> {
  const { sessionID, runID, gatherMs, signal } = options;
  const query = { sessionID, runID, gather_ms: gatherMs };
  let after = options.afterSeq;
  let failures = 0;
  const newIn = createPieces();
  let isOver = false;
  const onEnd = (): void => {
    isOver = runID !== undefined;
  };
  const left = (): boolean => isOver || signal?.aborted === true;
  while (!left()) {
    try {
      for await (const event of readEvents(send, { query, after, signal, onEnd })) {
        failures = 0;
        const { seq } = event.envelope;
        if (seq !== null && after !== undefined && seq <= after) continue;
        if (seq !== null) after = seq;
        const piece = newIn(event);
        if (piece !== undefined) yield piece;
        if (runID !== undefined && isEndOfRun(event)) return;
      }
    } catch (error) {
      if (left()) return;
      if (error instanceof ParleyClientError && !error.retryable) throw error;
    }
    failures += 1;
    await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1)), signal);
  }
}

/** Lets each piece of a part through once: of a piece that repeats what came before, only what is new; undefined when nothing is. */
function createPieces(): (event: EngineEvent) => EngineEvent | undefined {
  const offsets = new Map<string, number>();
  return (event) => {
    if (event.type !== 'message.part.updated') return event;
    const { part, delta, offset } = event.properties;
    if (delta === undefined || offset === undefined) {
      offsets.delete(part.id);
      return event;
    }
    const known = offsets.get(part.id) ?? 0;
    const until = offset + delta.length;
    if (until <= known) return undefined;
    offsets.set(part.id, until);
    if (known <= offset) return event;
    const rest = { delta: delta.slice(known - offset), offset: known };
    return { ...event, properties: { ...event.properties, ...rest } };
  };
}

/**
 * One connection's events after the durable one `after`, to its end. A connection that brings nothing for 25 s, counted from
 * the request on, ends with a TimeoutError: a half-open one would never answer at all.
 */
export async function* readEvents(
  send: Send,
  {
    query,
    after,
    signal,
    onEnd = () => {},
  }: {
    query: Query;
    after: number | undefined;
    signal: AbortSignal | undefined;
    /** The engine says that no event follows. */
    onEnd?: (() => void) | undefined;
  },
): AsyncGenerator<EngineEvent> {
  const dead = new AbortController();
  const headers = after === undefined ? {} : { 'last-event-id': String(after) };
  const end = (): void => dead.abort(signal?.reason);
  if (signal?.aborted === true) end();
  else signal?.addEventListener('abort', end, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    const silent = (): void =>
      dead.abort(new DOMException('The stream of events is silent.', 'TimeoutError'));
    if (!dead.signal.aborted) timer = setTimeout(silent, silenceMs);
  };
  const received = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      wait();
      controller.enqueue(chunk);
    },
  });
  const onComment = (comment: string): void => {
    if (comment.trim() === endOfEvents) onEnd();
  };
  try {
    wait();
    const response = await send('/event', { query, headers, signal: dead.signal, timedOut: true });
    if (response.body === null) return;
    const frames = response.body
      .pipeThrough(received)
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onComment }));
    for await (const { event, data } of frames) {
      const parsed: unknown = JSON.parse(data);
      if (event === 'error') throw new ParleyClientError(503, parsed as Record<string, unknown>); // the error envelope
      yield parsed as EngineEvent; // the engine's own frame
    }
  } finally {
    signal?.removeEventListener('abort', end);
    dead.abort();
    clearTimeout(timer);
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done, { once: true });
  });
}
