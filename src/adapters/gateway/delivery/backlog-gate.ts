// Chats where messages said earlier may still come in: what was accepted there waits for them, and not for long. Not the fetching.
import type { Clock } from '#base/clock.ts';

export interface BacklogGate {
  /** The chats (`Address.chat`) in question from now on; opens for all others. */
  behind(chats: 'all' | readonly string[]): void;
  isBehind(chat: string): boolean;
  /** True as long as `passed` would wait. */
  holds(waiting: { chat: string; receivedAt: number }): boolean;
  /**
   * Resolves when nothing earlier can come in to the chat any more, or when it was waited for long enough, counted from
   * when the waiting message was received, at the earliest from when the gate was made. Rejects when the signal aborts.
   */
  passed(waiting: { chat: string; receivedAt: number }, signal: AbortSignal): Promise<void>;
}

/** What order is worth: a platform whose history cannot be read is answered all the same. */
const patienceMs = 15_000;

/** An open gate. */
export function createBacklogGate(clock: Clock): BacklogGate {
  const madeAt = clock.now();
  let chats: 'all' | ReadonlySet<string> = new Set();
  let changed = Promise.withResolvers<void>();
  const isBehind = (chat: string): boolean => chats === 'all' || chats.has(chat);
  const untilOf = (receivedAt: number): number => Math.max(receivedAt, madeAt) + patienceMs;
  return {
    isBehind,
    holds: ({ chat, receivedAt }) => isBehind(chat) && clock.now() < untilOf(receivedAt),
    behind(now) {
      chats = now === 'all' ? now : new Set(now);
      changed.resolve();
      changed = Promise.withResolvers();
    },
    async passed({ chat, receivedAt }, signal) {
      const until = untilOf(receivedAt);
      while (isBehind(chat) && clock.now() < until) {
        const over = new AbortController();
        const late = clock.sleep(until - clock.now(), AbortSignal.any([signal, over.signal]));
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
