// One Telegram update as events of the gateway, in order.

import type { Chat, Message, Update } from 'grammy/types';
import type { InboundEvent, PlaceNamedEvent, RoomEvent } from '#adapters/gateway/terms/inbound.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';
import { defined } from '#base/json.ts';
import { addressOf, chatAddress } from './address-codec.ts';
import { isRestricted, toInbound } from './inbound-codec.ts';
import { memberEvents } from './member-codec.ts';
import type { BotSelf } from './text-codec.ts';

/** Chats whose openness was seen; the oldest are forgotten, and reported again when they are seen. */
const maxSeen = 10_000;

/**
 * Reads updates. Telegram has no event for a chat that gets or loses its public name: each update brings its chat as it is now, so
 * that a change is emitted with the first update after it. For a chat that was not seen yet it is emitted with every event that does not
 * say it itself, as a message does.
 */
export function createUpdateReader(self: BotSelf): (update: Update) => InboundEvent[] {
  const seen = createLruCache<number, boolean>(maxSeen);

  function roomEvents(chat: Chat, received: readonly InboundEvent[]): RoomEvent[] {
    if (chat.type === 'private' || chat.is_direct_messages === true) return [];
    const before = seen.get(chat.id);
    if (before === undefined && received.length === 0) return [];
    const restricted = isRestricted(chat);
    const isKnown =
      before === undefined ? received.every(({ type }) => type === 'message') : before === restricted;
    seen.set(chat.id, restricted);
    return isKnown ? [] : [{ type: 'room', address: chatAddress(String(self.id), chat), restricted }];
  }

  /** Groups in which posts of a channel were seen: what is written below one stands there as a reply, and nowhere else. */
  const discussing = createLruCache<number, true>(maxSeen);

  const inPlace = (event: InboundEvent, message: Message | undefined): InboundEvent => {
    if (event.type !== 'message' || message === undefined) return event;
    const {
      chat,
      message_thread_id: thread,
      is_automatic_forward: isPost,
      reply_to_message: replied,
    } = message;
    if (isPost === true || replied?.is_automatic_forward === true) discussing.set(chat.id, true);
    const isBelow = isPost === true || thread !== undefined || replied?.is_automatic_forward === true;
    return discussing.get(chat.id) && isBelow ? { ...event, inReplies: true } : event;
  };

  return (update) => {
    const read = toInbound(update, self);
    const event = read && inPlace(read, update.message);
    const named = namedEvents(update, self);
    const events = [...memberEvents(update, self), ...named, ...(event === undefined ? [] : [event])];
    const chat = chatOf(update);
    // In the chat that a group has left behind nothing holds any more.
    return chat === undefined || event?.type === 'moved' ? events : [...roomEvents(chat, events), ...events];
  };
}

/** A group or a topic that was given a name, by its service message; other messages bring the group's title with them. */
function namedEvents(update: Update, self: BotSelf): PlaceNamedEvent[] {
  const message = update.message ?? update.channel_post;
  const address = message && addressOf(String(self.id), message);
  if (address === undefined || message === undefined || address.kind === 'dm') return [];
  const { new_chat_title: channel, forum_topic_created: created, forum_topic_edited: edited } = message;
  const thread = address.thread === undefined ? undefined : (edited ?? created)?.name;
  if (channel === undefined && thread === undefined) return [];
  return [{ type: 'named', address, names: defined({ channel, thread }) }];
}

function chatOf(update: Update): Chat | undefined {
  const message =
    update.message ?? update.edited_message ?? update.channel_post ?? update.edited_channel_post;
  return (message ?? update.chat_member ?? update.my_chat_member)?.chat;
}
