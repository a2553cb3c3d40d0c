// Subscriptions to events: earlier events are read from the table, new ones are passed on. How events are committed is in event-log.ts.
import type { EngineEvent } from '#engine/wire/events/event.ts';
import type { EventDraft, EventFilter, EventStore } from './event-store.ts';
import { createSubscriber, type Subscriber } from './subscriber.ts';

export interface Subscriptions {
  /** Listens from the moment of the call; live events of `first` come before what happens then. The iterable can be read once. */
  subscribe(
    filter: EventFilter & { afterSeq?: number | undefined; first?: readonly EventDraft[] | undefined },
    signal: AbortSignal,
  ): AsyncIterable<EngineEvent>;
  /** Passes an event to all who listen to its session, or to everything. */
  pass(event: EngineEvent): void;
  /** Ends every subscription. */
  close(): void;
}

const replayPage = 256;

/** Nobody listens at first. `lastSeq` gives the position of the last event that is committed; `capacity` is of one reader. */
export function createSubscriptions({
  store,
  capacity,
  lastSeq,
}: {
  store: Pick<EventStore, 'live' | 'page'>;
  capacity: number;
  lastSeq: () => number;
}): Subscriptions {
  /** By the session they listen to; those of all sessions under null. */
  const subscribers = new Map<string | null, Set<Subscriber>>();
  let closed = false;

  const forget = (key: string | null, subscriber: Subscriber): void => {
    const others = subscribers.get(key);
    others?.delete(subscriber);
    if (others?.size === 0) subscribers.delete(key);
  };
  const passTo = (key: string | null, event: EngineEvent): void => {
    for (const subscriber of subscribers.get(key) ?? []) {
      if (!subscriber.offer(event)) forget(key, subscriber);
    }
  };

  return {
    subscribe({ afterSeq, first = [], ...filter }, signal) {
      const subscriber = createSubscriber(filter, capacity);
      // From here on live events are queued, and everything up to `untilSeq` is in the table: no gap, no duplicate.
      const untilSeq = lastSeq();
      for (const draft of first) subscriber.offer(store.live(draft));
      const key = filter.sessionID ?? null;
      const others = subscribers.get(key) ?? new Set();
      subscribers.set(key, others.add(subscriber));
      const leave = (): void => {
        forget(key, subscriber);
        subscriber.end();
      };
      if (closed || signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });

      async function* read(): AsyncGenerator<EngineEvent> {
        try {
          for (let after = afterSeq ?? untilSeq; after < untilSeq; ) {
            const page = store.page({ afterSeq: after, untilSeq, limit: replayPage }, filter);
            for (const event of page) {
              if (signal.aborted || closed) return;
              yield event;
            }
            after = page.length < replayPage ? untilSeq : (page.at(-1)?.envelope.seq ?? untilSeq);
          }
          for (let event = await subscriber.next(); event !== undefined; event = await subscriber.next()) {
            yield event;
          }
        } finally {
          signal.removeEventListener('abort', leave);
          leave();
        }
      }
      return read();
    },
    pass(event) {
      passTo(null, event);
      if (event.envelope.session_id !== null) passTo(event.envelope.session_id, event);
    },
    close() {
      closed = true;
      for (const listening of subscribers.values()) for (const subscriber of listening) subscriber.end();
      subscribers.clear();
    },
  };
}
