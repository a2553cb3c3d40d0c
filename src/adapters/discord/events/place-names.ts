// What servers, channels and threads are called, as events: when one is renamed, and all that have a session when a session begins.
import { type Client, GatewayDispatchEvents } from 'discord.js';
import { channelPayloadSchema, guildChange } from '#adapters/discord/payloads/guild-payload.ts';
import { namesOf } from '#adapters/discord/rooms/channel-context.ts';
import type { ReadyClient } from '#adapters/discord/shards/ready-client.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { PlaceNamedEvent, Sink } from '#adapters/gateway/terms/inbound.ts';
import type { EventLanes } from './lanes.ts';

interface NameWatch {
  /** Takes a dispatch; throws a ZodError for another form. */
  packet(name: string, data: unknown): void;
  /** A new session began: names of these chats may have changed unheard. */
  begin(client: Client<true>, chats: readonly Address[]): void;
}

/** Events go to the sink once a client is ready, those of one server in order. */
export function createNameWatch({
  sink,
  lanes,
  readyClient,
}: {
  sink: Sink;
  lanes: EventLanes;
  readyClient: ReadyClient;
}): NameWatch {
  const notify = (
    { space, ...place }: { space: string; chat: string; thread?: string },
    names: PlaceNamedEvent['names'],
  ): void => {
    lanes.push(`names ${space}`, async () => {
      const account = (await readyClient.get()).user.id;
      const address: Address = { platform: 'discord', account, space, kind: 'channel', ...place };
      await sink.accept({ type: 'named', address, names });
    });
  };

  return {
    packet(name, data) {
      switch (name) {
        case GatewayDispatchEvents.ChannelUpdate: {
          const { id: chat, guild_id: space, name: channel } = channelPayloadSchema.parse(data);
          if (space !== undefined && typeof channel === 'string') notify({ space, chat }, { channel });
          return;
        }
        case GatewayDispatchEvents.ThreadCreate:
        case GatewayDispatchEvents.ThreadUpdate: {
          const { id, guild_id: space, parent_id: chat, name: thread } = channelPayloadSchema.parse(data);
          if (space !== undefined && typeof chat === 'string' && typeof thread === 'string')
            notify({ space, chat, thread: id }, { thread });
          return;
        }
        case GatewayDispatchEvents.GuildUpdate: {
          const { id, name: space } = guildChange.parse(data);
          // the server's own id is no channel's: only the space counts
          if (typeof space === 'string') notify({ space: id, chat: id }, { space });
          return;
        }
        default:
      }
    },
    begin(client, chats) {
      for (const { space, chat, thread } of chats) {
        const channel = client.channels.cache.get(thread ?? chat);
        if (space === undefined || channel === undefined || channel.isDMBased()) continue;
        notify({ space, chat, ...(thread === undefined ? {} : { thread }) }, namesOf(channel));
      }
    },
  };
}
