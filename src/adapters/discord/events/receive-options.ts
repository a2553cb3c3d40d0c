// What a receiver is made of, and where an event is.
import type { Client } from 'discord.js';
import type { Rest } from '#adapters/discord/calls/rest.ts';
import { type ChannelRef, glimpseOf } from '#adapters/discord/rooms/channel-context.ts';
import type { Shard } from '#adapters/discord/shards/sharding.ts';
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import type { DeferredReplies } from './deferred-replies.ts';

export interface ReceiveOptions {
  sink: Sink;
  rest: Rest;
  deferred: DeferredReplies;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  replyInThread: boolean;
  shard: Shard; // the first one also registers the commands
}

/** Where an event is, with what is known of the channel as it comes: by the time it is accepted, that may have changed. */
export function channelRefOf(
  payload: { channel_id: string; guild_id?: string | undefined },
  client: Client,
): ChannelRef {
  const { channel_id: channelID, guild_id: guildID } = payload;
  return { channelID, guildID, when: glimpseOf(client, channelID) };
}
