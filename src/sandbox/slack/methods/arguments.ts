// Arguments that several methods of messages share: metadata and threads.
import { z } from 'zod';
import { type Args, jsonArg, type MethodContext, roomArg, textArg } from '#sandbox/slack/world/method.ts';
import { refuse } from '#sandbox/slack/world/refusal.ts';
import type { Wire } from '#sandbox/slack/world/world.ts';

const metadataSchema = z.object({
  event_type: z.string().min(1),
  event_payload: z.record(z.string(), z.json()),
});

/** The metadata of a message; `invalid_metadata_format` when it is none. */
export function metadataArg(args: Args): Wire | undefined {
  const value = jsonArg(args, 'metadata');
  if (value === undefined) return undefined;
  const parsed = metadataSchema.safeParse(value);
  if (!parsed.success) throw refuse('invalid_metadata_format');
  return parsed.data;
}

/** The thread to post in, by any message of it; `thread_not_found` when there is none. */
export function threadArg(args: Args, context: MethodContext): string | undefined {
  const thread = textArg(args, 'thread_ts');
  if (thread === undefined) return undefined;
  const parent = context.world.find(roomArg(args, context).id, thread);
  if (parent === undefined) throw refuse('thread_not_found');
  return parent.thread ?? parent.ts;
}
