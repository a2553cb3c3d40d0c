// Turns what happened in the workspace into deliveries to clients and wake-ups for watchers.

import type { Publisher } from '#sandbox/slack/world/method.ts';
import { bot } from '#sandbox/slack/world/workspace.ts';
import type { Stored, Wire, World } from '#sandbox/slack/world/world.ts';
import type { Counter } from '#sandbox/store.ts';
import {
  callback,
  changedEvents,
  deletedEvent,
  type MentionOrder,
  postedEvents,
  stoppedEvent,
} from './events.ts';
import type { SocketHub } from './socket-hub.ts';
import { type Hearing, hears } from './subscriptions.ts';

export interface Director extends Publisher {
  /** Delivers an event that is not about a message. */
  happened(event: Wire): void;
  /** Delivers that the person has stopped this message's stream. */
  stopped(message: Stored, user: string): void;
  /** Delivers the events of a message once more, as after a missed acknowledgement. */
  redeliver(message: Stored): void;
  onChange(listener: () => void): () => void;
}

/** Messages whose callbacks are kept for `redeliver`. */
const maxRemembered = 1000;

/** A director without listeners. */
export function createDirector(options: {
  world: World;
  hub: SocketHub;
  mentionOrder: MentionOrder;
  hearing: Hearing;
  /** Numbers of events. */
  ids: Counter;
}): Director {
  const { world, hub, mentionOrder, hearing, ids } = options;
  const listeners = new Set<() => void>();
  const sent = new Map<string, Wire[]>();
  let mentions = 0;

  function seen(): void {
    for (const listener of [...listeners]) listener();
  }

  function send(events: readonly Wire[]): Wire[] {
    const roomOf = ({ channel }: Wire) => world.workspace.room(String(channel));
    const received = events.filter((event) => hears(hearing, event, roomOf(event)));
    const { install } = world;
    const callbacks = received.map((event) => callback(event, { ids, room: roomOf(event), install }));
    for (const one of callbacks) hub.deliver(one);
    seen();
    return callbacks;
  }

  function order(): 'first' | 'last' {
    if (mentionOrder !== 'alternating') return mentionOrder === 'mention first' ? 'first' : 'last';
    mentions += 1;
    return mentions % 2 === 1 ? 'first' : 'last';
  }

  const isIn = ({ room }: Stored): boolean => room.members.has(bot.user);

  return {
    posted(message) {
      if (!isIn(message)) return seen();
      sent.set(message.ts, send(postedEvents(world, message, order())));
      const [oldest = ''] = sent.keys();
      if (sent.size > maxRemembered) sent.delete(oldest);
    },
    changed(change) {
      world.changed(change.after);
      if (!isIn(change.after)) return seen();
      send(changedEvents(world, change, world.nextTs()));
    },
    deleted(message) {
      if (!isIn(message)) return seen();
      send([deletedEvent(world, message, world.nextTs())]);
    },
    happened: (event) => void send([event]),
    stopped(message, user) {
      world.changed(message);
      send([stoppedEvent(message, user, world.nextTs())]);
    },
    seen(message) {
      if (message !== undefined) world.changed(message);
      seen();
    },
    redeliver(message) {
      for (const one of sent.get(message.ts) ?? []) hub.deliverAgain(one);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
