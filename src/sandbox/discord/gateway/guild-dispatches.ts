// What the gateway says about guilds, their rooms, roles and members, and who hears it. Messages are dispatches.ts.
import {
  channelPayload,
  dispatchedRoom,
  threadMemberPayload,
} from '#sandbox/discord/payloads/channel-payload.ts';
import {
  guildPayload,
  memberPayload,
  rolePayload,
  userPayload,
} from '#sandbox/discord/payloads/people-payload.ts';
import { type Guild, memberOf } from '#sandbox/discord/world/guilds.ts';
import { roomsOf } from '#sandbox/discord/world/moderation.ts';
import { permissionBits } from '#sandbox/discord/world/permission-bits.ts';
import { botSees, guildPermissionsOf } from '#sandbox/discord/world/permissions.ts';
import {
  type ChannelEvent,
  type GuildEvent,
  personOf,
  threadsOf,
  type World,
} from '#sandbox/discord/world/world.ts';
import type { Dispatch } from './dispatch.ts';
import { intentBits } from './intents.ts';

/**
 * The dispatch for a session with these intents ("List of Intents"); undefined where it is not told. Nobody gets events of a guild that
 * the bot is not in, or that are down in an outage.
 */
export function guildDispatchOf(
  world: World,
  happening: GuildEvent | ChannelEvent,
  intents: number,
): Dispatch | undefined {
  const guild = 'guild' in happening ? happening.guild : world.guilds.get(placeOf(happening).guildID);
  if (guild === undefined) return undefined;
  if ((intents & intentBits.guilds) !== 0) {
    if (happening.type === 'guild left') return { t: 'GUILD_DELETE', d: { id: guild.id } };
    if (happening.type === 'guild unavailable')
      return { t: 'GUILD_DELETE', d: { id: guild.id, unavailable: true } };
  }
  if (guild.state !== 'available') return undefined;
  if ((intents & neededFor(happening, world)) === 0) return undefined;
  return 'guild' in happening ? ofGuild(world, happening) : ofPlace(world, happening, intents);
}

/** "List of Intents": any of these bits is enough. */
function neededFor(happening: GuildEvent | ChannelEvent, world: World): number {
  switch (happening.type) {
    case 'member joined':
    case 'member left':
      return intentBits.guildMembers;
    // "Only sent to bots with the BAN_MEMBERS or VIEW_AUDIT_LOG permission."
    case 'banned':
    case 'unbanned':
      return mayHearOfBans(happening.guild, world) ? intentBits.guildModeration : 0;
    // Of the bot itself it is sent "regardless of whether the GUILD_MEMBERS intent is set".
    case 'member changed':
      return happening.personID === world.bot.id
        ? intentBits.guildMembers | intentBits.guilds
        : intentBits.guildMembers;
    default:
      return intentBits.guilds;
  }
}

function mayHearOfBans(guild: Guild, world: World): boolean {
  const bot = memberOf(guild, world.bot.id);
  const { banMembers, viewAuditLog } = permissionBits;
  return bot !== undefined && (guildPermissionsOf(guild, bot) & (banMembers | viewAuditLog)) !== 0n;
}

function ofGuild(world: World, happening: GuildEvent): Dispatch | undefined {
  const { guild } = happening;
  const about = { guild_id: guild.id };
  switch (happening.type) {
    case 'guild joined':
      return guildCreateOf(world, guild);
    case 'guild changed':
      return { t: 'GUILD_UPDATE', d: guildPayload(guild) };
    case 'role made':
      return { t: 'GUILD_ROLE_CREATE', d: { ...about, role: rolePayload(happening.role) } };
    case 'role changed':
      return { t: 'GUILD_ROLE_UPDATE', d: { ...about, role: rolePayload(happening.role) } };
    case 'role deleted':
      return { t: 'GUILD_ROLE_DELETE', d: { ...about, role_id: happening.role.id } };
    case 'guild left':
    case 'guild unavailable':
      return undefined;
    default:
      return ofMember(world, happening);
  }
}

