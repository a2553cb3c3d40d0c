// What members and administrators do in a guild of the sandbox: come and go, roles, overwrites, threads. Each act is reported by the world.
import { ParleyError } from '#base/errors.ts';
import { type Guild, type GuildRole, memberOf, newMember, type Overwrite } from './guilds.ts';
import { botSees } from './permissions.ts';
import { type Room, type Thread, threadsOf, type World } from './world.ts';

/** The guild with this id; a ParleyError `unknown_guild` where there is none. */
export function guildAt(world: World, id: string): Guild {
  const guild = world.guilds.get(id);
  if (guild === undefined)
    throw new ParleyError('unknown_guild', `Expected the id of a guild in the sandbox, got "${id}".`);
  return guild;
}

/** An account comes into a guild. A ban is lifted first. */
export function join(world: World, guild: Guild, personID: string): void {
  if (guild.members.has(personID)) return;
  if (guild.bans.delete(personID)) world.notify({ type: 'unbanned', guild, personID });
  guild.members.set(personID, newMember(personID, world.clock.now()));
  world.notify({ type: 'member joined', guild, personID });
}

/**
 * An account leaves a guild, or is made to. Its roles and its threads go with it; a channel's overwrite for it stays, and holds
 * again when it comes back.
 */
export function leave(
  world: World,
  guild: Guild,
  { personID, how }: { personID: string; how: 'left' | 'kicked' | 'banned' },
): void {
  if (how === 'banned' && !guild.bans.has(personID)) {
    guild.bans.add(personID);
    world.notify({ type: 'banned', guild, personID });
  }
  if (!guild.members.delete(personID)) return;
  for (const id of guild.roomIDs)
    for (const thread of threadsOf(world, id)) changeThread(world, thread, { remove: [personID] });
  world.notify({ type: 'member left', guild, personID });
}

/** Changes a member's roles, time-out or screening. */
export function changeMember(
  world: World,
  guild: Guild,
  change: {
    personID: string;
    give?: string | undefined;
    take?: string | undefined;
    timedOut?: 'yes' | 'no' | undefined;
    pending?: 'yes' | 'no' | undefined;
    guest?: 'yes' | 'no' | undefined;
  },
): void {
  const { personID, give, take } = change;
  const member = memberOf(guild, personID);
  if (member === undefined)
    throw new ParleyError('unknown_member', `Expected a member of ${guild.name}, got "${personID}".`);
  whileBotLooks(world, guild, () => {
    if (give !== undefined) member.roleIDs.add(give);
    if (take !== undefined) member.roleIDs.delete(take);
    member.timedOut = change.timedOut ?? member.timedOut;
    member.pending = change.pending ?? member.pending;
    member.guest = change.guest ?? member.guest;
    world.notify({ type: 'member changed', guild, personID });
  });
}

export function makeRole(
  world: World,
  guild: Guild,
  { name, permissions = 0n }: { name: string; permissions?: bigint },
): GuildRole {
  const role: GuildRole = {
    id: world.newID(),
    name,
    permissions,
    position: guild.roles.size,
    botID: undefined,
  };
  guild.roles.set(role.id, role);
  world.notify({ type: 'role made', guild, role });
  return role;
}

/** Changes what a role may do in the whole guild. */
export function changeRole(
  world: World,
  guild: Guild,
  change: { roleID: string; permissions: bigint },
): void {
  const role = guild.roles.get(change.roleID);
  if (role === undefined)
    throw new ParleyError('unknown_role', `Expected a role of ${guild.name}, got "${change.roleID}".`);
  whileBotLooks(world, guild, () => {
    role.permissions = change.permissions;
    world.notify({ type: 'role changed', guild, role });
  });
}

