// What is read of Slack's messages, events and channels: schemas for the rim.
import { z } from 'zod';

/** A file in a message, or in the answer of files.info. */
export const fileSchema = z.object({
  id: z.string(),
  mode: z.string().nullish(),
  name: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.number().nullish(),
  /** `slack_audio` is what people record in Slack. */
  subtype: z.string().nullish(),
  duration_ms: z.number().nullish(),
  url_private: z.string().nullish(),
  url_private_download: z.string().nullish(),
});

/** A block of a message; what it holds depends on its type and is looked through for texts. */
const blockSchema = z.looseObject({ type: z.string() });

/** What hangs on a message: an alert, the preview of a link; a message that was passed on is marked as shared. */
const attachmentSchema = z.object({
  is_share: z.boolean().nullish(),
  author_name: z.string().nullish(),
  text: z.string().nullish(),
  fallback: z.string().nullish(),
  pretext: z.string().nullish(),
  title: z.string().nullish(),
  title_link: z.string().nullish(),
  from_url: z.string().nullish(),
  service_name: z.string().nullish(),
  fields: z.array(z.object({ title: z.string().nullish(), value: z.string().nullish() })).nullish(),
  footer: z.string().nullish(),
  blocks: z.array(blockSchema).nullish(),
  files: z.array(fileSchema).nullish(),
  ts: z.string().nullish(),
});

/** A message in an event, a page or inside `message_changed`. */
export const slackMessageSchema = z.object({
  subtype: z.string().optional(),
  user: z.string().nullish(),
  bot_id: z.string().nullish(),
  username: z.string().nullish(),
  bot_profile: z.object({ name: z.string().optional() }).nullish(),
  team: z.string().nullish(),
  user_team: z.string().nullish(),
  source_team: z.string().nullish(),
  text: z.string().nullish(),
  ts: z.string(),
  thread_ts: z.string().optional(),
  parent_user_id: z.string().nullish(),
  edited: z.object({ ts: z.string() }).nullish(),
  files: z.array(fileSchema).nullish(),
  latest_reply: z.string().nullish(),
  reply_count: z.number().nullish(),
  attachments: z.array(attachmentSchema).nullish(),
  blocks: z.array(blockSchema).nullish(),
});
export type SlackMessage = z.infer<typeof slackMessageSchema>;

/** A `message` or `app_mention` event. */
export const eventSchema = slackMessageSchema.extend({
  type: z.enum(['message', 'app_mention']),
  channel: z.string(),
  channel_type: z.string().optional(),
  event_ts: z.string().optional(),
  deleted_ts: z.string().optional(),
  message: slackMessageSchema.optional(),
  previous_message: slackMessageSchema.optional(),
  /** Of the callback around it: the workspace in which it happened. */
  workspace: z.string().optional(),
});
export type SlackEvent = z.infer<typeof eventSchema>;

/** The `agent_session_stopped` event: a person has pressed the stop button in a thread. */
export const stopSchema = z.object({
  type: z.literal('agent_session_stopped'),
  channel: z.string(),
  thread_ts: z.string(),
});

/** The callback around an event. */
export const callbackSchema = z.object({
  event: z.looseObject({ type: z.string() }),
  team_id: z.string().nullish(),
  enterprise_id: z.string().nullish(),
});

/** Stands for a message of another form than expected: it is passed by, since it would hold up all others of its page for ever. */
export const unreadable = 'unreadable';
const listedSchema: z.ZodType<SlackMessage> = z.union([
  slackMessageSchema,
  z.object({ ts: z.string() }).transform(({ ts }) => ({ ts, subtype: unreadable })),
]);

/** A page of conversations.history or conversations.replies. */
export const pageSchema = z.object({
  messages: z.array(listedSchema).default([]),
  has_more: z.boolean().optional(),
  response_metadata: z.object({ next_cursor: z.string().optional() }).nullish(),
});
export type SlackPage = z.infer<typeof pageSchema>;

/** A channel of users.conversations or conversations.info. */
export const channelSchema = z.object({
  id: z.string(),
  name: z.string().nullish(),
  is_im: z.boolean().optional(),
  is_member: z.boolean().optional(),
  is_mpim: z.boolean().optional(),
  is_private: z.boolean().optional(),
  is_archived: z.boolean().optional(),
  is_shared: z.boolean().optional(),
  is_ext_shared: z.boolean().optional(),
  is_org_shared: z.boolean().optional(),
  is_pending_ext_shared: z.boolean().optional(),
  context_team_id: z.string().nullish(),
  conversation_host_id: z.string().nullish(),
  internal_team_ids: z.array(z.string()).nullish(),
});
export type SlackChannel = z.infer<typeof channelSchema>;

/** What `renderSlack` puts in a part. */
export const bodySchema = z.object({
  text: z.string(),
  blocks: z.array(z.looseObject({ type: z.string() })).optional(),
});

/** Milliseconds since the epoch of a Slack timestamp. */
export function millisOf(ts: string): number {
  return Math.floor(Number(ts) * 1000);
}

/** Whether one timestamp is later than another. */
export function isLater(ts: string, than: string): boolean {
  return Number(ts) > Number(than);
}
