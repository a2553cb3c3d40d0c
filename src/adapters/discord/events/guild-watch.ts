// What happens to guilds, their channels, roles and members, as events about who may read there. Messages are receive.ts.
import { ChannelType, type Client, GatewayDispatchEvents } from 'discord.js';
import {
  type ChannelPayload,
  channelPayloadSchema,
  guildChange,
  guildGone,
  inGuild,
  readyPayload,
  rolePayloadSchema,
} from '#adapters/discord/payloads/guild-payload.ts';
import type { ReadyClient } from '#adapters/discord/shards/ready-client.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import type { Clock } from '#base/clock.ts';
import type { EventLanes } from './lanes.ts';
import { createMemberChanges, type MemberChange } from './member-changes.ts';
import { createOpenness } from './openness.ts';

interface GuildWatch {
  /** Takes a dispatch before discord.js applies it, so that the change can be seen; throws a ZodError for another form. */
  packet(name: string, data: unknown, client: Client): void;
  /** A new session began; membership may have changed unheard in the spaces of these chats. */
  begin(client: Client<true>, chats: readonly Address[]): void;
  /** Tells the gateway what a room is now, after a message that counted as stricter. */
  tellAgain(address: Address): void;
}

/** Events go to the sink once a client is ready, those of one guild's members in order. */
export function createGuildWatch(options: {
  sink: Sink;
  lanes: EventLanes;
  readyClient: ReadyClient;
  clock: Clock;
}): GuildWatch {
  const changes = createMemberChanges(options);
  const { notify, inSpace } = changes;
  const openness = createOpenness(options);

  /** What anyone may read in a channel, and in the private threads below it, may have changed. */
  const rightsIn = (client: Client, { id, guild_id: space }: ChannelPayload): void => {
    if (space === undefined) return;
    const change: MemberChange = { of: 'room', actorID: undefined, change: 'rights' };
    notify({ space, chat: id }, change);
    for (const channel of client.guilds.cache.get(space)?.channels.cache.values() ?? [])
      if (channel.type === ChannelType.PrivateThread && channel.parentId === id)
        notify({ space, chat: id, thread: channel.id }, change);
    openness.look({ guildID: space, channelID: id });
  };

  const onRoles = (guildID: string): void => {
    inSpace(guildID, undefined, 'rights');
    openness.lookAll(guildID);
  };

  const onReady = (data: unknown, client: Client): void => {
    const guilds = new Set(readyPayload.parse(data).guilds.map(({ id }) => id));
    // discord.js still holds a guild that the bot was removed from while it was not connected.
    for (const id of [...client.guilds.cache.keys()]) if (!guilds.has(id)) client.guilds.cache.delete(id);
  };

  return {
    tellAgain({ space, chat }) {
      if (space !== undefined) openness.tellAgain({ guildID: space, channelID: chat });
    },
    begin(client, chats) {
      openness.begin(client, chats);
      const spaces = new Set(chats.flatMap(({ space }) => space ?? []));
      for (const space of spaces) inSpace(space, undefined, 'rights');
    },
    packet(name, data, client) {
      switch (name) {
        case GatewayDispatchEvents.Ready:
          onReady(data, client);
          return;
        case GatewayDispatchEvents.ChannelUpdate: {
          const channel = channelPayloadSchema.parse(data);
          if (mayReadOtherwise(client, channel)) rightsIn(client, channel);
          return;
        }
        case GatewayDispatchEvents.ChannelDelete:
          rightsIn(client, channelPayloadSchema.parse(data));
          return;
        case GatewayDispatchEvents.ThreadDelete:
          changes.threadGone(channelPayloadSchema.parse(data));
          return;
        case GatewayDispatchEvents.ThreadMembersUpdate:
          changes.threadMembers(data, client);
          return;
        case GatewayDispatchEvents.GuildRoleUpdate: {
          const { guild_id: guildID, role } = rolePayloadSchema.parse(data);
          const known = client.guilds.cache.get(guildID)?.roles.cache.get(role.id);
          if (known?.permissions.bitfield.toString() !== role.permissions) onRoles(guildID);
          return;
        }
        case GatewayDispatchEvents.GuildRoleCreate:
        case GatewayDispatchEvents.GuildRoleDelete:
          onRoles(inGuild.parse(data).guild_id);
          return;
        case GatewayDispatchEvents.GuildMemberAdd:
        case GatewayDispatchEvents.GuildMemberUpdate:
        case GatewayDispatchEvents.GuildMemberRemove:
        case GatewayDispatchEvents.GuildBanAdd:
          changes.member(name, data, client);
          return;
        case GatewayDispatchEvents.GuildUpdate: {
          const { id, owner_id: ownerID } = guildChange.parse(data);
          if (client.guilds.cache.get(id)?.ownerId !== ownerID) inSpace(id, undefined, 'rights');
          return;
        }
        // The first of a session say nothing that `begin` does not; later ones end an outage or bring a new guild.
        case GatewayDispatchEvents.GuildCreate:
          if (client.isReady()) {
            const { id } = guildGone.parse(data);
            inSpace(id, undefined, 'rights');
            openness.arrive(id);
          }
          return;
        case GatewayDispatchEvents.GuildDelete: {
          const { id, unavailable } = guildGone.parse(data);
          if (unavailable !== true) onRoles(id);
          return;
        }
        default:
      }
    },
  };
}

/** Whether an update of a channel changes who may read there, and not just its name or topic. */
function mayReadOtherwise(client: Client, channel: ChannelPayload): boolean {
  const known = client.channels.cache.get(channel.id);
  if (known === undefined || known.isDMBased() || known.isThread() || known.type !== channel.type)
    return true;
  const before = known.permissionOverwrites.cache.map(
    ({ id, allow, deny }) => `${id} ${allow.bitfield} ${deny.bitfield}`,
  );
  const after = channel.permission_overwrites.map(({ id, allow, deny }) => `${id} ${allow} ${deny}`);
  const isNsfw = 'nsfw' in known && known.nsfw;
  return isNsfw !== channel.nsfw || before.toSorted().join() !== after.toSorted().join();
}
