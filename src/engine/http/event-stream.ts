// A sequence of events as server-sent events: frames, heartbeat and end. Not which events, and not HTTP.
import type { Clock } from '#base/clock.ts';
import type { EngineEvent } from '#engine/wire/event.ts';

/** Silence never lasts longer than this, so that proxies and clients can tell a quiet stream from a dead one. */
export const heartbeatMs = 10_000;

export interface EventStreamOptions {
  /** Sent first, once `events` has been asked for its first event: who reads them is subscribed. */
  greeting: readonly EngineEvent[];
  /** Called once; what it returns must end when the signal aborts. */
  events: (signal: AbortSignal) => AsyncIterable<EngineEvent>;
  /** True for events that are read but not sent. */
  skip: (event: EngineEvent) => boolean;
  /** True for the event after which the stream ends. */
  isLast: (event: EngineEvent) => boolean;
  /** The error envelope for what `events` threw; sent as an `error` frame before the end. */
  failure: (error: unknown) => Record<string, unknown>;
  clock: Clock;
  /** The client went away, or the server closes. */
  signals: readonly (AbortSignal | undefined)[];
}

/**
 * The events as a byte stream of SSE frames: `id:` for durable events, `data:` with the JSON of every event, a comment
 * as heartbeat. It waits for a slow reader (the bound is the engine's subscriber queue) and unsubscribes when it ends,
 * when the reader cancels and when a signal aborts.
 */
export function eventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const frames = new TextEncoderStream();
  const writer = frames.writable.getWriter();
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of options.signals) {
    if (signal?.aborted === true) end();
    signal?.addEventListener('abort', end, { once: true });
  }
  const release = () => {
    end();
    for (const signal of options.signals) signal?.removeEventListener('abort', end);
  };
  // `closed` settles when the stream was closed by us or cancelled by its reader; both are its end.
  writer.closed.then(release, release);
  pump(writer, options, stop).then(
    () => writer.close().catch(release),
    (error: unknown) => writer.abort(error).catch(release),
  );
  return frames.readable;
}

type Writer = WritableStreamDefaultWriter<string>;

async function pump(writer: Writer, options: EventStreamOptions, stop: AbortController): Promise<void> {
  const greeted = send(writer, options.greeting.map(frameOf).join(''));
  const told = tell(writer, options, stop.signal).finally(() => stop.abort());
  await Promise.all([greeted, told, beat(writer, options.clock, stop.signal)]);
}

async function tell(writer: Writer, options: EventStreamOptions, signal: AbortSignal): Promise<void> {
  try {
    for await (const event of options.events(signal)) {
      if (signal.aborted) return;
      if (!options.skip(event) && !(await send(writer, frameOf(event)))) return;
      if (options.isLast(event)) return;
    }
  } catch (error) {
    if (signal.aborted) return; // the stream has ended already; nobody is left to be told
    await send(writer, `event: error\ndata: ${JSON.stringify(options.failure(error))}\n\n`);
  }
}

/** Beats until the signal aborts; a reader that is behind gets no further beats. */
async function beat(writer: Writer, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await clock.sleep(heartbeatMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    if ((writer.desiredSize ?? 0) > 0) await send(writer, ': heartbeat\n\n');
  }
}

/** True when the reader took it, false when the reader has gone: writing fails for no other reason. */
function send(writer: Writer, text: string): Promise<boolean> {
  return writer.write(text).then(
    () => true,
    () => false,
  );
}

function frameOf(event: EngineEvent): string {
  const { seq } = event.envelope;
  return `${seq === null ? '' : `id: ${seq}\n`}data: ${JSON.stringify(event)}\n\n`;
}