/** Deletes a role; its members and the channels lose it. */
export function deleteRole(world: World, guild: Guild, roleID: string): void {
  const role = guild.roles.get(roleID);
  if (role === undefined || roleID === guild.id) return;
  whileBotLooks(world, guild, () => {
    guild.roles.delete(roleID);
    for (const member of guild.members.values()) member.roleIDs.delete(roleID);
    for (const room of roomsOf(world, guild)) room.overwrites.delete(roleID);
    world.notify({ type: 'role deleted', guild, role });
  });
}

/** Sets a channel's overwrite for a role or a member, or takes it away. */
export function setOverwrite(
  world: World,
  room: Room,
  { id, overwrite }: { id: string; overwrite: Overwrite | undefined },
): void {
  const seen = botSees(world, room);
  if (overwrite === undefined) room.overwrites.delete(id);
  else room.overwrites.set(id, overwrite);
  world.notify({ type: 'room changed', room });
  if (!seen && botSees(world, room)) showThreads(world, room);
}

/** Adds accounts to a thread and removes others from it. */
export function changeThread(
  world: World,
  thread: Thread,
  { add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] },
): void {
  const added = add.filter((id) => !thread.members.has(id));
  const removed = remove.filter((id) => thread.members.has(id));
  if (added.length + removed.length === 0) return;
  const seen = botSees(world, thread);
  for (const id of added) thread.members.set(id, world.clock.now());
  for (const id of removed) thread.members.delete(id);
  // "Gaining Access to Private Threads": who is added is given the thread first.
  if (!seen && botSees(world, thread)) world.notify({ type: 'thread opened', thread });
  world.notify({ type: 'thread members', thread, added, removed });
}

/** Deletes a room with its threads, or a thread. Discord sends no deletion of the messages in it. */
export function deleteChannel(world: World, channel: Room | Thread): void {
  const seen = botSees(world, channel);
  if (channel.kind === 'room') {
    for (const thread of threadsOf(world, channel.id)) forget(world, thread);
    world.guilds.get(channel.guildID)?.roomIDs.delete(channel.id);
    world.threads.delete(channel.id);
  } else world.threads.get(channel.parentID)?.delete(channel.id);
  forget(world, channel);
  if (channel.kind === 'room') world.notify({ type: 'room deleted', room: channel });
  else if (seen) world.notify({ type: 'thread deleted', thread: channel });
}

/** The bot is removed from a guild, or the guild is gone for a while in an outage, or it is back. */
export function setPresence(world: World, guild: Guild, state: Guild['state']): void {
  guild.state = state;
  if (state === 'without the bot') guild.members.delete(world.bot.id);
  else if (!guild.members.has(world.bot.id))
    guild.members.set(world.bot.id, newMember(world.bot.id, world.clock.now(), [guild.botRoleID]));
  const type = {
    available: 'guild joined',
    unavailable: 'guild unavailable',
    'without the bot': 'guild left',
  } as const;
  world.notify({ type: type[state], guild });
}

function forget(world: World, channel: Room | Thread): void {
  for (const { id } of world.messages.get(channel.id) ?? []) world.byID.delete(id);
  world.messages.delete(channel.id);
  world.channels.delete(channel.id);
}

/** The rooms of a guild, without threads. */
export function roomsOf(world: World, guild: Guild): Room[] {
  return [...guild.roomIDs].flatMap((id) => {
    const room = world.channels.get(id);
    return room?.kind === 'room' ? room : [];
  });
}

/** Makes a change, and reports to the bot which rooms it sees now or no longer ("Channel Obfuscation", "Gaining Access to Channels"). */
function whileBotLooks(world: World, guild: Guild, change: () => void): void {
  const rooms = roomsOf(world, guild);
  const before = new Set(rooms.filter((room) => botSees(world, room)));
  change();
  for (const room of rooms) {
    const sees = botSees(world, room);
    if (sees === before.has(room)) continue;
    world.notify({ type: 'room changed', room });
    if (sees) showThreads(world, room);
  }
}

function showThreads(world: World, room: Room): void {
  const threads = threadsOf(world, room.id).filter((thread) => botSees(world, thread));
  world.notify({ type: 'threads shown', room, threads });
}
