// What every method of the sandbox works on, and the checks that many of them share.

import type { Clock } from '#base/clock.ts';
import type { SandboxUser } from '#sandbox/contract.ts';
import type { Shelf } from '#sandbox/store.ts';
import type { FileShelf } from './file-shelf.ts';
import type { Params } from './params.ts';
import { badRequest, forbidden } from './refusal.ts';
import type { UpdateQueue } from './update-queue.ts';
import { messageAt, type SandboxChatState, type Stored, type World } from './world.ts';

export interface State {
  readonly clock: Clock;
  readonly shelf: Shelf;
  readonly world: World;
  readonly queue: UpdateQueue;
  readonly files: FileShelf;
  /** Privacy mode: in groups the bot sees only what is meant for it. */
  privacy: 'on' | 'off';
  /** Set while a webhook stands in the way of long polling. */
  webhook: string;
  /** "Business Mode" in @BotFather: people may connect the bot to their business accounts. */
  businessMode: 'on' | 'off';
  /** By scope and language, `all_private_chats:`. */
  readonly commands: Map<string, { command: string; description: string }[]>;
  /** Callback queries that were not answered yet. */
  readonly openQueries: Map<string, SandboxUser>;
  /** What answers to presses have shown, each only to the person who pressed. */
  readonly whispers: { user: SandboxUser; text: string }[];
  /** Called with every message that the bot posts or changes. */
  readonly botListeners: Set<(room: SandboxChatState, stored: Stored) => void>;
  /** Something that a person would see has changed. */
  changed(): void;
  /** Calls `changed` again after this many milliseconds, unless the sandbox is closed before. */
  changedIn(ms: number): void;
}

/** One call: its parameters, and a signal that aborts when its caller hangs up or the sandbox closes. */
export interface Call {
  params: Params;
  signal: AbortSignal;
}

export type Method = (state: State, call: Call) => unknown;

/** The chat that `chat_id` names, by number or @username. */
function chatOf(state: State, params: Params): SandboxChatState {
  const id = params.text('chat_id');
  if (id === undefined) throw badRequest('chat_id is empty');
  const { world } = state;
  const room = id.startsWith('@')
    ? world.rooms.find(({ chat }) => `@${chat.username ?? ''}` === id && chat.type !== 'private')
    : (world.byChatID(Number(id)) ?? world.migrated.get(Number(id))?.left);
  if (room === undefined) throw badRequest('chat not found');
  return room;
}

/** The chat that `chat_id` names, unless the bot was banned there: then it may not even look (telegram-bot-api, check_chat_access). */
export function readableChatOf(state: State, params: Params): SandboxChatState {
  const room = chatOf(state, params);
  if (room.closedTo === 'kicked') throw forbidden(`bot was kicked from the ${room.chat.type} chat`);
  return room;
}

/**
 * The chat that `chat_id` names, if the bot may write there. Only here a group that became a supergroup is refused: a caller that only asks
 * about it gets the old group (telegram-bot-api, check_chat_access).
 */
export function writableChatOf(state: State, params: Params): SandboxChatState {
  const room = readableChatOf(state, params);
  const moved = state.world.migrated.get(room.chat.id);
  if (moved !== undefined)
    throw badRequest('group chat was upgraded to a supergroup chat', { migrate_to_chat_id: moved.to });
  if (room.closedTo === 'blocked') throw forbidden('bot was blocked by the user');
  // as seen by many bots (python-telegram-bot#3956)
  if (room.readOnly === true && !room.botAdmin)
    throw badRequest('not enough rights to send text messages to the chat');
  return room;
}

/** Tells the listeners that the bot has posted or changed this message. */
export function tellOfBot({ botListeners }: State, room: SandboxChatState, stored: Stored): void {
  for (const listener of botListeners) listener(room, stored);
}

/** The message that `message_id` names in this chat; `notFound` is the refusal otherwise. */
export function messageOf(room: SandboxChatState, params: Params, notFound: string): Stored {
  const id = params.integer('message_id');
  if (id === undefined) throw badRequest('message identifier is not specified');
  const stored = messageAt(room, id);
  if (stored === undefined || isLeftBehind(room, stored)) throw badRequest(notFound);
  return stored;
}

/**
 * Whether the message was written before the group became a supergroup: that is another chat, with other ids, and only clients show both as
 * one history (Telegram, "Channels, supergroups, gigagroups and basic groups", Migration).
 */
export function isLeftBehind(room: SandboxChatState, { message }: Stored): boolean {
  return message.chat.id !== room.chat.id;
}

/** The topic or reply thread to post in, undefined for none; General (1) is no thread that can be posted to. */
export function threadToPostIn(room: SandboxChatState, params: Params): number | undefined {
  const id = params.integer('message_thread_id');
  if (id === undefined) return undefined;
  const known = room.topics.has(id) || room.messages.some(({ message }) => message.message_thread_id === id);
  if (!known) throw badRequest('message thread not found');
  return id;
}
