// The one way events come into the world: committed with the facts that they tell, then passed on. Not SSE.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Sqlite } from '#base/sqlite.ts';
import { type EngineEvent, isDurable } from '#engine/wire/event.ts';
import { createEventStore, type EventDraft, type EventFilter } from './event-store.ts';
import { createSubscriber, type Subscriber } from './subscriber.ts';

export type RecordEvent = (draft: EventDraft) => void;

export interface EventLog {
  /**
   * Runs `work` in one immediate transaction. Events that it records are committed with it (durable ones) and passed on
   * after it, in order; when it throws, nothing has happened. A commit inside a commit joins the outer one.
   */
  commit<T>(work: (record: RecordEvent) => T): T;
  /** Passes an event on without keeping it. */
  live(draft: EventDraft): void;
  /** Listens from the moment of the call; the iterable can be read once. */
  subscribe(
    filter: EventFilter & { afterSeq?: number | undefined },
    signal: AbortSignal,
  ): AsyncIterable<EngineEvent>;
  /** Ends every subscription. */
  close(): void;
}

const replayPage = 256;

/** A log over a database with `eventSchema`; `capacity` bounds what is kept for one slow reader. */
export function createEventLog(options: {
  database: Sqlite;
  newId: NewId;
  clock: Clock;
  capacity: number;
}): EventLog {
  const store = createEventStore(options);
  const subscribers = new Set<Subscriber>();
  let open: EngineEvent[] | undefined;
  let closed = false;

  const pass = (event: EngineEvent): void => {
    for (const subscriber of subscribers) {
      if (!subscriber.offer(event)) subscribers.delete(subscriber);
    }
  };
  const record: RecordEvent = (draft) => {
    open?.push(isDurable(draft) ? store.append(draft) : store.live(draft));
  };
  const transaction = options.database.transaction((work: () => void) => work());

  return {
    commit<T>(work: (record: RecordEvent) => T): T {
      if (open !== undefined) return work(record);
      const recorded: EngineEvent[] = [];
      const result: T[] = [];
      open = recorded;
      try {
        transaction.immediate(() => {
          result.push(work(record));
        });
      } finally {
        open = undefined;
      }
      recorded.forEach(pass);
      return result[0] as T; // the transaction ran `work` exactly once, or threw
    },
    live: (draft) => pass(store.live(draft)),
    subscribe({ afterSeq, ...filter }, signal) {
      const subscriber = createSubscriber(filter, options.capacity);
      // From here on live events are kept, and everything up to `untilSeq` is in the table: no gap, no doubling.
      const untilSeq = store.lastSeq();
      subscribers.add(subscriber);
      const leave = (): void => {
        subscribers.delete(subscriber);
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
    close() {
      closed = true;
      for (const subscriber of subscribers) subscriber.end();
      subscribers.clear();
    },
  };
}
