// Channels whose posts Telegram copies into a group in which the bot is: there the copy counts, and not the post.

import type { ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import { type Client, forGrammy } from '#adapters/telegram/calls/client.ts';
import { isInChat } from '#adapters/telegram/codecs/member-codec.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';
import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';

/** How long an answer of Telegram's is good for: administrators link and unlink groups seldom. */
const freshMs = 10 * 60_000;
/** Channels that are remembered; the oldest are asked about again. */
const maxRemembered = 1_000;

/** Whether the posts of a channel come to the bot as messages of a group as well; false where Telegram cannot be asked. */
type IsDiscussed = (channel: number, signal: AbortSignal) => Promise<boolean>;

/**
 * Asks Telegram whether a channel has a discussion group that the bot is in. Caches an answer for 10 minutes, at most 1,000 channels;
 * false when Telegram cannot be asked.
 */
export function createDiscussions(options: {
  client: Client;
  self: number;
  clock: Clock;
  explain(error: unknown): ChannelFailure;
}): IsDiscussed {
  const { client, self, clock, explain } = options;
  const known = createLruCache<number, { discussed: boolean; until: MonotonicMs }>(maxRemembered);

  const look = async (channel: number, signal: AbortSignal): Promise<boolean> => {
    const { linked_chat_id: group } = await client.api.getChat(channel, forGrammy(signal));
    if (group === undefined) return false;
    return isInChat(await client.api.getChatMember(group, self, forGrammy(signal)));
  };

  return async (channel, signal) => {
    const before = known.get(channel);
    if (before !== undefined && msUntil(clock, before.until) > 0) return before.discussed;
    let discussed = false;
    try {
      discussed = await look(channel, signal);
    } catch (error) {
      signal.throwIfAborted();
      const { kind } = explain(error);
      // The bot is not in the group, or may not look at it; else nothing new is known.
      if (kind !== 'gone' && kind !== 'permission') return before?.discussed ?? false;
    }
    known.set(channel, { discussed, until: momentIn(clock, freshMs) });
    return discussed;
  };
}
