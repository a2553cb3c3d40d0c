// How each kind of room of the sandbox's places is made on Discord, and how one account, or all of them, are let in or kept out. No messages.

import { ParleyError } from '#base/errors.ts';
import type { RoomKind } from '#sandbox/places.ts';
import { type Guild, memberOf, type Overwrite } from './world/guilds.ts';
import { changeMember, changeThread, guildAt, join, makeRole, setOverwrite } from './world/moderation.ts';
import { permissionBits } from './world/permission-bits.ts';
import { openThread } from './world/speech.ts';
import { type Room, type RoomType, roomIn, type Thread, type World } from './world/world.ts';

/** A room of the places: the channel, and what is needed to let someone in or keep someone out. */
export interface PlaceRoom {
  kind: RoomKind;
  channel: Room | Thread;
  /** The role that lets in (`role`) or keeps out (`denied`). */
  roleID: string | undefined;
  /** The forum that posts of this room are in: its overwrites are the room's own, as of two channels synced with one category. */
  forum: Room | undefined;
}

interface NewRoom {
  kind: RoomKind;
  name: string;
  parent: PlaceRoom | undefined;
  members: readonly string[];
}

export const discordKinds: readonly [RoomKind, ...RoomKind[]] = [
  'public',
  'private',
  'role',
  'denied',
  'no history',
  'voice',
  'announcement',
  'public thread',
  'forum post',
  'private thread',
];

const { viewChannel, readMessageHistory, connect } = permissionBits;

/** The permission that a kind of room grants or denies by overwrites. */
const gateOf = (kind: RoomKind): bigint => {
  if (kind === 'no history') return readMessageHistory;
  return kind === 'voice' ? connect : viewChannel;
};

const allow = (of: Overwrite['of'], bits: bigint): Overwrite => ({ of, allow: bits, deny: 0n });
const deny = (of: Overwrite['of'], bits: bigint): Overwrite => ({ of, allow: 0n, deny: bits });

/** Makes a room or a thread with the bot and these accounts in it, and reports that to the bot. */
export function makeRoom(world: World, guild: Guild, made: NewRoom): PlaceRoom {
  for (const personID of made.members) join(world, guild, personID);
  switch (made.kind) {
    case 'public thread':
    case 'forum post':
    case 'private thread':
      return makeThread(world, guild, made);
    case 'role':
    case 'denied': {
      const role = makeRole(world, guild, { name: `${made.kind} ${made.name}` });
      return makeChannel(world, guild, { ...made, roleID: role.id });
    }
    default:
      return makeChannel(world, guild, { ...made, roleID: undefined });
  }
}

function makeChannel(world: World, guild: Guild, made: NewRoom & { roleID: string | undefined }): PlaceRoom {
  const { kind, name, members, roleID } = made;
  const types: Partial<Record<RoomKind, RoomType>> = { voice: 'voice', announcement: 'announcement' };
  const channel = roomIn(guild, {
    id: world.newID(),
    type: types[kind] ?? 'text',
    name,
    overwrites: overwritesOf(world, guild, made),
  });
  world.channels.set(channel.id, channel);
  world.notify({ type: 'room opened', room: channel });
  const place: PlaceRoom = { kind, channel, roleID, forum: undefined };
  for (const { personID } of [...guild.members.values()]) {
    const isIn = members.includes(personID) || personID === world.bot.id;
    if (kind === 'role' && isIn && roleID !== undefined)
      changeMember(world, guild, { personID, give: roleID });
    if (kind === 'denied' && !isIn && roleID !== undefined)
      changeMember(world, guild, { personID, give: roleID });
  }
  return place;
}

function overwritesOf(
  world: World,
  guild: Guild,
  { kind, members, roleID }: NewRoom & { roleID: string | undefined },
): Map<string, Overwrite> {
  const everyone = [guild.id, deny('role', gateOf(kind))] as const;
  const bot = [world.bot.id, allow('member', viewChannel | readMessageHistory | connect)] as const;
  const each = members.map((id) => [id, allow('member', gateOf(kind))] as const);
  switch (kind) {
    case 'private':
    case 'voice':
      return new Map([everyone, bot, ...each]);
    case 'role':
      return new Map([everyone, bot, [roleID ?? '', allow('role', viewChannel)]]);
    case 'denied':
      return new Map([[roleID ?? '', deny('role', viewChannel)], bot]);
    case 'no history':
      return new Map([everyone, bot]);
    default:
      return new Map();
  }
}

