// The methods that change what people see: chat.*, reactions.*, assistant.threads.setStatus.

import {
  type Args,
  jsonArg,
  type Method,
  type MethodContext,
  requiredArg,
  roomArg,
  textArg,
  writableRoomArg,
} from '#sandbox/slack/world/method.ts';
import { addReaction, removeReaction } from '#sandbox/slack/world/reactions.ts';
import { refuse } from '#sandbox/slack/world/refusal.ts';
import { messageShape } from '#sandbox/slack/world/shapes.ts';
import { isStreaming } from '#sandbox/slack/world/stream-state.ts';
import { app, bot } from '#sandbox/slack/world/workspace.ts';
import type { Stored, Wire } from '#sandbox/slack/world/world.ts';
import { metadataArg, threadArg } from './arguments.ts';
import { takeBlocks, takeText, takeUpdateText } from './blocks.ts';

function ownMessage(args: Args, context: MethodContext, word: string): Stored {
  const room = roomArg(args, context);
  const message = context.world.find(room.id, requiredArg(args, 'ts'));
  if (message === undefined) throw refuse('message_not_found');
  if (message.user !== bot.user) throw refuse(word);
  return message;
}

function answerShape(message: Stored, context: MethodContext): Wire {
  const shape: Wire = { ...messageShape(context.world, message), app_id: app.id };
  return message.metadata === undefined ? shape : { ...shape, metadata: message.metadata };
}

/** Text and blocks of a new message, from `text` with `blocks`, or only from `markdown_text`. */
export function contentOf(args: Args): { text: string; blocks: Wire[] | undefined } {
  const markdown = textArg(args, 'markdown_text');
  const blocks = takeBlocks(jsonArg(args, 'blocks'));
  if (markdown === undefined) return { text: takeText(textArg(args, 'text'), blocks), blocks };
  if (blocks !== undefined || textArg(args, 'text') !== undefined) throw refuse('markdown_text_conflict');
  if (markdown.length > 12_000) throw refuse('msg_too_long');
  return { text: markdown, blocks: [{ type: 'markdown', text: markdown }] };
}

const postMessage: Method = (args, context) => {
  const room = writableRoomArg(args, context);
  const content = contentOf(args);
  const thread = threadArg(args, context);
  const metadata = metadataArg(args);
  const message = context.world.add({ room, user: bot.user, ...content, thread, metadata });
  context.world.status.delete(room.id);
  context.world.status.delete(`${room.id}:${thread ?? ''}`);
  context.publish.posted(message);
  return { channel: room.id, ts: message.ts, message: answerShape(message, context) };
};

const postEphemeral: Method = (args, context) => {
  const room = roomArg(args, context);
  const user = requiredArg(args, 'user');
  if (!room.members.has(user)) throw refuse('user_not_in_channel');
  const content = contentOf(args);
  const thread = threadArg(args, context);
  const message = context.world.add({ room, user: bot.user, ...content, thread, onlyFor: user });
  context.publish.seen(message);
  return { message_ts: message.ts };
};

const update: Method = (args, context) => {
  const message = ownMessage(args, context, 'cant_update_message');
  if (isStreaming(message, context.clock.now())) throw refuse('streaming_state_conflict');
  const blocks = takeBlocks(jsonArg(args, 'blocks'));
  const text = takeUpdateText(textArg(args, 'text'), blocks);
  const before = messageShape(context.world, message);
  message.text = text;
  message.blocks = blocks;
  message.metadata = metadataArg(args) ?? message.metadata;
  message.edited = { user: bot.user, ts: context.world.nextTs() };
  context.publish.changed({ before, after: message, kind: 'edit' });
  return { channel: message.room.id, ts: message.ts, text, message: answerShape(message, context) };
};

const remove: Method = (args, context) => {
  const message = ownMessage(args, context, 'cant_delete_message');
  if (isStreaming(message, context.clock.now())) throw refuse('cant_delete_message');
  context.world.remove(message);
  context.publish.deleted(message);
  return { channel: message.room.id, ts: message.ts };
};

function reactionOf(args: Args, context: MethodContext): { message: Stored; name: string } {
  const room = roomArg(args, context);
  const name = requiredArg(args, 'name').replaceAll(':', '');
  if (!/^[a-z0-9_+'-]+$/.test(name)) throw refuse('invalid_name');
  const message = context.world.find(room.id, requiredArg(args, 'timestamp'));
  if (message === undefined) throw refuse('message_not_found');
  return { message, name };
}

const react: Method = (args, context) => {
  const { message, name } = reactionOf(args, context);
  if (!addReaction({ message, name, user: bot.user })) throw refuse('already_reacted');
  context.world.changed(message);
  context.publish.seen();
  return {};
};

const unreact: Method = (args, context) => {
  const { message, name } = reactionOf(args, context);
  if (!removeReaction({ message, name, user: bot.user })) throw refuse('no_reaction');
  context.world.changed(message);
  context.publish.seen();
  return {};
};

const setStatus: Method = (args, context) => {
  const room = roomArg(args, context, 'channel_id');
  const thread = requiredArg(args, 'thread_ts');
  if (context.world.find(room.id, thread) === undefined) throw refuse('invalid_thread_ts');
  const status = textArg(args, 'status');
  const key = `${room.id}:${thread}`;
  if (status === undefined) context.world.status.delete(key);
  else context.world.status.set(key, { text: status, at: context.clock.now() });
  context.publish.seen();
  return {};
};

/** Of a thread in the app's direct messages (docs.slack.dev, assistant.threads.setTitle). */
const setTitle: Method = (args, context) => {
  const room = roomArg(args, context, 'channel_id');
  const root = context.world.find(room.id, requiredArg(args, 'thread_ts'));
  if (room.kind !== 'im' || root === undefined) throw refuse('invalid_thread_ts');
  root.title = requiredArg(args, 'title');
  context.world.changed(root);
  context.publish.seen();
  return {};
};

export const chatMethods: Record<string, Method> = {
  'chat.postMessage': postMessage,
  'chat.postEphemeral': postEphemeral,
  'chat.update': update,
  'chat.delete': remove,
  'reactions.add': react,
  'reactions.remove': unreact,
  'assistant.threads.setStatus': setStatus,
  'assistant.threads.setTitle': setTitle,
};
