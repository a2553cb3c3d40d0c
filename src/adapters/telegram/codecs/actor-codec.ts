// Who wrote a message: a person, or someone in the name of a chat, whom nobody can identify.
import type { Chat, Message, User } from 'grammy/types';
import type { Actor } from '#adapters/gateway/terms/inbound.ts';
import { defined } from '#base/json.ts';
import { chatName, userName } from './quoted-codec.ts';

/** Accounts that many write under: GroupAnonymousBot, Channel_Bot, and Telegram itself (TDLib, options of these names). */
const shared = new Set([1_087_968_824, 136_817_688, 777_000]);

/** The author of a message. Telegram puts a placeholder bot into `from` of a person who writes in the name of a chat. */
export function actorOf({ sender_chat: sender, from, chat }: Message): Actor {
  if (sender !== undefined) return { id: nameID(sender.id, chat), name: chatName(sender), isBot: false };
  if (from === undefined) return { id: String(chat.id), name: chatName(chat), isBot: false };
  return userActor(from, chat);
}

/** The actor for an account that acted in a chat. */
export function userActor(user: User, chat: Pick<Chat, 'id'>): Actor {
  if (shared.has(user.id)) return { id: nameID(user.id, chat), name: userName(user), isBot: false };
  const { id, is_bot: isBot, language_code: locale } = user;
  return { id: String(id), name: userName(user), isBot, ...defined({ locale }) };
}

/** The account's number when the actor is one person or bot; undefined for the name of a chat. */
export function accountNumberOf(actorID: string): number | undefined {
  return /^[1-9]\d{0,15}$/.test(actorID) && !shared.has(Number(actorID)) ? Number(actorID) : undefined;
}

/**
 * Several people write under one name, and none of them need be in the other chats where the name is used: so in each chat it is
 * someone else. A chat's own name is used nowhere else.
 */
function nameID(id: number, chat: Pick<Chat, 'id'>): string {
  return id === chat.id ? String(id) : `${id}/${chat.id}`;
}
