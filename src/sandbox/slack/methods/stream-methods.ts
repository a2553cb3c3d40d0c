// Messages that are written while people watch: chat.startStream, chat.appendStream, chat.stopStream, and their expiry.

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
import { refuse } from '#sandbox/slack/world/refusal.ts';
import { isStreaming } from '#sandbox/slack/world/stream-state.ts';
import { bot, team } from '#sandbox/slack/world/workspace.ts';
import type { Stored } from '#sandbox/slack/world/world.ts';
import { metadataArg, threadArg } from './arguments.ts';
import { takeBlocks } from './blocks.ts';

/** Characters of one call, and of the message as a whole. */
const maxText = 12_000;

function markdownOf(args: Args): string {
  const text = textArg(args, 'markdown_text') ?? '';
  if (text.length > maxText) throw refuse('msg_too_long');
  return text;
}

function write(message: Stored, added: string): void {
  const text = message.text + added;
  if (text.length > maxText) throw refuse('msg_too_long');
  message.text = text;
  message.blocks = text === '' ? undefined : [{ type: 'markdown', text }];
}

/** The bot's message that the call names, if it is being streamed; refused in Slack's words otherwise. */
function streamArg(args: Args, context: MethodContext): Stored {
  const room = roomArg(args, context);
  const message = context.world.find(room.id, requiredArg(args, 'ts'));
  if (message === undefined || message.user !== bot.user) throw refuse('message_not_found');
  if (message.stream?.state === 'stopped_by_user') throw refuse('stopped_by_user');
  if (!isStreaming(message, context.clock.now())) throw refuse('message_not_in_streaming_state');
  return message;
}

const startStream: Method = (args, context) => {
  const room = writableRoomArg(args, context);
  requiredArg(args, 'thread_ts');
  const thread = threadArg(args, context);
  if (room.kind !== 'im') {
    if (textArg(args, 'recipient_team_id') === undefined) throw refuse('missing_recipient_team_id');
    const recipient = textArg(args, 'recipient_user_id');
    if (recipient === undefined) throw refuse('missing_recipient_user_id');
    if (textArg(args, 'recipient_team_id') !== team.id || !room.members.has(recipient))
      throw refuse('user_not_found');
  }
  const text = markdownOf(args);
  const stream = { state: 'in_progress' as const, startedAt: context.clock.now() };
  const message = context.world.add({ room, user: bot.user, text: '', thread, stream });
  write(message, text);
  context.world.changed(message);
  context.world.status.delete(room.id);
  context.world.status.delete(`${room.id}:${thread ?? ''}`);
  context.publish.posted(message);
  return { channel: room.id, ts: message.ts };
};

const appendStream: Method = (args, context) => {
  const message = streamArg(args, context);
  const text = markdownOf(args);
  if (text === '') throw refuse('no_text');
  write(message, text);
  context.publish.seen(message);
  return { channel: message.room.id, ts: message.ts };
};

const stopStream: Method = (args, context) => {
  const message = streamArg(args, context);
  const blocks = takeBlocks(jsonArg(args, 'blocks'));
  write(message, markdownOf(args));
  if (blocks !== undefined) message.blocks = [...(message.blocks ?? []), ...blocks];
  message.metadata = metadataArg(args) ?? message.metadata;
  if (message.stream !== undefined) message.stream.state = 'completed';
  context.publish.seen(message);
  return {};
};

export const streamMethods: Record<string, Method> = {
  'chat.startStream': startStream,
  'chat.appendStream': appendStream,
  'chat.stopStream': stopStream,
};
