// The sign that the bot is at work: refreshed while it is, gone with the answer. Its failures concern nobody.
import type { Address } from '#adapters/gateway/address.ts';
import type { Channel } from '#adapters/gateway/channel.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Limiter } from './limiter.ts';

export interface Typing {
  /** No sign is sent after this resolves. */
  stop(): Promise<void>;
}

/** Nothing works this long: a typing sign that was forgotten ends by itself. */
const longestMs = 15 * 60_000;

/** Shows typing in a chat until stopped. */
export function showTyping(options: {
  channel: Channel;
  address: Address;
  limiter: Limiter;
  clock: Clock;
  log: Log;
}): Typing {
  const { channel, address, limiter, clock, log } = options;
  const ended = new AbortController();
  const until = clock.now() + longestMs;
  const tell = async (state: 'typing' | 'idle'): Promise<void> => {
    try {
      await channel.presence(address, state);
    } catch (error) {
      const failure = channel.explain(error);
      if (failure.kind === 'rate_limit') limiter.hold(address, failure);
      log.debug({ kind: failure.kind, words: failure.words }, 'typing sign failed');
    }
  };
  const loop = async (): Promise<void> => {
    while (!ended.signal.aborted && clock.now() < until) {
      if (limiter.held(address) === 0) await tell('typing');
      await clock.sleep(channel.caps.typingMs * 0.8, ended.signal).catch(() => undefined);
    }
  };
  const done = loop();
  return {
    async stop() {
      ended.abort();
      await done;
      await tell('idle');
    },
  };
}
