// Uploading in Slack's three steps: a URL, the bytes, the completion that shows the file.
import { z } from 'zod';
import { jsonArg, type Method, requiredArg, roomArg, textArg } from '#sandbox/slack/world/method.ts';
import { refuse } from '#sandbox/slack/world/refusal.ts';
import { fileShape } from '#sandbox/slack/world/shapes.ts';
import { bot } from '#sandbox/slack/world/workspace.ts';
import type { SharedFile } from '#sandbox/slack/world/world.ts';

const completed = z.array(z.object({ id: z.string(), title: z.string().optional() })).min(1);

const getUploadUrl: Method = (args, { world, origin }) => {
  const name = requiredArg(args, 'filename');
  const length = Number(requiredArg(args, 'length'));
  if (!Number.isInteger(length) || length < 1)
    throw refuse('invalid_arguments', ['[ERROR] length must be positive']);
  const { id } = world.files.add({ name, mime: 'application/octet-stream', bytes: new Uint8Array(0) });
  return { upload_url: `${origin()}/upload/v1/${id}`, file_id: id };
};

const complete: Method = (args, context) => {
  const { world, publish } = context;
  const wanted = completed.safeParse(jsonArg(args, 'files'));
  if (!wanted.success) throw refuse('invalid_arguments', ['[ERROR] files must be an array of files']);
  const files: SharedFile[] = wanted.data.map(({ id }) => {
    const file = world.files.get(id);
    if (file === undefined || file.bytes.length === 0) throw refuse('file_not_found');
    return file;
  });
  if (textArg(args, 'channel_id') !== undefined) {
    const room = roomArg(args, context, 'channel_id');
    const thread = textArg(args, 'thread_ts');
    if (thread !== undefined && world.find(room.id, thread) === undefined) throw refuse('thread_not_found');
    const text = textArg(args, 'initial_comment') ?? '';
    publish.posted(world.add({ room, user: bot.user, text, thread, files, subtype: 'file_share' }));
  }
  return { files: files.map((file) => fileShape(file, bot.user)) };
};

const info: Method = (args, { world }) => {
  const file = world.files.get(requiredArg(args, 'file'));
  if (file === undefined) throw refuse('file_not_found');
  const message = [...world.messages()].find(({ files }) => files?.includes(file) === true);
  return {
    file: fileShape(file, message?.user ?? bot.user),
    comments: [],
    response_metadata: { next_cursor: '' },
  };
};

export const fileMethods: Record<string, Method> = {
  'files.info': info,
  'files.getUploadURLExternal': getUploadUrl,
  'files.completeUploadExternal': complete,
};
