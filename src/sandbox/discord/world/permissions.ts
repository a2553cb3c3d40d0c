// What an account may do in a channel, computed as Discord documents it ("Permissions"). Pure; nothing of it comes from the adapter.
import { type Guild, type Member, memberOf, type Overwrite } from './guilds.ts';
import { permissionBits } from './permission-bits.ts';
import { homeOf, type Room, type World, type WorldChannel } from './world.ts';

const { viewChannel, readMessageHistory, connect, manageThreads, administrator } = permissionBits;
const all = (1n << 53n) - 1n;

const has = (permissions: bigint, bits: bigint): boolean => (permissions & bits) === bits;

/** "Permission Overwrites": @everyone and the roles of the guild, then @everyone, the roles and the member of the channel. */
function permissionsOf(guild: Guild, member: Member, room: Room): bigint {
  const { personID, roleIDs } = member;
  let sum = guildPermissionsOf(guild, member);
  if (sum === all) return all;
  const ofRoles = { allow: 0n, deny: 0n };
  for (const id of roleIDs) {
    const overwrite = room.overwrites.get(id);
    ofRoles.allow |= overwrite?.allow ?? 0n;
    ofRoles.deny |= overwrite?.deny ?? 0n;
  }
  sum = changed(sum, room.overwrites.get(guild.id));
  sum = changed(sum, ofRoles);
  sum = changed(sum, room.overwrites.get(personID));
  // "Permissions for Timed Out Members": they have these two only; the owner and administrators returned above.
  return member.timedOut === 'yes' ? sum & (viewChannel | readMessageHistory) : sum;
}

/** What a member may do in the guild as a whole, without the channels' overwrites. */
export function guildPermissionsOf(guild: Guild, { personID, roleIDs }: Member): bigint {
  if (guild.ownerID === personID) return all;
  let sum = guild.roles.get(guild.id)?.permissions ?? 0n;
  for (const id of roleIDs) sum |= guild.roles.get(id)?.permissions ?? 0n;
  return has(sum, administrator) ? all : sum;
}

function changed(sum: bigint, overwrite: Pick<Overwrite, 'allow' | 'deny'> | undefined): bigint {
  return overwrite === undefined ? sum : (sum & ~overwrite.deny) | overwrite.allow;
}

/** What reading a channel takes at all: CONNECT next to VIEW_CHANNEL in voice and stage channels ("Get Channel Messages"). */
function viewBits(room: Room): bigint {
  return room.type === 'voice' || room.type === 'stage' ? viewChannel | connect : viewChannel;
}

/**
 * Whether the account sees what is written in a channel at this moment. Threads inherit from their parent; a private one also takes
 * that the account was added to it or has MANAGE_THREADS ("Threads", "Permissions").
 */
export function maySee(world: World, channel: WorldChannel, personID: string): boolean {
  if (channel.kind === 'dm') return channel.personID === personID || personID === world.bot.id;
  const home = homeOf(world, channel);
  const guild = world.guilds.get(channel.guildID);
  const member = memberOf(guild, personID);
  if (home.kind !== 'room' || guild === undefined || member === undefined) return false;
  const permissions = permissionsOf(guild, member, home);
  if (!has(permissions, viewBits(home))) return false;
  if (channel.kind !== 'thread' || channel.privacy === 'public') return true;
  return channel.members.has(personID) || has(permissions, manageThreads);
}

/** Whether the account may also open what was written there before: without READ_MESSAGE_HISTORY "no messages will be returned". */
export function mayReadHistory(world: World, channel: WorldChannel, personID: string): boolean {
  if (channel.kind === 'dm') return maySee(world, channel, personID);
  return maySee(world, channel, personID) && mayDo(world, channel, { personID, bits: readMessageHistory });
}

/** Whether the account may do something in a channel, as far as one permission goes. */
export function mayDo(
  world: World,
  channel: WorldChannel,
  { personID, bits }: { personID: string; bits: bigint },
): boolean {
  if (channel.kind === 'dm') return true;
  const home = homeOf(world, channel);
  const guild = world.guilds.get(channel.guildID);
  const member = memberOf(guild, personID);
  if (home.kind !== 'room' || guild === undefined || member === undefined) return false;
  return has(permissionsOf(guild, member, home), bits);
}

/** Whether the bot sees a channel. */
export function botSees(world: World, channel: WorldChannel): boolean {
  return maySee(world, channel, world.bot.id);
}
