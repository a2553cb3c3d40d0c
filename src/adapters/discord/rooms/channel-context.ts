// Where a channel lies: address, readable name, who may read it. Read from discord.js's caches; nothing is stored here.
import { ChannelType, type Client, DiscordAPIError, type GuildBasedChannel } from 'discord.js';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { defined } from '#base/json.ts';
import type { PlaceNames } from '#engine/wire/channels/place-names.ts';
import { isReadByAll } from './readers.ts';

export interface ChannelContext {
  address: Address;
  /** Restricted also where it is not known that all might read it when something was written there. */
  room?: NonNullable<MessageEvent['room']>;
  /** Whether everyone of the guild may read it now. */
  open: boolean;
  /** The role that Discord made for this bot in this guild. */
  botRoleID: string | undefined;
  channelName(id: string): string | undefined;
  roleName(id: string): string | undefined;
}

/** A channel's id and the guild that it belongs to; none for direct messages. */
export interface ChannelRef {
  channelID: string;
  guildID: string | undefined;
  /** The channel as something was written there; absent where that is not known, as of what was missed. */
  when?: Glimpse | undefined;
}

/** What was known of a channel at one moment. */
interface Glimpse {
  open: boolean;
  /** Of threads. */
  parentID: string | undefined;
}

/** What discord.js knows of a channel right now; undefined where that is nothing. */
export function glimpseOf(client: Client, channelID: string): Glimpse | undefined {
  const channel = client.channels.cache.get(channelID);
  if (channel === undefined || channel.isDMBased()) return undefined;
  const parentID = channel.isThread() ? (channel.parentId ?? undefined) : undefined;
  return { open: isReadByAll(channel), parentID };
}

/**
 * The place of a channel, for a client that was ready once. Asks Discord when the channel is not known; a room that
 * cannot be looked at counts as restricted. Throws what discord.js throws when Discord cannot be asked at the moment.
 */
export async function channelContextOf(client: Client<true>, ref: ChannelRef): Promise<ChannelContext> {
  const account = client.user.id;
  const { channelID, guildID, when } = ref;
  const nameOf = (id: string): string | undefined => {
    const channel = client.channels.cache.get(id);
    return channel === undefined || channel.isDMBased() ? undefined : channel.name;
  };
  if (guildID === undefined) {
    return {
      address: { platform: 'discord', account, chat: channelID, kind: 'dm' },
      open: false,
      botRoleID: undefined,
      channelName: nameOf,
      roleName: () => undefined,
    };
  }
  const guild = client.guilds.cache.get(guildID);
  const channel = await lookUp(client, { guildID, channelID });
  const thread = channel?.isThread() === true ? channel : undefined;
  const parentID = thread?.parentId ?? when?.parentID;
  const open = channel !== undefined && isReadByAll(channel);
  return {
    address: {
      platform: 'discord',
      account,
      space: guildID,
      chat: parentID ?? channelID,
      kind: 'channel',
      ...(parentID === undefined ? {} : { thread: channelID }),
    },
    room: {
      names: channel === undefined ? {} : namesOf(channel),
      restricted: !open || when?.open !== true,
      // a room of its own: it has other readers than its parent.
      ...(thread?.type === ChannelType.PrivateThread ? { privateThread: true } : {}),
    },
    open,
    botRoleID: guild?.roles.botRoleFor(account)?.id,
    channelName: nameOf,
    roleName: (id) => guild?.roles.cache.get(id)?.name,
  };
}

/** What the server, the channel and its thread are called now. */
export function namesOf(channel: GuildBasedChannel): PlaceNames {
  const space = channel.guild.name;
  if (!channel.isThread()) return { space, channel: channel.name };
  return defined({ space, channel: channel.parent?.name, thread: channel.name });
}

/**
 * A channel of a guild as it is now; undefined where there is none or the bot may not see it. What the guild does not list may have
 * been deleted while no connection was there, or is an archived thread: then Discord is asked.
 */
export async function lookUp(
  client: Client<true>,
  { guildID, channelID }: { guildID: string; channelID: string },
): Promise<GuildBasedChannel | undefined> {
  const listed = client.guilds.cache.get(guildID)?.channels.cache;
  const known = listed?.get(channelID);
  if (known !== undefined) return known;
  try {
    const found = await client.channels.fetch(channelID, { force: true });
    if (found === null || found.isDMBased() || found.guildId !== guildID) return undefined;
    // discord.js does not list again what it knew from an earlier session.
    listed?.set(channelID, found);
    return found;
  } catch (error) {
    if (error instanceof DiscordAPIError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}
