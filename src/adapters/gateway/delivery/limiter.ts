// When a chat or an account may be called again. Knows only what the platforms said (`retry_after`) and when we last called.

import type { Address } from '#adapters/gateway/address.ts';
import { roomOf } from '#adapters/gateway/address.ts';
import type { Failure } from '#adapters/gateway/channel.ts';
import type { Clock } from '#base/clock.ts';

export interface Limiter {
  /** Takes note of a rate limit: nothing is called there before `retryAfterMs` is over. */
  hold(address: Address, failure: Failure): void;
  /** Milliseconds until this chat may be called; 0 when it may be now. */
  held(address: Address): number;
  /** Waits until this chat may be called. */
  free(address: Address, signal: AbortSignal): Promise<void>;
}

/** What is waited for when a platform names no time. */
const unnamedMs = 1_000;

const accountOf = ({ platform, account }: Address): string => `${platform}:${account}`;

/** One limiter for all chats; a limit in one chat never delays another. */
export function createLimiter(clock: Clock): Limiter {
  const until = new Map<string, number>();
  const remaining = (key: string): number => {
    const at = until.get(key);
    if (at === undefined) return 0;
    const left = at - clock.now();
    if (left <= 0) until.delete(key);
    return Math.max(0, left);
  };
  const held = (address: Address): number =>
    Math.max(remaining(accountOf(address)), remaining(roomOf(address)));
  return {
    held,
    hold(address, failure) {
      const key = failure.wholeAccount === true ? accountOf(address) : roomOf(address);
      const at = clock.now() + (failure.retryAfterMs ?? unnamedMs);
      until.set(key, Math.max(at, until.get(key) ?? 0));
    },
    async free(address, signal) {
      for (let left = held(address); left > 0; left = held(address)) await clock.sleep(left, signal);
    },
  };
}
