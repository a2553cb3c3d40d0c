// What is read of Discord's payloads, and nothing more: the shapes at the rim. What they mean is decided elsewhere.
import { z } from 'zod';

const user = z.looseObject({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().optional(),
});

const member = z.looseObject({ nick: z.string().nullish() });

const attachment = z.looseObject({
  id: z.string(),
  filename: z.string(),
  size: z.number(),
  url: z.string(),
  content_type: z.string().nullish(),
});

/** `format_type` 1 is PNG, 2 animated PNG, 3 Lottie, 4 GIF. */
const sticker = z.looseObject({ id: z.string(), name: z.string(), format_type: z.int() });

const poll = z.looseObject({
  question: z.looseObject({ text: z.string().nullish() }),
  answers: z.array(z.looseObject({ poll_media: z.looseObject({ text: z.string().nullish() }) })).default([]),
});

/** A card below a message: what a webhook posts, or the preview of a link. */
const embed = z.looseObject({
  title: z.string().nullish(),
  url: z.string().nullish(),
  description: z.string().nullish(),
  author: z.looseObject({ name: z.string().nullish() }).nullish(),
  provider: z.looseObject({ name: z.string().nullish() }).nullish(),
  footer: z.looseObject({ text: z.string().nullish() }).nullish(),
  fields: z.array(z.looseObject({ name: z.string(), value: z.string() })).nullish(),
});
export type EmbedPayload = z.infer<typeof embed>;

/** What a message holds, whoever wrote it and wherever it stands. */
const content = {
  content: z.string().default(''),
  attachments: z.array(attachment).default([]),
  sticker_items: z.array(sticker).default([]),
  embeds: z.array(embed).default([]),
  components: z.array(z.unknown()).default([]),
  poll: poll.nullish(),
};

const snapshot = z.looseObject(content);
export type ContentPayload = z.infer<typeof snapshot>;
const snapshots = z.array(z.looseObject({ message: snapshot })).optional();

const quotedMessage = z.looseObject({
  id: z.string(),
  author: user,
  mentions: z.array(user).default([]),
  timestamp: z.string().nullish(),
  ...content,
  message_snapshots: snapshots,
});
export type QuotedPayload = z.infer<typeof quotedMessage>;

export const messagePayload = z.looseObject({
  id: z.string(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  type: z.int(),
  ...content,
  author: user,
  member: member.optional(),
  webhook_id: z.string().optional(),
  mentions: z.array(user.extend({ member: member.optional() })).default([]),
  mention_roles: z.array(z.string()).default([]),
  timestamp: z.string(),
  edited_timestamp: z.string().nullish(),
  /** Type 0 is a reply, type 1 a message that was forwarded. */
  message_reference: z.looseObject({ type: z.int().optional(), message_id: z.string().optional() }).nullish(),
  referenced_message: quotedMessage.nullish(),
  message_snapshots: snapshots,
});
export type MessagePayload = z.infer<typeof messagePayload>;

/** What tells a person's edit from other changes of a message. */
export const updatePayload = z.looseObject({ id: z.string(), edited_timestamp: z.string().nullish() });

export const deletePayload = z.looseObject({
  id: z.string(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
});

export const bulkDeletePayload = z.looseObject({
  ids: z.array(z.string()),
  channel_id: z.string(),
  guild_id: z.string().optional(),
});

const spokenIn = z.looseObject({ id: z.string(), last_message_id: z.string().nullish() });

/** A guild as a session begins; one that is not available has neither. */
export const guildPayload = z.looseObject({
  channels: z.array(spokenIn).default([]),
  threads: z.array(spokenIn).default([]),
});

/** A thread, or the channel that it is in, as far as it tells what the thread is called. */
export const titledPayload = z.looseObject({
  name: z.string().nullish(),
  parent_id: z.string().nullish(),
  applied_tags: z.array(z.string()).default([]),
  available_tags: z.array(z.looseObject({ id: z.string(), name: z.string() })).default([]),
});

/** A dispatch of the gateway: its name, and data that depends on it. */
export const dispatch = z.looseObject({ t: z.string(), d: z.unknown() });

export const posted = z.looseObject({ id: z.string() });

export const self = z.looseObject({ id: z.string(), username: z.string() });

/** How many sessions the bot may still start, and in how many milliseconds it is `total` again. */
export const gatewayBot = z.looseObject({
  session_start_limit: z.looseObject({ total: z.int(), remaining: z.int(), reset_after: z.int() }),
});

export const application = z.looseObject({ id: z.string(), flags: z.int().default(0) });

export const refreshedUrls = z.looseObject({
  refreshed_urls: z.array(z.looseObject({ refreshed: z.string().nullish() })),
});
