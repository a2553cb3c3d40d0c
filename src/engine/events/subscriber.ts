// One reader of the event stream, with its bounded buffer.
import { ParleyError } from '#base/errors.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import type { EventFilter } from './event-store.ts';

export interface Subscriber {
  /** Queues the event for the reader if the filter lets it through; false once nothing more is wanted. */
  offer(event: EngineEvent): boolean;
  /** The next event; undefined after the end. Throws `subscriber_overflow` after what was queued has been read. */
  next(): Promise<EngineEvent | undefined>;
  /** Ends at once; what was queued is dropped. */
  end(): void;
}

/** True when the event belongs to what the filter names; events of no session pass only an empty filter. */
function matches(filter: EventFilter, { envelope }: EngineEvent): boolean {
  if (filter.sessionID !== undefined && envelope.session_id !== filter.sessionID) return false;
  return filter.runID === undefined || envelope.run_id === filter.runID;
}

/** A reader that holds at most `capacity` events; the one that does not fit ends it, so that no gap goes unnoticed. */
export function createSubscriber(filter: EventFilter, capacity: number): Subscriber {
  let held: EngineEvent[] = [];
  let state: 'open' | 'overflowed' | 'ended' = 'open';
  let wake: (() => void) | undefined;
  return {
    offer(event) {
      if (state !== 'open') return false;
      if (!matches(filter, event)) return true;
      if (held.length >= capacity) state = 'overflowed';
      else held.push(event);
      wake?.();
      return state === 'open';
    },
    async next() {
      for (;;) {
        const event = held.shift();
        if (event !== undefined) return event;
        if (state === 'ended') return undefined;
        if (state === 'overflowed') {
          throw new ParleyError(
            'subscriber_overflow',
            `This reader of events was more than ${capacity} events behind and was cut off.`,
            { hint: 'Subscribe again with `afterSeq` set to the last sequence number that was read.' },
          );
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
    },
    end() {
      state = 'ended';
      held = [];
      wake?.();
    },
  };
}
