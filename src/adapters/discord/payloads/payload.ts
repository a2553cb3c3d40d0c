// What is read of Discord's payloads, and nothing more: the shapes at the rim. What they mean is decided somewhere else.
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
  /** Only voice messages have these two. */
  waveform: z.string().nullish(),
  duration_secs: z.number().nullish(),
});

/** `format_type` 1 is PNG, 2 animated PNG, 3 Lottie, 4 GIF. */
const sticker = z.looseObject({ id: z.string(), name: z.string(), format_type: z.int() });

const poll = z.looseObject({
  question: z.looseObject({ text: z.string().nullish() }),
  answers: z.array(z.looseObject({ poll_media: z.looseObject({ text: z.string().nullish() }) })).default([]),
});

/** What hangs below a message's text: an alert of a webhook, the preview of a link. */
const embed = z.looseObject({
  title: z.string().nullish(),
  url: z.string().nullish(),
  description: z.string().nullish(),
  author: z.looseObject({ name: z.string().nullish() }).nullish(),
  provider: z.looseObject({ name: z.string().nullish() }).nullish(),
  fields: z.array(z.looseObject({ name: z.string(), value: z.string() })).nullish(),
  footer: z.looseObject({ text: z.string().nullish() }).nullish(),
});

/** A component of a message; containers and sections hold others, and a text display has `content`. */
export interface TextComponent {
  type: number;
  content?: string | undefined;
  components?: TextComponent[] | undefined;
}
const component: z.ZodType<TextComponent> = z.looseObject({
  type: z.int(),
  content: z.string().optional(),
  get components() {
    return z.array(component).optional();
  },
});

const cards = {
  embeds: z.array(embed).default([]),
  components: z.array(component).default([]),
};

const snapshot = z.looseObject({
  content: z.string().default(''),
  attachments: z.array(attachment).default([]),
  sticker_items: z.array(sticker).default([]),
  ...cards,
});
const snapshots = z.array(z.looseObject({ message: snapshot })).optional();

const quotedMessage = z.looseObject({
  id: z.string(),
  content: z.string(),
  author: user,
  mentions: z.array(user).default([]),
  attachments: z.array(attachment).default([]),
  sticker_items: z.array(sticker).default([]),
  timestamp: z.string().optional(),
  message_snapshots: snapshots,
  ...cards,
});
export type QuotedPayload = z.infer<typeof quotedMessage>;

export const messagePayloadSchema = z.looseObject({
  id: z.string(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  type: z.int(),
  content: z.string(),
  author: user,
  member: member.optional(),
  webhook_id: z.string().optional(),
  mentions: z.array(user.extend({ member: member.optional() })).default([]),
  mention_roles: z.array(z.string()).default([]),
  mention_everyone: z.boolean().default(false),
  attachments: z.array(attachment).default([]),
  ...cards,
  sticker_items: z.array(sticker).default([]),
  poll: poll.nullish(),
  timestamp: z.string(),
  edited_timestamp: z.string().nullish(),
  /** Type 0 is a reply, type 1 a message that was forwarded. */
  message_reference: z.looseObject({ type: z.int().optional(), message_id: z.string().optional() }).nullish(),
  referenced_message: quotedMessage.nullish(),
  message_snapshots: snapshots,
});
export type MessagePayload = z.infer<typeof messagePayloadSchema>;

/** What distinguishes a person's edit from other changes of a message. */
export const updatePayload = z.looseObject({ id: z.string(), edited_timestamp: z.string().nullish() });

/** A change that is no edit: Discord may send no more of the message than what has changed. */
export const previewPayload = z.looseObject({
  id: z.string(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  ...cards,
});
export type PreviewPayload = z.infer<typeof previewPayload>;

export const deletePayload = z.looseObject({
  id: z.string(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
});

/** A reaction that was added or removed; whose message it is, and who reacted, Discord says of an added one only. */
export const reactionPayload = z.looseObject({
  user_id: z.string(),
  channel_id: z.string(),
  message_id: z.string(),
  guild_id: z.string().optional(),
  message_author_id: z.string().optional(),
  member: z.looseObject({ nick: z.string().nullish(), user }).optional(),
  emoji: z.looseObject({ id: z.string().nullish(), name: z.string().nullish() }),
});
export type ReactionPayload = z.infer<typeof reactionPayload>;

export const bulkDeletePayload = z.looseObject({
  ids: z.array(z.string()),
  channel_id: z.string(),
  guild_id: z.string().optional(),
});

const spokenIn = z.looseObject({ id: z.string(), last_message_id: z.string().nullish() });

/** A guild as a session begins; one that is not available has neither. */
export const guildPayloadSchema = z.looseObject({
  channels: z.array(spokenIn).default([]),
  threads: z.array(spokenIn).default([]),
});

/** A thread, or the channel that it is in, as far as the thread's name is known. */
export const titledPayload = z.looseObject({
  name: z.string().nullish(),
  applied_tags: z.array(z.string()).default([]),
  available_tags: z.array(z.looseObject({ id: z.string(), name: z.string() })).default([]),
});

/** A dispatch of the gateway: its name, its number in the session, and data that depends on the name. */
export const dispatch = z.looseObject({ t: z.string(), s: z.int().nullish(), d: z.unknown() });

export const posted = z.looseObject({ id: z.string() });

export const self = z.looseObject({ id: z.string(), username: z.string() });

/** How many sessions the bot may still start, and in how many milliseconds it is `total` again. */
export const gatewayBot = z.looseObject({
  url: z.string(),
  shards: z.int().min(1),
  session_start_limit: z.looseObject({
    total: z.int(),
    remaining: z.int(),
    reset_after: z.int(),
    max_concurrency: z.int().min(1),
  }),
});

export const application = z.looseObject({ id: z.string(), flags: z.int().default(0) });

export const refreshedUrls = z.looseObject({
  refreshed_urls: z.array(z.looseObject({ refreshed: z.string().nullish() })),
});
