// What a message answers or passes on: the reply's target, a quote from it, a reply into another chat, a forward.
import type { Chat, Message, MessageOrigin, User } from 'grammy/types';
import type { FileRef, Quoted } from '#adapters/gateway/terms/inbound.ts';
import { type Content, describedContent, filesOf } from './content-codec.ts';
import { type BotSelf, readMessageText } from './text-codec.ts';

/** The message that this one replies to, as far as Telegram shows it; undefined for a reply to a topic's first message. */
export function quotedOf(message: Message, self: BotSelf): Quoted | undefined {
  const replied = repliedTo(message);
  if (replied !== undefined) {
    return {
      nativeID: String(replied.message_id),
      author: authorName(replied),
      text: message.quote?.text ?? (readMessageText(replied, self).text || wordless(replied)),
      fromBot: replied.from?.id === self.id,
      ...withFiles(filesOf(replied)),
    };
  }
  const external = message.external_reply;
  if (external === undefined) return undefined;
  const { origin } = external;
  return {
    nativeID: String(external.message_id ?? 0),
    author: originName(origin),
    text: message.quote?.text ?? wordless(external),
    fromBot: origin.type === 'user' && origin.sender_user.id === self.id,
    ...withFiles(filesOf(external)),
  };
}

function withFiles(files: readonly FileRef[]): Pick<Quoted, 'files'> {
  return files.length === 0 ? {} : { files };
}

/** Whether it answers a message of someone else than its author. */
export function answersOther(message: Message): boolean {
  const replied = repliedTo(message);
  return replied !== undefined && replied.from?.id !== message.from?.id;
}

/** What a message without words holds, so that "what is this?" has an object. */
function wordless(message: Content): string | undefined {
  const files = filesOf(message).map(({ name, mime }) => name ?? mime ?? 'a file');
  return describedContent(message) ?? (files.length === 0 ? undefined : files.join(', '));
}

/** Every message of a topic names the message that opened it; that is no reply. */
function repliedTo(message: Message): Message['reply_to_message'] {
  const replied = message.reply_to_message;
  return replied?.forum_topic_created === undefined ? replied : undefined;
}

/** What this message forwards and its original author; undefined when it is no forward. `text` is the message's own text, already read. */
export function forwardedOf(message: Message, text: string): Quoted | undefined {
  const origin = message.forward_origin;
  if (origin === undefined) return undefined;
  const nativeID = String('message_id' in origin ? origin.message_id : 0);
  return { nativeID, author: originName(origin), text, fromBot: false, forwarded: true };
}

/** First and last name, as Telegram shows a person. */
export function userName(user: User): string {
  return [user.first_name, user.last_name].filter(Boolean).join(' ');
}

/** A group's or channel's title, or the person's name. */
export function chatName(chat: Chat): string {
  return chat.title ?? [chat.first_name, chat.last_name].filter(Boolean).join(' ');
}

function authorName(message: Pick<Message, 'from' | 'sender_chat'>): string | undefined {
  if (message.sender_chat !== undefined) return chatName(message.sender_chat);
  return message.from === undefined ? undefined : userName(message.from);
}

function originName(origin: MessageOrigin): string {
  switch (origin.type) {
    case 'user':
      return userName(origin.sender_user);
    case 'hidden_user':
      return origin.sender_user_name;
    case 'chat':
      return chatName(origin.sender_chat);
    case 'channel':
      return chatName(origin.chat);
  }
}
