// Updates that wait for a bot, and the one long poll that fetches them. Confirmation is by offset only, as in Telegram.

import type { Clock } from '#base/clock.ts';
import { createCounter, type Shelf } from '#sandbox/store.ts';
import { Refusal } from './refusal.ts';
import type { TgUpdate } from './wire.ts';

/** What Telegram leaves out unless asked for. */
const onlyOnRequest = new Set(['chat_member', 'message_reaction', 'message_reaction_count']);
/** Telegram forgets after 24 hours; the sandbox forgets the oldest beyond this many. */
const pendingLimit = 100_000;
/** An offset further ahead than this is taken for one of another time and read as the start of the queue. */
const futureTolerance = 10;
/** Telegram starts anywhere; only the order matters. */
const idsBegin = 100_000_000;

interface Poll {
  offset: number;
  limit: number;
  timeoutMs: number;
  /** Undefined leaves the earlier choice. */
  allowed?: readonly string[] | undefined;
  signal: AbortSignal;
}

export interface UpdateQueue {
  push(content: Omit<TgUpdate, 'update_id'>): void;
  /** What is unconfirmed, at once or as soon as something comes; ends the poll that waits already with a 409. */
  take(poll: Poll): Promise<TgUpdate[]>;
  /** Ends the poll that waits with this conflict. */
  end(conflict: string): void;
  /** True while a long poll waits. */
  waiting(): boolean;
  pending(): number;
  allowed(): readonly string[];
  clear(): void;
}

/** A queue with what the shelf kept of it: updates that nobody has confirmed. */
export function createUpdateQueue(saved: { clock: Clock; shelf: Shelf }): UpdateQueue {
  const { clock, shelf } = saved;
  const ids = createCounter(saved, 'update', idsBegin);
  let queue = shelf.all<TgUpdate>('update').map(({ value }) => value);
  let allowed: readonly string[] = [];
  let waiter: { wake(): void; refuse(error: Refusal): void } | undefined;

  function wanted(content: object): boolean {
    const [type = ''] = Object.keys(content);
    return allowed.length === 0 ? !onlyOnRequest.has(type) : allowed.includes(type);
  }

  function confirm(offset: number): void {
    const first = offset < 0 ? (queue.at(offset)?.update_id ?? 0) : offset;
    if (first <= ids.last() + 1 + futureTolerance) keepOnly(({ update_id }) => update_id >= first);
  }

  function keepOnly(wanted: (update: TgUpdate) => boolean): void {
    for (const update of queue) if (!wanted(update)) shelf.remove('update', String(update.update_id));
    queue = queue.filter(wanted);
  }

  async function somethingNew(poll: Poll): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([poll.signal, over.signal]);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const mine = { wake: resolve, refuse: reject };
    waiter = mine;
    try {
      await Promise.race([promise, clock.sleep(poll.timeoutMs, signal)]);
    } finally {
      over.abort();
      if (waiter === mine) waiter = undefined;
    }
  }

  const end = (conflict: string): void => waiter?.refuse(new Refusal(409, `Conflict: ${conflict}`));

  return {
    end,
    push(content) {
      if (!wanted(content)) return;
      const update = { update_id: ids.next(), ...content };
      shelf.put('update', String(update.update_id), update);
      queue.push(update);
      const oldest = queue.length > pendingLimit ? queue.shift() : undefined;
      if (oldest !== undefined) shelf.remove('update', String(oldest.update_id));
      waiter?.wake();
    },
    async take(poll) {
      if (poll.allowed !== undefined) allowed = poll.allowed;
      end('terminated by other getUpdates request; make sure that only one bot instance is running');
      confirm(poll.offset);
      if (queue.length === 0 && poll.timeoutMs > 0) await somethingNew(poll);
      return queue.slice(0, poll.limit);
    },
    waiting: () => waiter !== undefined,
    pending: () => queue.length,
    allowed: () => allowed,
    clear() {
      keepOnly(() => false);
    },
  };
}
