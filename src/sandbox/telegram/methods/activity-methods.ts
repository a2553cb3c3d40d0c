// The small markers: typing, reactions and the answers to pressed buttons.
import { z } from 'zod';
import { reactionEmoji } from '#sandbox/telegram/places/reactions.ts';
import { badRequest } from '#sandbox/telegram/world/refusal.ts';
import { type Method, messageOf, writableChatOf } from '#sandbox/telegram/world/state.ts';

/** How long a chat action is shown (Bot API, sendChatAction). */
const typingMs = 5000;

const actions = new Set([
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
]);

const reactions = z.array(z.object({ type: z.literal('emoji'), emoji: z.string() }));

export const sendChatAction: Method = (state, { params }) => {
  const room = writableChatOf(state, params);
  // Channels and their direct messages show no chat actions (Bot API, sendChatAction).
  if (room.chat.type === 'channel' || room.directTo !== undefined)
    throw badRequest('CHANNEL_MONOFORUM_UNSUPPORTED');
  const action = params.text('action');
  if (action === undefined || !actions.has(action)) throw badRequest('wrong parameter action in request');
  const thread = params.integer('message_thread_id');
  // General is named 1 here and only here; for sends it is no thread.
  if (thread !== undefined && thread !== 1 && !room.topics.has(thread) && !isReplyThread(room, thread))
    throw badRequest('message thread not found');
  room.typingUntil = state.clock.now() + typingMs;
  state.changed();
  state.changedIn(typingMs);
  return true;
};

function isReplyThread(
  room: { messages: { message: { message_thread_id?: number | undefined } }[] },
  id: number,
): boolean {
  return room.messages.some(({ message }) => message.message_thread_id === id);
}

export const setMessageReaction: Method = (state, { params }) => {
  const room = writableChatOf(state, params);
  const stored = messageOf(room, params, 'message to react not found');
  const wanted = params.json('reaction', reactions, "can't parse reaction types JSON object") ?? [];
  if (wanted.length > 1) throw badRequest('REACTIONS_TOO_MANY');
  if (wanted.some(({ emoji }) => !reactionEmoji.has(emoji))) throw badRequest('REACTION_INVALID');
  stored.reactions = wanted.map(({ emoji }) => emoji);
  state.world.changed(room, stored);
  state.changed();
  return true;
};

export const answerCallbackQuery: Method = (state, { params }) => {
  const query = params.raw('callback_query_id');
  const user = state.openQueries.get(query);
  if (user === undefined)
    throw badRequest('query is too old and response timeout expired or query ID is invalid');
  const text = params.text('text') ?? '';
  if (text.length > 200) throw badRequest('MESSAGE_TOO_LONG');
  state.openQueries.delete(query);
  if (text !== '') state.whispers.push({ user, text });
  state.changed();
  return true;
};
