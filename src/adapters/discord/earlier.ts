// What was said in a Discord channel or thread before a message, as a person reads it. One call; not the catching up of missed messages.
import { MessageType } from 'discord.js';
import type { Address } from '#adapters/gateway/address.ts';
import type { Earlier } from '#adapters/gateway/channel.ts';
import { wholeText } from './cards.ts';
import { historyBefore } from './history.ts';
import { readableText } from './mention-text.ts';
import type { MessagePayload } from './payload.ts';
import type { Rest } from './rest.ts';

/** Messages of people and bots in the thread, with the one that it was opened at, or in the channel; oldest first. */
export async function earlierIn(
  rest: Rest,
  { account, thread, chat }: Address,
  page: { nativeID: string; limit: number; signal: AbortSignal },
): Promise<Earlier[]> {
  const { nativeID: before, limit, signal } = page;
  const messages = await historyBefore(rest, { channelID: thread ?? chat, before, limit, signal });
  return messages.flatMap((message) => {
    const starter =
      message.type === MessageType.ThreadStarterMessage ? message.referenced_message : undefined;
    const said = starter ?? message;
    const written = starter !== undefined || isWritten(message);
    return written && said !== null
      ? [earlierOf({ ...said, timestamp: said.timestamp ?? message.timestamp }, account)]
      : [];
  });
}

function isWritten({ type }: MessagePayload): boolean {
  return type === MessageType.Default || type === MessageType.Reply;
}

function earlierOf(
  said: Pick<
    MessagePayload,
    'id' | 'author' | 'content' | 'mentions' | 'timestamp' | 'attachments' | 'embeds' | 'components'
  >,
  account: string,
): Earlier {
  const { id, author, content, mentions } = said;
  const names = new Map(mentions.map((user) => [user.id, user.global_name ?? user.username]));
  const text = readableText(
    content,
    { id: account, roleID: undefined },
    { user: (id) => names.get(id), role: () => undefined, channel: () => undefined },
  );
  const name = author.global_name ?? author.username;
  const at = Date.parse(said.timestamp);
  return { nativeID: id, at, author: name, fromBot: author.id === account, text: wholeText(text, said) };
}
