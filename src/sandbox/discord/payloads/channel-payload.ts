// Channels and threads as Discord's API and gateway write them. Pure.
import type { Overwrite } from '#sandbox/discord/world/guilds.ts';
import { permissionBits } from '#sandbox/discord/world/permission-bits.ts';
import { botSees } from '#sandbox/discord/world/permissions.ts';
import {
  homeOf,
  personOf,
  type Room,
  type RoomType,
  type Thread,
  type World,
  type WorldChannel,
} from '#sandbox/discord/world/world.ts';
import { userPayload } from './people-payload.ts';
import { timestamp } from './timestamp.ts';

const numberOf: Readonly<Record<RoomType, number>> = {
  text: 0,
  voice: 2,
  category: 4,
  announcement: 5,
  stage: 13,
  forum: 15,
};

/** Discord's number for the type of a channel. A thread in an announcement channel is an announcement thread. */
export function typeNumber(world: World, channel: WorldChannel): number {
  if (channel.kind === 'dm') return 1;
  if (channel.kind === 'room') return numberOf[channel.type];
  if (channel.privacy === 'private') return 12;
  const home = homeOf(world, channel);
  return home.kind === 'room' && home.type === 'announcement' ? 10 : 11;
}

/** A channel as the API answers with it: in full. */
export function channelPayload(world: World, channel: WorldChannel) {
  const common = { id: channel.id, last_message_id: channel.lastMessageID ?? null, flags: 0 };
  switch (channel.kind) {
    case 'dm':
      return { ...common, type: 1, recipients: [userPayload(personOf(world, channel.personID))] };
    case 'thread':
      return threadPayload(world, channel);
    case 'room':
      return {
        ...common,
        type: typeNumber(world, channel),
        guild_id: channel.guildID,
        name: channel.name,
        position: channel.position,
        parent_id: null,
        topic: null,
        nsfw: channel.ageRestricted === 'yes',
        rate_limit_per_user: 0,
        permission_overwrites: [...channel.overwrites].map(([id, one]) => overwritePayload(id, one)),
        ...(channel.type === 'forum' ? { available_tags: (channel.tags ?? []).map(tagPayload) } : {}),
      };
  }
}

/** The flag of a channel that the bot may not view. */
const obfuscated = 1 << 17;

/**
 * A room as the gateway dispatches it. Of one that the bot may not view it has the id and the type, and a single overwrite that
 * denies VIEW_CHANNEL to @everyone ("Channel Visibility"; so for every bot since October 12, 2026).
 */
export function dispatchedRoom(world: World, room: Room) {
  const payload = channelPayload(world, room);
  if (botSees(world, room)) return payload;
  const hidden = { of: 'role', allow: 0n, deny: permissionBits.viewChannel } as const;
  return {
    ...payload,
    name: '___hidden___',
    last_message_id: null,
    flags: obfuscated,
    permission_overwrites: [overwritePayload(room.guildID, hidden)],
  };
}

function overwritePayload(id: string, { of, allow, deny }: Overwrite) {
  return { id, type: of === 'role' ? 0 : 1, allow: allow.toString(), deny: deny.toString() };
}

/** A tag of a forum (Discord, "Forum Tag Object"). */
function tagPayload({ id, name }: { id: string; name: string }) {
  return { id, name, moderated: false, emoji_id: null, emoji_name: null };
}

export function threadPayload(world: World, thread: Thread) {
  const count = world.messages.get(thread.id)?.length ?? 0;
  return {
    id: thread.id,
    type: typeNumber(world, thread),
    last_message_id: thread.lastMessageID ?? null,
    flags: 0,
    guild_id: thread.guildID,
    name: thread.name,
    parent_id: thread.parentID,
    rate_limit_per_user: 0,
    owner_id: thread.ownerID,
    thread_metadata: {
      archived: thread.locked === true,
      archive_timestamp: timestamp(thread.createdAt),
      auto_archive_duration: 1440,
      locked: thread.locked === true,
      create_timestamp: timestamp(thread.createdAt),
      ...(thread.privacy === 'private' ? { invitable: true } : {}),
    },
    message_count: count,
    member_count: Math.min(50, thread.members.size),
    total_message_sent: count,
    ...(thread.tags === undefined ? {} : { applied_tags: thread.tags.map(({ id }) => id) }),
    ...(thread.members.has(world.bot.id) ? { member: threadMemberPayload(thread, world.bot.id) } : {}),
  };
}

/** A person's membership in a thread. */
export function threadMemberPayload(thread: Thread, personID: string) {
  const joinedAt = thread.members.get(personID) ?? thread.createdAt;
  return { id: thread.id, user_id: personID, join_timestamp: timestamp(joinedAt), flags: 0 };
}
