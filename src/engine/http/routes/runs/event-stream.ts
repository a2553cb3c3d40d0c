// A sequence of events as server-sent events: frames, heartbeat and end.
import type { Clock } from '#base/clock.ts';
import { every } from '#base/waiting/async.ts';
import { type EngineEvent, endOfEvents } from '#engine/wire/events/event.ts';

/** Silence never lasts longer than this, so that proxies and clients can tell a quiet stream from a dead one. */
const heartbeatMs = 10_000;

/** Frames of so many characters do not wait for more. */
const gatheredCharacters = 65_536;

interface EventStreamOptions {
  /** Sent first, once `events` has been asked for its first event: who reads them is subscribed. */
  greeting: readonly EngineEvent[];
  /** Called once; what it returns must end when the signal aborts. */
  events: (signal: AbortSignal) => AsyncIterable<EngineEvent>;
  /**
   * A frame goes at once; those that follow within so many milliseconds go in one write, which costs about as much as one frame. With 0 each
   * goes at once.
   */
  gatherMs: number;
  /** True for events that are read but not sent. */
  skip: (event: EngineEvent) => boolean;
  /** The error envelope for what `events` threw; sent as an `error` frame before the end. */
  failure: (error: unknown) => Record<string, unknown>;
  clock: Clock;
  /** Asked before anything is sent, and released at the end. */
  held: { isAllowed(): boolean; release(): void };
  /** The client went away, or the server closes. */
  signals: readonly (AbortSignal | undefined)[];
}

/**
 * The events as a byte stream of SSE frames: `id:` for durable events, `data:` with the JSON of every event, a comment
 * as heartbeat, and another one after the last event there will be. It waits for a slow reader (the bound is the engine's subscriber
 * queue) and unsubscribes when it ends, when the reader cancels and when a signal aborts.
 */
export function eventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of options.signals) {
    if (signal?.aborted === true) end();
    signal?.addEventListener('abort', end);
  }
  const release = () => {
    end();
    options.held.release();
    for (const signal of options.signals) signal?.removeEventListener('abort', end);
  };
  const outlet = createOutlet(stop.signal, options.gatherMs);
  // Written straight into the stream, without a transform in between: that would cost more than all the rest of a frame.
  return new ReadableStream<Uint8Array>({
    start(controller) {
      outlet.open(controller);
      pump(outlet, options, stop).then(
        () => {
          outlet.flush();
          if (!outlet.cancelled()) controller.close();
          release();
        },
        (error: unknown) => {
          if (!outlet.cancelled()) controller.error(error);
          release();
        },
      );
    },
    pull: outlet.pull,
    cancel() {
      outlet.cancel();
      release();
    },
  });
}

/** Where frames go: waits for a reader that is behind. */
interface Outlet {
  open(controller: ReadableStreamDefaultController<Uint8Array>): void;
  /** Sends frames, at once or gathered with those that follow. Resolves once the reader wants more; false when it has gone. */
  send(text: string): Promise<boolean>;
  /** Sends what was gathered at once. */
  flush(): void;
  /** True when the reader waits. */
  wanted(): boolean;
  pull(): void;
  cancel(): void;
  cancelled(): boolean;
}

function createOutlet(stopped: AbortSignal, gatherMs: number): Outlet {
  const encoder = new TextEncoder();
  let to: ReadableStreamDefaultController<Uint8Array> | undefined;
  let gone = false;
  let gathered = '';
  let gathering: NodeJS.Timeout | undefined;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };
  const wanted = (): boolean => (to?.desiredSize ?? 0) > 0;
  const flush = (): void => {
    clearTimeout(gathering);
    gathering = undefined;
    if (gathered === '' || gone) return;
    to?.enqueue(encoder.encode(gathered));
    gathered = '';
    if (gatherMs > 0) gathering = setTimeout(flush, gatherMs);
  };
  stopped.addEventListener('abort', wake);
  return {
    open(controller) {
      to = controller;
    },
    async send(text) {
      if (gone) return false;
      gathered += text;
      if (gathering === undefined || gathered.length > gatheredCharacters) flush();
      if (!wanted() && !stopped.aborted) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
      return !gone;
    },
    flush,
    wanted,
    pull: wake,
    cancel() {
      gone = true;
      clearTimeout(gathering);
      wake();
    },
    cancelled: () => gone,
  };
}

async function pump(outlet: Outlet, options: EventStreamOptions, stop: AbortController): Promise<void> {
  const greeted = outlet.send(options.greeting.map(frameOf).join(''));
  const notified = notify(outlet, options, stop.signal).finally(() => stop.abort());
  await Promise.all([greeted, notified, beat(outlet, options, stop)]);
}

async function notify(outlet: Outlet, options: EventStreamOptions, signal: AbortSignal): Promise<void> {
  try {
    for await (const event of options.events(signal)) {
      if (signal.aborted || !options.held.isAllowed()) return;
      if (!options.skip(event) && !(await outlet.send(frameOf(event)))) return;
    }
    if (!signal.aborted) await outlet.send(`: ${endOfEvents}\n\n`);
  } catch (error) {
    if (signal.aborted) return; // the stream has ended already; nobody reads it
    await outlet.send(`event: error\ndata: ${JSON.stringify(options.failure(error))}\n\n`);
  }
}

/** Beats until the signal aborts; a reader that is behind gets no further beats, and one that may not read any more an end. */
function beat(outlet: Outlet, { clock, held }: EventStreamOptions, stop: AbortController): Promise<void> {
  const { signal } = stop;
  return every({ clock, firstMs: heartbeatMs, ms: heartbeatMs, signal }, async () => {
    if (!held.isAllowed()) return stop.abort();
    if (outlet.wanted()) await outlet.send(': heartbeat\n\n');
  });
}

/** Written once for all readers of an event, as long as one of them has it. */
const frames = new WeakMap<EngineEvent, string>();

function frameOf(event: EngineEvent): string {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const { seq } = event.envelope;
  const frame = `${seq === null ? '' : `id: ${seq}\n`}data: ${JSON.stringify(event)}\n\n`;
  frames.set(event, frame);
  return frame;
}