function ofMember(
  world: World,
  { type, guild, personID }: Extract<GuildEvent, { personID: string }>,
): Dispatch | undefined {
  const user = userPayload(personOf(world, personID));
  const member = memberOf(guild, personID);
  const about = { guild_id: guild.id };
  if (type === 'member left') return { t: 'GUILD_MEMBER_REMOVE', d: { ...about, user } };
  if (type === 'banned') return { t: 'GUILD_BAN_ADD', d: { ...about, user } };
  if (type === 'unbanned') return { t: 'GUILD_BAN_REMOVE', d: { ...about, user } };
  if (member === undefined) return undefined;
  const t = type === 'member joined' ? 'GUILD_MEMBER_ADD' : 'GUILD_MEMBER_UPDATE';
  return { t, d: { ...about, ...memberPayload(world, member) } };
}

function placeOf(happening: ChannelEvent): { guildID: string } {
  return 'room' in happening ? happening.room : happening.thread;
}

function ofPlace(world: World, happening: ChannelEvent, intents: number): Dispatch | undefined {
  switch (happening.type) {
    case 'room opened':
      return { t: 'CHANNEL_CREATE', d: dispatchedRoom(world, happening.room) };
    case 'room changed':
      return { t: 'CHANNEL_UPDATE', d: dispatchedRoom(world, happening.room) };
    case 'room deleted':
      return { t: 'CHANNEL_DELETE', d: channelPayload(world, happening.room) };
    case 'threads shown': {
      const { room, threads } = happening;
      const members = threads.flatMap((thread) =>
        thread.members.has(world.bot.id) ? [threadMemberPayload(thread, world.bot.id)] : [],
      );
      const shown = threads.map((thread) => channelPayload(world, thread));
      return {
        t: 'THREAD_LIST_SYNC',
        d: { guild_id: room.guildID, channel_ids: [room.id], threads: shown, members },
      };
    }
    case 'thread members':
      return threadMembersUpdate(happening, { world, intents });
    // The room may no longer exist, and then it cannot say who saw the thread.
    case 'thread deleted': {
      const { id, guildID, parentID, privacy } = happening.thread;
      const type = privacy === 'private' ? 12 : 11;
      return { t: 'THREAD_DELETE', d: { id, guild_id: guildID, parent_id: parentID, type } };
    }
    case 'thread opened':
    case 'thread changed': {
      if (!botSees(world, happening.thread)) return undefined;
      const payload = channelPayload(world, happening.thread);
      return happening.type === 'thread opened'
        ? { t: 'THREAD_CREATE', d: { ...payload, newly_created: true } }
        : { t: 'THREAD_UPDATE', d: payload };
    }
  }
}

/** Without GUILD_MEMBERS only of the bot itself ("Thread Members Update"). */
function threadMembersUpdate(
  { thread, added, removed }: Extract<ChannelEvent, { type: 'thread members' }>,
  { world, intents }: { world: World; intents: number },
): Dispatch | undefined {
  const self = world.bot.id;
  const toAll = (intents & intentBits.guildMembers) !== 0;
  const received = (ids: readonly string[]) => ids.filter((id) => toAll || id === self);
  const concerned = received(added).length + received(removed).length > 0;
  if (!concerned || !(botSees(world, thread) || removed.includes(self))) return undefined;
  const { id, guildID } = thread;
  return {
    t: 'THREAD_MEMBERS_UPDATE',
    d: {
      id,
      guild_id: guildID,
      member_count: Math.min(50, thread.members.size),
      added_members: received(added).map((one) => threadMemberPayload(thread, one)),
      removed_member_ids: received(removed),
    },
  };
}

/** The guild as it comes after READY, with its rooms and the open threads that the bot sees. */
export function guildCreateOf(world: World, guild: Guild): Dispatch {
  const rooms = roomsOf(world, guild);
  const threads = rooms.flatMap(({ id }) => threadsOf(world, id)).filter((thread) => botSees(world, thread));
  const self = memberOf(guild, world.bot.id);
  return {
    t: 'GUILD_CREATE',
    d: {
      ...guildPayload(guild),
      joined_at: '2024-01-01T00:00:00.000000+00:00',
      large: false,
      unavailable: false,
      member_count: guild.members.size,
      voice_states: [],
      members: self === undefined ? [] : [memberPayload(world, self)],
      channels: rooms.map((room) => dispatchedRoom(world, room)),
      threads: threads.map((thread) => channelPayload(world, thread)),
      presences: [],
      stage_instances: [],
      guild_scheduled_events: [],
      soundboard_sounds: [],
    },
  };
}
