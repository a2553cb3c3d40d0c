// Chats where messages said earlier may still come in: what was accepted there waits for them, but not for long.
import { type Clock, laterOf, type MonotonicMs, msSince } from '#base/clock.ts';

/** A message that waits: its chat, and when it was received. */
export interface HeldMessage {
  chat: string;
  receivedAt: MonotonicMs;
}

export interface BacklogGate {
  /** The chats (`Address.chat`) in question from this moment; opens for all others. */
  behind(chats: 'all' | readonly string[]): void;
  isBehind(chat: string): boolean;
  /** True as long as `passed` would wait. */
  holds(waiting: HeldMessage): boolean;
  /**
   * Resolves when nothing earlier can come in to the chat any more, or when it was waited for long enough, counted from
   * when the waiting message was received, at the earliest from when the gate was made. Rejects when the signal aborts.
   */
  passed(waiting: HeldMessage, signal: AbortSignal): Promise<void>;
}

/** What order is worth: a platform whose history cannot be read is answered all the same. */
const timeoutMs = 15_000;

/** Holds new messages back for at most 15 s while older ones of their chat are still being fetched; open at first. */
export function createBacklogGate(clock: Clock): BacklogGate {
  const madeAt = clock.monotonic();
  let chats: 'all' | ReadonlySet<string> = new Set();
  let changed = Promise.withResolvers<void>();
  const isBehind = (chat: string): boolean => chats === 'all' || chats.has(chat);
  const leftOf = (receivedAt: MonotonicMs): number => timeoutMs - msSince(clock, laterOf(receivedAt, madeAt));
  return {
    isBehind,
    holds: ({ chat, receivedAt }) => isBehind(chat) && leftOf(receivedAt) > 0,
    behind(now) {
      chats = now === 'all' ? now : new Set(now);
      changed.resolve();
      changed = Promise.withResolvers();
    },
    async passed({ chat, receivedAt }, signal) {
      for (let left = leftOf(receivedAt); isBehind(chat) && left > 0; left = leftOf(receivedAt)) {
        const over = new AbortController();
        const late = clock.sleep(left, AbortSignal.any([signal, over.signal]));
        try {
          await Promise.race([changed.promise, late]);
        } finally {
          over.abort();
          late.catch(() => undefined); // ended on purpose
        }
      }
    },
  };
}
