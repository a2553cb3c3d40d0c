// Telegram's chats and topics as addresses, and back as the parameters of a call.
import type { Chat, Message } from 'grammy/types';
import type { Address, ChatKind } from '#adapters/gateway/terms/address.ts';
import { ParleyError } from '#base/errors.ts';

/** The topic that every forum has; posts to it name no thread. */
const generalTopic = '1';

/**
 * Where a message is. A thread is a topic of a forum, since other replies carry thread ids that cannot be posted to, or the topic
 * of one person in a channel's direct messages; undefined for a direct message whose topic Telegram does not name.
 */
export function addressOf(account: string, message: Message): Address | undefined {
  const room = chatAddress(account, message.chat);
  const direct = message.direct_messages_topic;
  if (direct !== undefined)
    return { ...room, thread: directThread({ topic: direct.topic_id, user: direct.user?.id ?? 0 }) };
  if (message.chat.is_direct_messages === true) return undefined;
  const topic = message.is_topic_message === true ? message.message_thread_id : undefined;
  if (topic === undefined || String(topic) === generalTopic) return room;
  return { ...room, thread: String(topic) };
}

/** The topic of one person in a channel's direct messages; the user is 0 where Telegram does not name it. */
interface DirectTopic {
  topic: number;
  user: number;
}

/** Both numbers, since a look at who may read the topic has nothing but the address, also after a restart. */
function directThread({ topic, user }: DirectTopic): string {
  return `direct-${topic}-${user}`;
}

/** The topic that a thread names; undefined for a topic of a forum, or none. */
export function directTopicOf({ thread }: Address): DirectTopic | undefined {
  const found = /^direct-(\d{1,16})-(\d{1,16})$/.exec(thread ?? '');
  return found === null ? undefined : { topic: Number(found[1]), user: Number(found[2]) };
}

/** The thread name of the comments below the group's copy of a channel's post. */
export function commentsThread(post: number): string {
  return `below-${post}`;
}

/** The post whose comments a thread contains, by the id of its copy in the group; undefined for any other thread. */
export function postOf({ thread }: Address): string | undefined {
  return /^below-(\d{1,16})$/.exec(thread ?? '')?.[1];
}

/** The address of a whole chat, without a topic. */
export function chatAddress(account: string, chat: Pick<Chat, 'id' | 'type'>): Address {
  const id = String(chat.id);
  const kind = kindOf(chat.type);
  const address: Address = { platform: 'telegram', account, chat: id, kind };
  return kind === 'dm' ? address : { ...address, space: id };
}

function kindOf(type: Chat['type']): ChatKind {
  switch (type) {
    case 'private':
      return 'dm';
    case 'channel':
      return 'channel';
    case 'group':
    case 'supergroup':
      return 'group';
  }
}

/** A number that Telegram gave out, from the text that we keep; a ParleyError `invalid_address` for anything else. */
export function telegramID(text: string, what: string): number {
  if (/^-?\d{1,16}$/.test(text)) return Number(text);
  throw new ParleyError(
    'invalid_address',
    `Expected ${what} as a Telegram number, got ${JSON.stringify(text)}.`,
  );
}

/** The topic as a parameter of a call; General is left out, as Telegram demands. */
export function threadParameter(address: Address): {
  message_thread_id?: number;
  direct_messages_topic_id?: number;
} {
  if (address.thread === undefined || address.thread === generalTopic) return {};
  // Comments are replies: bots can name topics alone (Bot API, sendMessage).
  if (postOf(address) !== undefined) return {};
  const direct = directTopicOf(address);
  if (direct !== undefined) return { direct_messages_topic_id: direct.topic };
  return { message_thread_id: telegramID(address.thread, 'the topic') };
}
