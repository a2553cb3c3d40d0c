// What is read of Discord's payloads about guilds, channels, roles and members: the shapes at the rim.
import { z } from 'zod';

const overwrite = z.looseObject({ id: z.string(), allow: z.string(), deny: z.string() });

export const channelPayloadSchema = z.looseObject({
  id: z.string(),
  guild_id: z.string().optional(),
  type: z.int(),
  parent_id: z.string().nullish(),
  name: z.string().nullish(),
  nsfw: z.boolean().default(false),
  permission_overwrites: z.array(overwrite).default([]),
});
export type ChannelPayload = z.infer<typeof channelPayloadSchema>;

export const rolePayloadSchema = z.looseObject({
  guild_id: z.string(),
  role: z.looseObject({ id: z.string(), permissions: z.string() }),
});

/** Creation and deletion of a role, of which nothing else matters. */
export const inGuild = z.looseObject({ guild_id: z.string() });

export const memberPayloadSchema = z.looseObject({
  guild_id: z.string(),
  user: z.looseObject({ id: z.string() }),
  joined_at: z.string().nullish(),
});

export const threadMembersPayload = z.looseObject({
  id: z.string(),
  guild_id: z.string(),
  added_members: z.array(z.looseObject({ user_id: z.string().optional() })).default([]),
  removed_member_ids: z.array(z.string()).default([]),
});

export const guildChange = z.looseObject({
  id: z.string(),
  owner_id: z.string().nullish(),
  name: z.string().nullish(),
});

/** `unavailable` is absent where the bot is out of the guild, and true in an outage. */
export const guildGone = z.looseObject({ id: z.string(), unavailable: z.boolean().optional() });

export const readyPayload = z.looseObject({ guilds: z.array(z.looseObject({ id: z.string() })) });
