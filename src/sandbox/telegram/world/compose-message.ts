// Builds a message as it stands in a chat: who, where, in which thread, in reply to what. Decides nothing about its text.
import type { SandboxUser } from '#sandbox/contract.ts';
import { type State, tellOfBot } from './state.ts';
import type { TgMessage, TgUser } from './wire.ts';
import { messageAt, type SandboxChatState, type Stored } from './world.ts';

interface Composition {
  author: 'bot' | SandboxUser | 'service';
  /** Absent in a channel, whose posts are the channel's own. */
  from: TgUser | undefined;
  /** Text, media or a service field. */
  content: Partial<TgMessage>;
  replyTo?: TgMessage | undefined;
  thread?: number | undefined;
  writtenBy?: number | undefined;
}

/** Adds the message to the chat and ends the bot's typing indicator and draft when the bot wrote it. */
export function composeMessage(state: State, room: SandboxChatState, composition: Composition): Stored {
  const { author, from, content, replyTo } = composition;
  const thread = composition.thread ?? threadOfReply(room, replyTo);
  const topic = thread !== undefined && room.topics.has(thread);
  const answered = replyTo ?? (topic ? findMessage(room, thread) : undefined);
  const message: TgMessage = {
    message_id: state.world.nextID(),
    ...(from === undefined ? {} : { from }),
    chat: room.chat,
    date: state.world.seconds(),
    ...(thread === undefined ? {} : { message_thread_id: thread }),
    ...(topic ? { is_topic_message: true } : {}),
    ...(answered === undefined ? {} : { reply_to_message: withoutReply(answered) }),
    ...content,
  };
  const stored: Stored = { message, author, reactions: [], writtenBy: composition.writtenBy };
  state.world.save(room, stored);
  if (author === 'bot') {
    room.typingUntil = 0;
    room.draft = undefined;
  }
  state.changed();
  if (author === 'bot') tellOfBot(state, room, stored);
  return stored;
}

/** In supergroups a reply belongs to a thread, whether or not the thread is a topic. */
function threadOfReply(room: SandboxChatState, replyTo: TgMessage | undefined): number | undefined {
  if (replyTo === undefined || room.chat.type !== 'supergroup') return undefined;
  return replyTo.message_thread_id ?? replyTo.message_id;
}

function findMessage(room: SandboxChatState, id: number): TgMessage | undefined {
  return messageAt(room, id)?.message;
}

function withoutReply(message: TgMessage): TgMessage {
  const { reply_to_message: _, ...rest } = message;
  return rest;
}
