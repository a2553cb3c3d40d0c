// Where a channel lies: address, readable name, who may read it. Read from discord.js's caches; nothing is kept here.
import {
  ChannelType,
  type Client,
  DiscordAPIError,
  type GuildBasedChannel,
  PermissionFlagsBits,
  type Role,
} from 'discord.js';
import type { Address } from '#adapters/gateway/address.ts';

export interface Place {
  address: Address;
  room?: { name: string; restricted: boolean };
  /** The role that Discord made for this bot in this guild. */
  botRoleID: string | undefined;
  channelName(id: string): string | undefined;
  roleName(id: string): string | undefined;
}

/** A channel's id and the guild that it belongs to; none for direct messages. */
export interface ChannelRef {
  channelID: string;
  guildID: string | undefined;
}

/**
 * The place of a channel, for a client that was ready once. Asks Discord when the channel is not known; a room that
 * cannot be looked at counts as restricted. Throws what discord.js throws when Discord cannot be asked at the moment.
 */
export async function placeOf(client: Client<true>, ref: ChannelRef): Promise<Place> {
  const account = client.user.id;
  const { channelID, guildID } = ref;
  const nameOf = (id: string): string | undefined => {
    const channel = client.channels.cache.get(id);
    return channel === undefined || channel.isDMBased() ? undefined : channel.name;
  };
  if (guildID === undefined) {
    return {
      address: { platform: 'discord', account, chat: channelID, kind: 'dm' },
      botRoleID: undefined,
      channelName: nameOf,
      roleName: () => undefined,
    };
  }
  const guild = client.guilds.cache.get(guildID);
  const channel = await lookUp(client, channelID);
  const known = channel !== undefined && !channel.isDMBased();
  const thread = known && channel.isThread() ? channel : undefined;
  const chat = thread?.parentId ?? channelID;
  return {
    address: {
      platform: 'discord',
      account,
      space: guildID,
      chat,
      kind: 'channel',
      ...(thread === undefined ? {} : { thread: channelID }),
    },
    room: {
      name: known ? channel.name : channelID,
      restricted: !known || !readByAll(channel),
    },
    botRoleID: guild?.roles.botRoleFor(account)?.id,
    channelName: nameOf,
    roleName: (id) => guild?.roles.cache.get(id)?.name,
  };
}

async function lookUp(client: Client<true>, id: string) {
  try {
    return (await client.channels.fetch(id)) ?? undefined;
  } catch (error) {
    if (error instanceof DiscordAPIError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

function readByAll(channel: GuildBasedChannel): boolean {
  if (channel.type === ChannelType.PrivateThread) return false;
  const home = channel.isThread() ? channel.parent : channel;
  // A guild that is unavailable at the moment has no roles yet, whatever the types say.
  const everyone: Role | undefined = channel.guild.roles.everyone;
  return home?.permissionsFor(everyone)?.has(PermissionFlagsBits.ViewChannel) ?? false;
}
