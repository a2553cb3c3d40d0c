// Guilds of the sandbox's world: roles, members, bans. What members and administrators do in them is moderation.ts.
import type { NewSnowflake } from './snowflake.ts';

export interface GuildRole {
  id: string;
  name: string;
  permissions: bigint;
  position: number;
  /** The bot whose own role it is. */
  botID: string | undefined;
}

/** What a channel grants or denies to a role or to one member, beyond the guild's roles. */
export interface Overwrite {
  of: 'role' | 'member';
  allow: bigint;
  deny: bigint;
}

export interface Member {
  personID: string;
  roleIDs: Set<string>;
  joinedAt: number;
  timedOut: 'yes' | 'no';
  /** Has not passed Membership Screening yet. */
  pending: 'yes' | 'no';
  /** Came by an invitation to just one voice channel. */
  guest: 'yes' | 'no';
}

export interface Guild {
  id: string;
  name: string;
  ownerID: string;
  botRoleID: string;
  /** The first has the guild's own id: @everyone. */
  roles: Map<string, GuildRole>;
  members: Map<string, Member>;
  bans: Set<string>;
  /** Its rooms, without threads. */
  roomIDs: Set<string>;
  state: 'available' | 'unavailable' | 'without the bot';
}

/** A guild with the bot in it and its owner; `everyone` is what @everyone and the bot may do there. */
export function createGuild(
  newID: NewSnowflake,
  guild: {
    name: string;
    ownerID: string;
    bot: { id: string; username: string };
    everyone: bigint;
    at: number;
  },
): Guild {
  const { name, ownerID, bot, everyone: permissions, at } = guild;
  const id = newID();
  const botRoleID = newID();
  const roles: GuildRole[] = [
    { id, name: '@everyone', permissions, position: 0, botID: undefined },
    { id: botRoleID, name: bot.username, permissions, position: 1, botID: bot.id },
  ];
  const members = [newMember(bot.id, at, [botRoleID]), newMember(ownerID, at)];
  return {
    id,
    name,
    ownerID,
    botRoleID,
    roles: new Map(roles.map((role) => [role.id, role])),
    members: new Map(members.map((member) => [member.personID, member])),
    bans: new Set(),
    roomIDs: new Set(),
    state: 'available',
  };
}

export function newMember(personID: string, joinedAt: number, roleIDs: readonly string[] = []): Member {
  return { personID, joinedAt, roleIDs: new Set(roleIDs), timedOut: 'no', pending: 'no', guest: 'no' };
}

/** The member, where the account is in the guild. */
export function memberOf(guild: Guild | undefined, personID: string): Member | undefined {
  return guild?.members.get(personID);
}
