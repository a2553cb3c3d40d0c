// Telegram's updates about members who join, leave or are banned, as events of the gateway. Pure.
import type { ChatMember, ChatMemberUpdated, Message, Update } from 'grammy/types';
import type { MemberEvent } from '#adapters/gateway/terms/inbound.ts';
import { chatAddress } from './address-codec.ts';
import type { BotSelf } from './text-codec.ts';

/**
 * Telegram's dates are whole seconds: someone came at the latest at their end. What was written in that second counts as said before,
 * so that nobody is taken for a reader of it.
 */
const restOfSecondMs = 999;

/** True when the account is in the chat, restricted members included. */
export function isInChat(member: ChatMember): boolean {
  return member.status === 'restricted'
    ? member.is_member
    : member.status !== 'left' && member.status !== 'kicked';
}

/**
 * The joins, leaves and changes that an update reports. Where the bot is no administrator, Telegram reports them only by service
 * messages.
 */
export function memberEvents(update: Update, self: BotSelf): MemberEvent[] {
  const { message, chat_member: other, my_chat_member: own } = update;
  if (other !== undefined) return changeOf(other, self);
  if (own !== undefined) return changeOfBot(own, self);
  return message === undefined ? [] : serviceEvents(message, self);
}

function eventOf(
  self: BotSelf,
  { chat, date }: Pick<ChatMemberUpdated, 'chat' | 'date'>,
  { actorID, change }: Pick<MemberEvent, 'actorID' | 'change'>,
): MemberEvent {
  const address = chatAddress(String(self.id), chat);
  const at = date * 1000 + (change === 'joined' ? restOfSecondMs : 0);
  return { type: 'member', address, of: 'room', actorID, change, at };
}

function changeOf(update: ChatMemberUpdated, self: BotSelf): MemberEvent[] {
  const { old_chat_member: before, new_chat_member: now } = update;
  const change = changeBetween(before, now);
  return change === undefined ? [] : [eventOf(self, update, { actorID: String(now.user.id), change })];
}

/** A ban changes what someone may read of a public group without having been in it. */
function changeBetween(before: ChatMember, now: ChatMember): MemberEvent['change'] | undefined {
  if (isInChat(before) !== isInChat(now)) return isInChat(now) ? 'joined' : 'left';
  return (before.status === 'kicked') === (now.status === 'kicked') ? undefined : 'rights';
}

/** While the bot was not there, or no administrator, anyone may have come and gone. A direct message has nobody to come or go. */
function changeOfBot(update: ChatMemberUpdated, self: BotSelf): MemberEvent[] {
  if (update.chat.type === 'private') return [];
  return [eventOf(self, update, { actorID: undefined, change: 'rights' })];
}

function serviceEvents(message: Message, self: BotSelf): MemberEvent[] {
  const { new_chat_members: came = [], left_chat_member: left } = message;
  const others = (id: number): boolean => id !== self.id;
  return [
    ...came.map(({ id }) => ({ id, change: 'joined' as const })),
    ...(left === undefined ? [] : [{ id: left.id, change: 'left' as const }]),
  ]
    .filter(({ id }) => others(id))
    .map(({ id, change }) => eventOf(self, message, { actorID: String(id), change }));
}
