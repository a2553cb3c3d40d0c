// What was written in Telegram's groups lately, as this process received it: Telegram gives bots no history. Held in memory only, for the next answer there.
import type { Message, Update } from 'grammy/types';
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import type { ThreadMessage } from '#adapters/gateway/terms/channel.ts';
import { actorOf } from '#adapters/telegram/codecs/actor-codec.ts';
import { addressOf, postOf } from '#adapters/telegram/codecs/address-codec.ts';
import { describedContent, filesOf } from '#adapters/telegram/codecs/content-codec.ts';
import { type BotSelf, readMessageText } from '#adapters/telegram/codecs/text-codec.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';

export interface RecentMessages {
  /** Takes in a message or an edit; everything else is passed by. */
  add(update: Update): void;
  /** What was written in the group or topic, or below the post, before a message, oldest first; the newest `limit` of them. */
  before(address: Address, before: { nativeID: string; limit: number }): ThreadMessage[];
}

interface RecentMessage extends ThreadMessage {
  /** The first message of the chain of replies that it is in, or it itself: below a channel's post that is the post. */
  chain: string;
}

const maxMessagesEach = 100;
/** Of all groups together. */
const maxMessages = 20_000;
/** What is older is of no use to anyone, in milliseconds. */
const maxAgeMs = 3_600_000;

/** Holds the messages of the last hour of recently active groups: at most 100 of each and 20,000 of all. */
export function createRecentMessages(self: BotSelf): RecentMessages {
  const rooms = createLruCache<string, RecentMessage[]>(maxMessages, (messages) => messages.length + 1);

  const messageIn = (message: Message): RecentMessage | undefined => {
    const { text } = readMessageText(message, self);
    const content = describedContent(message);
    const whole = [text, content].filter((each) => each !== undefined && each !== '').join('\n');
    const words =
      whole ||
      filesOf(message)
        .map(({ name }) => name ?? 'a file')
        .join(', ');
    if (words === '') return undefined;
    return {
      nativeID: String(message.message_id),
      chain: String(message.message_thread_id ?? message.message_id),
      at: message.date * 1000,
      author: actorOf(message).name,
      fromBot: message.from?.id === self.id,
      text: words,
    };
  };

  return {
    add(update) {
      const edited = update.edited_message ?? update.edited_channel_post;
      const message = edited ?? update.message ?? update.channel_post;
      if (message === undefined || message.chat.type === 'private') return;
      const address = addressOf(String(self.id), message);
      if (address === undefined) return;
      const key = formatAddress(address);
      const recent = messageIn(message);
      const others = (rooms.get(key) ?? []).filter(
        ({ nativeID, at }) => nativeID !== String(message.message_id) && at > message.date * 1000 - maxAgeMs,
      );
      const saved = [...others, ...(recent === undefined ? [] : [recent])];
      saved.sort((one, other) => Number(one.nativeID) - Number(other.nativeID));
      rooms.set(key, saved.slice(-maxMessagesEach));
    },
    before(address, { nativeID, limit }) {
      const post = postOf(address);
      const place = post === undefined ? address : { ...address, thread: undefined };
      return (rooms.get(formatAddress(place)) ?? [])
        .filter((each) => Number(each.nativeID) < Number(nativeID) && each.chain === (post ?? each.chain))
        .slice(-limit);
    },
  };
}
