// What was written in a Discord thread or channel before a message, as a person reads it.
import { MessageType, Routes, SnowflakeUtil } from 'discord.js';
import type { Rest } from '#adapters/discord/calls/rest.ts';
import { wholeText } from '#adapters/discord/payloads/cards.ts';
import { filesOf } from '#adapters/discord/payloads/files.ts';
import {
  type MessagePayload,
  messagePayloadSchema,
  type QuotedPayload,
  titledPayload,
} from '#adapters/discord/payloads/payload.ts';
import { readableText } from '#adapters/discord/rooms/mention-text.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { ThreadMessage, ThreadPage } from '#adapters/gateway/terms/channel.ts';
import { historyBefore, pageSize } from './history.ts';

/**
 * Messages of people and bots in the thread, newest page first, and the one that it was opened at, until `limit` of them are read; a
 * forum post with its title and tags.
 */
export async function* threadBefore(
  rest: Rest,
  { account, thread = '', chat }: Address,
  { nativeID, limit, signal }: { nativeID: string; limit: number; signal: AbortSignal },
): AsyncGenerator<ThreadPage> {
  const title = titleOf(rest, { thread, chat }, signal);
  let before = nativeID;
  for (let read = 0; read < limit; ) {
    const size = Math.min(pageSize, limit - read);
    const page = await historyBefore(rest, { channelID: thread, before, limit: size, signal });
    read += page.length;
    before = page[0]?.id ?? before;
    const more = page.length === size;
    yield { messages: page.flatMap((message) => threadMessages(message, account)), more, title: await title };
    if (!more) return;
  }
  yield { messages: await firstOf(rest, { account, thread, chat }, signal), more: true };
}

/** The newest messages before this one in the thread or channel, by one call. */
export async function readEarlierMessages(
  rest: Rest,
  { account, thread, chat }: Address,
  page: { nativeID: string; limit: number; signal: AbortSignal },
): Promise<ThreadMessage[]> {
  const { nativeID: before, limit, signal } = page;
  const messages = await historyBefore(rest, { channelID: thread ?? chat, before, limit, signal });
  return messages.flatMap((message) => threadMessages(message, account));
}

/** The message that the thread was opened at, or the first one of a forum post: both have the thread's id. */
async function firstOf(
  rest: Rest,
  { account, thread, chat }: { account: string; thread: string; chat: string },
  signal: AbortSignal,
): Promise<ThreadMessage[]> {
  for (const channel of [thread, chat]) {
    try {
      const message = messagePayloadSchema.parse(
        await rest().get(Routes.channelMessage(channel, thread), { signal }),
      );
      return threadMessages(message, account);
    } catch (error) {
      if (signal.aborted) throw error; // otherwise it is in the other place, or is gone
    }
  }
  return [];
}

/** What the thread is called, and a forum post's tags; undefined where Discord does not say. */
async function titleOf(
  rest: Rest,
  { thread, chat }: { thread: string; chat: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const channel = async (id: string) => titledPayload.parse(await rest().get(Routes.channel(id), { signal }));
  try {
    const { name, applied_tags: applied } = await channel(thread);
    const all = applied.length === 0 ? [] : (await channel(chat)).available_tags;
    const tags = all.filter(({ id }) => applied.includes(id)).map((tag) => tag.name);
    return name
      ? [JSON.stringify(name), ...(tags.length === 0 ? [] : [`tagged ${tags.join(', ')}`])].join(', ')
      : undefined;
  } catch {
    return undefined; // a name is not worth an answer
  }
}

/** What the message says to people; nothing for Discord's own notes. */
function threadMessages(message: MessagePayload, account: string): ThreadMessage[] {
  const starter = message.type === MessageType.ThreadStarterMessage ? message.referenced_message : undefined;
  if (starter) return [earlierOf(starter, account)];
  // the bot's own answers to commands are for the person who gave them
  const isOwnAnswer = message.type === MessageType.ChatInputCommand && message.author.id === account;
  return isWritten(message) && !isOwnAnswer ? [earlierOf(message, account)] : [];
}

/** A command's answer is written as well. */
function isWritten({ type }: MessagePayload): boolean {
  return type === MessageType.Default || type === MessageType.Reply || type === MessageType.ChatInputCommand;
}

function earlierOf(message: QuotedPayload, account: string): ThreadMessage {
  const { id, author, content, mentions } = message;
  const names = new Map(mentions.map((user) => [user.id, user.global_name ?? user.username]));
  const text = readableText(
    content,
    { id: account, roleID: undefined },
    { user: (user) => names.get(user), role: () => undefined, channel: () => undefined },
  );
  return {
    nativeID: id,
    author: author.global_name ?? author.username,
    fromBot: author.id === account,
    at: SnowflakeUtil.timestampFrom(id),
    text: wholeText(text, message),
    files: filesOf(message),
  };
}