function makeThread(world: World, guild: Guild, { kind, name, parent, members }: NewRoom): PlaceRoom {
  const room = parent?.channel;
  const { type } = room?.kind === 'room' ? room : { type: undefined };
  const fits = type === 'text' || (type === 'announcement' && kind === 'public thread');
  if (parent === undefined || room?.kind !== 'room' || !fits)
    throw new ParleyError('no_parent', `Expected a room that may have a ${kind}, got ${type ?? 'none'}.`, {
      hint: 'Give a text channel; announcement channels have only public threads, voice channels none.',
    });
  if (kind === 'forum post') parent.forum ??= forumBeside(world, guild, room);
  const thread = openThread(world, {
    name,
    parentID: (kind === 'forum post' ? parent.forum : room)?.id ?? room.id,
    ownerID: members[0] ?? guild.ownerID,
    privacy: kind === 'private thread' ? 'private' : 'public',
    members: [...members, world.bot.id],
  });
  return { kind, channel: thread, roleID: undefined, forum: undefined };
}

function forumBeside(world: World, guild: Guild, room: Room): Room {
  const overwrites = new Map(room.overwrites);
  const forum = roomIn(guild, { id: world.newID(), type: 'forum', name: `${room.name} forum`, overwrites });
  world.channels.set(forum.id, forum);
  world.notify({ type: 'room opened', room: forum });
  return forum;
}

/** Lets an account into a room by what its kind needs; it is a member of the guild afterwards. */
export function letIn(world: World, { kind, channel, roleID, forum }: PlaceRoom, personID: string): void {
  const guild = guildAt(world, channel.guildID);
  join(world, guild, personID);
  if (channel.kind === 'thread') changeThread(world, channel, { add: [personID] });
  else if (kind === 'role') changeMember(world, guild, { personID, give: roleID });
  else if (kind === 'private' || kind === 'voice')
    overwrite(world, [channel, forum], { id: personID, overwrite: allow('member', gateOf(kind)) });
  else {
    if (kind === 'denied') changeMember(world, guild, { personID, take: roleID });
    overwrite(world, [channel, forum], { id: personID, overwrite: undefined });
  }
}

/** Keeps an account out. Nobody can leave a channel that everyone sees; there only a moderator's overwrite keeps someone out. */
export function keepOut(
  world: World,
  { kind, channel, roleID, forum }: PlaceRoom,
  { personID, how }: { personID: string; how: 'left' | 'kicked' | 'banned' },
): void {
  const guild = guildAt(world, channel.guildID);
  if (channel.kind === 'thread') changeThread(world, channel, { remove: [personID] });
  else if (kind === 'role' && memberOf(guild, personID) !== undefined)
    changeMember(world, guild, { personID, take: roleID });
  else if (kind === 'private' || kind === 'voice')
    overwrite(world, [channel, forum], { id: personID, overwrite: undefined });
  else if (how !== 'left')
    overwrite(world, [channel, forum], { id: personID, overwrite: deny('member', viewChannel) });
}

/** Makes a room readable by all or not; returns whether it could: a thread is what it was made as. */
export function setRoomOpen(
  world: World,
  { kind, channel, roleID, forum }: PlaceRoom,
  open: 'open' | 'closed',
): boolean {
  if (channel.kind === 'thread') return false;
  const rooms = [channel, forum];
  if (kind === 'denied') {
    const id = roleID ?? '';
    overwrite(world, rooms, { id, overwrite: open === 'open' ? undefined : deny('role', viewChannel) });
    return true;
  }
  // The bot stays: an administrator who closes a channel first gives the bot an overwrite of its own.
  if (open === 'closed')
    overwrite(world, rooms, {
      id: world.bot.id,
      overwrite: allow('member', viewChannel | readMessageHistory | connect),
    });
  overwrite(world, rooms, {
    id: channel.guildID,
    overwrite: open === 'open' ? undefined : deny('role', gateOf(kind)),
  });
  return true;
}

function overwrite(
  world: World,
  rooms: readonly (Room | undefined)[],
  change: { id: string; overwrite: Overwrite | undefined },
): void {
  for (const room of rooms) if (room !== undefined) setOverwrite(world, room, change);
}
