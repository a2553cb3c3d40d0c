// Turns what happened in the workspace into deliveries to clients and wake-ups for watchers. Not the deliveries themselves.
import {
  callback,
  changedEvents,
  deletedEvent,
  type EventCounter,
  type MentionOrder,
  postedEvents,
  stoppedEvent,
} from './events.ts';
import type { Publisher } from './method.ts';
import type { SocketHub } from './socket-hub.ts';
import type { Stored, Wire, World } from './world.ts';

export interface Director extends Publisher {
  /** Delivers that the person has stopped this message's stream. */
  stopped(message: Stored, user: string): void;
  /** Delivers the events of a message once more, as after a missed acknowledgement. */
  redeliver(message: Stored): void;
  onChange(listener: () => void): () => void;
}

/** Messages whose callbacks are kept for `redeliver`. */
const mostRemembered = 1000;

/** A director without listeners. */
export function createDirector(options: {
  world: World;
  hub: SocketHub;
  mentionOrder: MentionOrder;
  /** Bot events that are delivered; all when absent. */
  subscriptions?: readonly string[] | undefined;
}): Director {
  const { world, hub, mentionOrder, subscriptions } = options;
  const listeners = new Set<() => void>();
  const counter: EventCounter = { count: 0 };
  const sent = new Map<string, Wire[]>();
  let mentions = 0;

  function seen(): void {
    for (const listener of [...listeners]) listener();
  }

  function send(events: readonly Wire[]): Wire[] {
    const heard = events.filter((event) => subscriptions?.includes(botEventOf(event)) ?? true);
    const callbacks = heard.map((event) => callback(event, counter));
    for (const one of callbacks) hub.deliver(one);
    seen();
    return callbacks;
  }

  function order(): 'first' | 'last' {
    if (mentionOrder !== 'alternating') return mentionOrder === 'mention first' ? 'first' : 'last';
    mentions += 1;
    return mentions % 2 === 1 ? 'first' : 'last';
  }

  return {
    posted(message) {
      sent.set(message.ts, send(postedEvents(world, message, order())));
      if (sent.size > mostRemembered) sent.delete([...sent.keys()][0] ?? '');
    },
    changed(change) {
      send(changedEvents(world, change, world.nextTs()));
    },
    deleted(message) {
      send([deletedEvent(world, message, world.nextTs())]);
    },
    stopped(message, user) {
      send([stoppedEvent(message, user, world.nextTs())]);
    },
    seen,
    redeliver(message) {
      for (const one of sent.get(message.ts) ?? []) hub.deliverAgain(one);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The name by which an app subscribes to an event: messages have one for each kind of conversation. */
function botEventOf({ type, channel_type: kind }: Wire): string {
  return type === 'message'
    ? `message.${kind === 'im' || kind === 'mpim' ? kind : `${kind}s`}`
    : String(type);
}
