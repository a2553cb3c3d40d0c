// Telegram's chats and topics as addresses, and back as the parameters of a call.
import type { Chat, Message } from 'grammy/types';
import type { Address, ChatKind } from '#adapters/gateway/address.ts';
import { ParleyError } from '#base/errors.ts';

/** The topic that every forum has; posts to it name no thread. */
const generalTopic = '1';

/** Where a message stands; only a topic is a thread, since other replies carry thread ids that cannot be posted to. */
export function addressOf(account: string, message: Message): Address {
  const room = chatAddress(account, message.chat);
  const topic = message.is_topic_message === true ? message.message_thread_id : undefined;
  if (topic === undefined || String(topic) === generalTopic) return room;
  return { ...room, thread: String(topic) };
}

/** The address of a whole chat. */
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

/** `message_thread_id` for a call; General is left out, as Telegram demands. */
export function threadParameter(address: Address): { message_thread_id?: number } {
  if (address.thread === undefined || address.thread === generalTopic) return {};
  return { message_thread_id: telegramID(address.thread, 'the topic') };
}
