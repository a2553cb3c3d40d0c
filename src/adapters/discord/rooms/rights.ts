// Who may read what on Discord at this moment: the member from the API, channels and roles from the gateway's cache, which events update.
import { ChannelType, type Client, DiscordAPIError, type Guild, GuildMemberFlags, Routes } from 'discord.js';
import { z } from 'zod';
import type { Rest } from '#adapters/discord/calls/rest.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { ReadingRight, ReadingRights } from '#adapters/gateway/terms/channel.ts';
import { ParleyError } from '#base/errors.ts';
import { lookUp } from './channel-context.ts';
import {
  isAgeRestricted,
  isReadByAll,
  type MemberRights,
  mayReadBack,
  overwriteChannelOf,
} from './readers.ts';

interface Rights {
  rest: Rest;
  /** Discord's time, in milliseconds since the epoch. */
  now(): number;
  /** The client that a server's shard has while it is connected: only then does it hear of every change of channels and roles. */
  connected(guildID: string | undefined): Client<true> | undefined;
}

const memberPayload = z.looseObject({
  roles: z.array(z.string()),
  pending: z.boolean().optional(),
  flags: z.int().default(0),
  communication_disabled_until: z.string().nullish(),
});
type Member = z.infer<typeof memberPayload>;

/**
 * Looks at Discord. A member is fetched each time, since Discord does not say without a privileged intent that someone left or
 * lost a role. Rejects while there is no connection or the guild is not available: channels may have changed unheard.
 */
export function createRights({ rest, now, connected }: Rights): ReadingRights {
  const current = ({ space }: Address): Client<true> => {
    const client = connected(space);
    if (client === undefined)
      throw new ParleyError(
        'discord_disconnected',
        'Who may read cannot be said while the shard of this server is not connected.',
      );
    return client;
  };

  /** Rejects where what a client knows may be old by now. */
  const mustStillHear = (client: Client<true>, room: Address): void => {
    if (current(room) !== client)
      throw new ParleyError('discord_disconnected', 'Discord was connected again in the meantime.');
  };

  /** The guild of an address; undefined where the bot is in none. */
  const guildOf = (client: Client<true>, { space }: Address): Guild | undefined => {
    const guild = space === undefined ? undefined : client.guilds.cache.get(space);
    if (guild?.available === false)
      throw new ParleyError(
        'discord_outage',
        'Discord has an outage of this server; who may read is not known.',
      );
    return guild;
  };

  const found = async <T>(ask: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await ask();
    } catch (error) {
      // Not there, or not for the bot to see: 404 for those who are no members, 403 where the bot was put out.
      if (error instanceof DiscordAPIError && (error.status === 403 || error.status === 404))
        return undefined;
      throw error;
    }
  };

  /** The member, unless they are not in the guild as others are: not screened yet, or a guest of one voice channel. */
  const memberOf = (guild: Guild, actorID: string, signal: AbortSignal): Promise<Member | undefined> =>
    found(async () => {
      const member = memberPayload.parse(await rest().get(Routes.guildMember(guild.id, actorID), { signal }));
      const partly = member.pending === true || (member.flags & GuildMemberFlags.IsGuest) !== 0;
      return partly ? undefined : member;
    });

  const isTimedOut = ({ communication_disabled_until: until }: Member): boolean =>
    until !== undefined && until !== null && Date.parse(until) > now();

  const isInThread = async (threadID: string, actorID: string, signal: AbortSignal): Promise<boolean> =>
    (await found(() => rest().get(Routes.threadMembers(threadID, actorID), { signal }))) !== undefined;

  const channelIn = (client: Client<true>, { space, thread, chat }: Address) =>
    space === undefined
      ? Promise.resolve(undefined)
      : lookUp(client, { guildID: space, channelID: thread ?? chat });

  return {
    async ofRoom(room, actorID, signal): Promise<ReadingRight> {
      const client = current(room);
      const guild = guildOf(client, room);
      const member = guild === undefined ? undefined : await memberOf(guild, actorID, signal);
      if (guild === undefined || member === undefined) return 'nothing';
      const channel = await channelIn(client, room);
      const isPrivate = channel?.type === ChannelType.PrivateThread;
      const isIn = isPrivate && (await isInThread(channel.id, actorID, signal));
      // Events that arrived during the calls count, and so does a lost connection, in which none could arrive.
      mustStillHear(client, room);
      guildOf(client, room);
      const home = channel === undefined ? undefined : overwriteChannelOf(channel);
      if (home === undefined || isAgeRestricted(home)) return 'nothing';
      const reader: MemberRights = { id: actorID, roles: member.roles, timedOut: isTimedOut(member) };
      const may = mayReadBack(home, reader);
      // Whoever may not read back sees what is written while they look, and Discord does not say when that is: it counts as nothing.
      if (may === 'no' || (isPrivate && !isIn && may !== 'as a moderator')) return 'nothing';
      return 'everything';
    },
    async ofSpace(space, actorID, signal) {
      const guild = guildOf(current(space), space);
      const member = guild === undefined ? undefined : await memberOf(guild, actorID, signal);
      // Someone timed out may not open voice channels, which others may.
      return member !== undefined && !isTimedOut(member);
    },
    async readers(room) {
      const client = current(room);
      const channel = guildOf(client, room) === undefined ? undefined : await channelIn(client, room);
      mustStillHear(client, room);
      return {
        restricted: channel === undefined || !isReadByAll(channel),
        // Everyone in a channel is a member of its guild, and what is open there is open to all of them. Only an invitation to one
        // voice channel lets someone read along who may open nothing else, and Discord does not tell bots who used one.
        outsiders: channel?.type === ChannelType.GuildVoice,
      };
    },
  };
}
