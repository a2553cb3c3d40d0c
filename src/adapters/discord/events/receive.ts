// From one shard's packets to the sink: which lane each takes, and what it is read as.

import { type Client, GatewayDispatchEvents } from 'discord.js';
import { dispatch, guildPayloadSchema, messagePayloadSchema } from '#adapters/discord/payloads/payload.ts';
import { readDispatch } from '#adapters/discord/payloads/read-dispatch.ts';
import { createReadyClient } from '#adapters/discord/shards/ready-client.ts';
import type { Receiver } from '#adapters/discord/shards/run-shards.ts';
import type { Shard } from '#adapters/discord/shards/sharding.ts';
import { shardIDOf } from '#adapters/discord/shards/sharding.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { offerCommands } from './app-commands.ts';
import { createGuildWatch } from './guild-watch.ts';
import { createIntake } from './intake.ts';
import { createInteractionIntake } from './interaction-intake.ts';
import { createEventLanes } from './lanes.ts';
import { createMissedChanges } from './missed-changes.ts';
import { createNameWatch } from './place-names.ts';
import { createReactions } from './reactions.ts';
import { channelRefOf, type ReceiveOptions } from './receive-options.ts';
import { createReportedChanges } from './reported-changes.ts';
import { createSessionNotes } from './session-notes.ts';
import { createUpdateReader } from './update-reader.ts';

/** Turns the gateway's dispatches of one shard into events of the sink, in the order of each channel. */
export function createReceiver(options: ReceiveOptions): Receiver {
  const { sink, rest, deferred, clock, log, signal, replyInThread, shard } = options;
  const lanes = createEventLanes({ sink, clock, log, signal });
  const readyClient = createReadyClient(signal);
  const watch = createGuildWatch({ sink, lanes, readyClient, clock });
  const names = createNameWatch({ sink, lanes, readyClient });
  const intake = createIntake({
    ...{ sink, rest, lanes, readyClient, replyInThread, log, signal },
    tellAgain: watch.tellAgain,
  });
  const notes = createSessionNotes({ sink, lanes, shard, clock, log, signal });
  const updates = createUpdateReader();
  const changes = createReportedChanges({ sink, lanes, readyClient, intake, updates, clock, log });
  const reactions = createReactions({ sink, lanes, readyClient, clock, log });
  const readMissedChanges = createMissedChanges({
    ...{ sink, rest, lanes, readyClient, intake, updates, clock, signal },
  });
  const interactions = createInteractionIntake(options, { lanes, readyClient, closeGap: intake.closeGap });
  let session = 0;
  /** The last session that a client was ready in. */
  let begun = 0;
  let commands = shard.id !== 0;

  const onDispatch = (name: string, data: unknown, client: Client): void => {
    watch.packet(name, data, client);
    names.packet(name, data);
    switch (name) {
      case GatewayDispatchEvents.Ready:
        session += 1;
        intake.begin();
        readyClient.clear();
        return;
      case GatewayDispatchEvents.GuildCreate: {
        const { channels, threads } = guildPayloadSchema.parse(data);
        for (const { id, last_message_id: last } of [...channels, ...threads])
          if (typeof last === 'string') intake.last(id, last);
        return;
      }
      case GatewayDispatchEvents.MessageCreate: {
        const message = messagePayloadSchema.parse(data);
        intake.take(channelRefOf(message, client), message);
        return;
      }
      case GatewayDispatchEvents.InteractionCreate:
        interactions.take(data, client);
        return;
      case GatewayDispatchEvents.MessageUpdate:
      case GatewayDispatchEvents.MessageDelete:
      case GatewayDispatchEvents.MessageDeleteBulk:
        changes.take(name, data, client);
        return;
      case GatewayDispatchEvents.MessageReactionAdd:
      case GatewayDispatchEvents.MessageReactionRemove:
        reactions.take(name, data, client);
        return;
      default:
    }
  };

  return {
    packet(packet, client) {
      readDispatch(packet, log, ({ t, d, s }) => {
        if (t === GatewayDispatchEvents.Ready) notes.begin(d, s ?? 0);
        onDispatch(t, d, client);
      });
      const { data } = dispatch.safeParse(packet);
      if (typeof data?.s === 'number') notes.seen(data.s);
    },
    missed(packet) {
      readDispatch(packet, log, ({ t, d }) => {
        if (t !== GatewayDispatchEvents.MessageCreate) return;
        const message = messagePayloadSchema.parse(d);
        // who could read it when it was written is not known
        intake.takeMissed({ channelID: message.channel_id, guildID: message.guild_id }, message);
      });
    },
    ready(client) {
      readyClient.set(client);
      notes.ready();
      if (!commands) {
        commands = true;
        lanes.push('commands', () => offerCommands({ rest, log }, client.application.id, signal));
      }
      for (const channel of client.channels.cache.values())
        if (channel.isTextBased() && !channel.isDMBased() && channel.lastMessageId !== null)
          intake.closeGap({ channelID: channel.id, guildID: channel.guildId });
      const isNew = begun !== session;
      begun = session;
      lanes.push('', async () => {
        const chats = (await sink.chats()).filter(isOurs(client.user.id, shard));
        for (const { space, chat, thread } of chats) {
          const ref = { channelID: thread ?? chat, guildID: space };
          intake.closeGap(ref);
          if (isNew) readMissedChanges(ref);
        }
        // A session that was resumed has missed nothing.
        if (!isNew) return;
        watch.begin(client, chats);
        names.begin(client, chats);
      });
    },
    async idle() {
      await lanes.idle();
      await deferred.idle();
      await notes.over;
    },
  };
}

/** Whether a chat is the account's, and this shard's. */
function isOurs(userID: string, { id, of }: Shard): (chat: Address) => boolean {
  return ({ account, space }) => account === userID && shardIDOf(space, of) === id;
}
