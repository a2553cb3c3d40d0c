// One Telegram update as an event of the gateway; pure. Updates that mean nothing to it come out as undefined.
import type { Chat, Message, Update } from 'grammy/types';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type {
  Addressed,
  ChatMigratedEvent,
  InboundEvent,
  MessageEvent,
  Quoted,
} from '#adapters/gateway/terms/inbound.ts';
import { actorOf } from './actor-codec.ts';
import { addressOf, chatAddress } from './address-codec.ts';
import { describedContent, filesOf } from './content-codec.ts';
import { answersOther, chatName, forwardedOf, quotedOf } from './quoted-codec.ts';
import { reactionEvent } from './reaction-codec.ts';
import { type BotSelf, readMessageText } from './text-codec.ts';

/** The kinds of updates that are asked for; everything else stays with Telegram. */
export const allowedUpdates = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
  'my_chat_member',
  // Telegram sends it only when it is named, and only from chats where the bot is an administrator.
  'chat_member',
  // the same: in groups from administrators' bots only
  'message_reaction',
  'stopped_message_generation',
  // A person who connects one gets a message that this is not supported; `business_message`, what others write to them, is not asked for.
  'business_connection',
] as const;

/** The event, or undefined for service messages, the bot's own posts and whatever has no content for the gateway. */
export function toInbound(update: Update, self: BotSelf): InboundEvent | undefined {
  const account = String(self.id);
  if (update.message_reaction !== undefined) return reactionEvent(update.message_reaction, account);
  const edited = update.edited_message ?? update.edited_channel_post;
  if (edited !== undefined) return editEvent(edited, self);
  const message: Message | undefined = update.message ?? update.channel_post;
  if (message === undefined || isElsewhere(message)) return undefined;
  return movedEvent(message, account) ?? messageEvent(message, self);
}

/** True for a message of a chat that is not the bot's own: one of a business account, or a guest message (Bot API, Message). */
export function isElsewhere(message: Message): boolean {
  return message.business_connection_id !== undefined || message.guest_query_id !== undefined;
}

function messageEvent(message: Message, self: BotSelf): InboundEvent | undefined {
  const actor = actorOf(message);
  const address = addressOf(String(self.id), message);
  const { text, mentioned, others } = readMessageText(message, self);
  const files = filesOf(message);
  const content = describedContent(message);
  // Messages that only one person sees ("ephemeral") have no separate id in the chat.
  if (message.message_id === 0 || actor.id === String(self.id) || address === undefined) return undefined;
  if (text === '' && content === undefined && files.length === 0 && !mentioned) return undefined;
  // What a person only passes on is not their own word: neither a command nor something to remember. A post that Telegram copies into
  // the channel's discussion group is the channel's own, unless the channel had it from somewhere else.
  const forwarded = isOwnPost(message) ? undefined : forwardedOf(message, text);
  const quoted = forwarded ?? quotedOf(message, self);
  const addressed = addressedOf(message, mentioned, quoted);
  return {
    type: 'message',
    address,
    nativeID: String(message.message_id),
    at: message.date * 1000,
    actor,
    addressed,
    ...(addressed === 'none' && (others || answersOther(message)) ? { toOthers: true } : {}),
    text: forwarded === undefined ? text : '',
    files,
    ...(content === undefined ? {} : { shared: [content] }),
    ...(message.media_group_id === undefined ? {} : { album: message.media_group_id }),
    ...(quoted === undefined ? {} : { quoted }),
    ...(message.chat.type !== 'private' ? { room: roomOf(message) } : topicIn(address)),
  };
}

function isOwnPost({ is_automatic_forward: copied, forward_origin: origin, sender_chat: sender }: Message) {
  return copied === true && origin?.type === 'channel' && origin.chat.id === sender?.id;
}

function editEvent(message: Message & { edit_date?: number }, self: BotSelf): InboundEvent | undefined {
  const actor = actorOf(message);
  const address = addressOf(String(self.id), message);
  if (actor.id === String(self.id) || address === undefined || isElsewhere(message)) return undefined;
  const { text } = readMessageText(message, self);
  return {
    type: 'edit',
    address,
    nativeID: String(message.message_id),
    at: (message.edit_date ?? message.date) * 1000,
    actor,
    text,
  };
}

/** Telegram reports the move in both chats; both reports give the same event. */
function movedEvent(message: Message, account: string): InboundEvent | undefined {
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
  if (to === undefined && from === undefined) return undefined;
  return movedBetween(account, String(from ?? chat.id), String(to ?? chat.id));
}

/** The event of a group that became a supergroup. */
export function movedBetween(account: string, from: string, to: string): ChatMigratedEvent {
  return {
    type: 'moved',
    from: chatAddress(account, { id: Number(from), type: 'group' }),
    to: chatAddress(account, { id: Number(to), type: 'supergroup' }),
  };
}

function addressedOf(message: Message, mentioned: boolean, quoted: Quoted | undefined): Addressed {
  if (message.chat.type === 'private') return 'dm';
  if (mentioned) return 'mention';
  return quoted?.fromBot === true ? 'reply' : 'none';
}

/** In private chats every thread is a topic (Bot API 9.3, Message.is_topic_message). */
function topicIn({ thread }: Address): Pick<MessageEvent, 'topic'> {
  return thread === undefined ? {} : { topic: true };
}

function roomOf(message: Message): NonNullable<MessageEvent['room']> {
  const { chat } = message;
  const opened =
    message.is_topic_message === true ? message.reply_to_message?.forum_topic_created : undefined;
  const room = {
    names: { channel: chatName(chat) },
    restricted: isRestricted(chat),
    ...(opened === undefined ? {} : { openedAs: opened.name }),
  };
  // What someone writes to a channel is for its administrators, not for others who write to it.
  return message.direct_messages_topic === undefined ? room : { ...room, privateThread: true };
}

/** A chat with a public name can be read by anyone, every other only by its members. */
export function isRestricted(chat: Chat): boolean {
  return chat.username === undefined;
}
