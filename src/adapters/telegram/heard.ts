// What was said in Telegram's groups lately, as this process heard it: Telegram tells bots no history. Kept in memory alone, for the next answer there.
import type { Message, Update } from 'grammy/types';
import { type Address, formatAddress } from '#adapters/gateway/address.ts';
import type { Earlier } from '#adapters/gateway/channel.ts';
import { createKept } from '#base/kept.ts';
import { actorOf } from './actor-codec.ts';
import { addressOf } from './address-codec.ts';
import { describedContent, filesOf } from './content-codec.ts';
import { readText, type Self } from './text-codec.ts';

export interface Heard {
  /** Takes in a message or an edit; everything else is passed by. */
  hear(update: Update): void;
  /** What was said in the group or topic before a message, oldest first; the newest `limit` of them. */
  before(address: Address, before: { nativeID: string; limit: number }): Earlier[];
}

const mostMessagesEach = 100;
/** Of all groups together. */
const mostMessages = 20_000;
/** What is older is of no use to anybody, in milliseconds. */
const keptMs = 3_600_000;

/** Holds the last messages of the groups that were heard last. */
export function createHeard(self: Self): Heard {
  const rooms = createKept<string, Earlier[]>(mostMessages, (said) => said.length + 1);

  const saidIn = (message: Message): Earlier | undefined => {
    const { text } = readText(message, self);
    const content = describedContent(message);
    const said = [text, content].filter((each) => each !== undefined && each !== '').join('\n');
    const words =
      said ||
      filesOf(message)
        .map(({ name }) => name ?? 'a file')
        .join(', ');
    if (words === '') return undefined;
    return {
      nativeID: String(message.message_id),
      at: message.date * 1000,
      author: actorOf(message).name,
      fromBot: message.from?.id === self.id,
      text: words,
    };
  };

  return {
    hear(update) {
      const edited = update.edited_message ?? update.edited_channel_post;
      const message = edited ?? update.message ?? update.channel_post;
      if (message === undefined || message.chat.type === 'private') return;
      const address = addressOf(String(self.id), message);
      if (address === undefined) return;
      const key = formatAddress(address);
      const said = saidIn(message);
      const others = (rooms.get(key) ?? []).filter(
        ({ nativeID, at }) => nativeID !== String(message.message_id) && at > message.date * 1000 - keptMs,
      );
      const kept = [...others, ...(said === undefined ? [] : [said])];
      kept.sort((one, other) => Number(one.nativeID) - Number(other.nativeID));
      rooms.set(key, kept.slice(-mostMessagesEach));
    },
    before: (address, { nativeID, limit }) =>
      (rooms.get(formatAddress(address)) ?? [])
        .filter((each) => Number(each.nativeID) < Number(nativeID))
        .slice(-limit),
  };
}
