// From one shard's packets to the sink: in order for each channel, what was missed before what is new, nothing dropped.

import { type Client, GatewayDispatchEvents } from 'discord.js';
import { z } from 'zod';
import { type ChannelContext, type ChannelRef, placeOf } from '#adapters/discord/rooms/channel-context.ts';
import { createReadyClient } from '#adapters/discord/shards/ready-client.ts';
import { type Shard, shardIDOf } from '#adapters/discord/shards/sharding.ts';
import type { Address } from '#adapters/gateway/address.ts';
import type { InboundEvent } from '#adapters/gateway/inbound.ts';
import { formatZodError } from '#base/json.ts';
import { offerCommands } from './app-commands.ts';
import { createChannelGaps } from './channel-gaps.ts';
import { createGuildWatch } from './guild-watch.ts';
import { createInteractionIntake } from './interaction-intake.ts';
import { createLanes } from './lanes.ts';
import {
  bulkDeletePayload,
  deletePayload,
  dispatch,
  type MessagePayload,
  messagePayload,
} from './payload.ts';
import { type ReceiveOptions, refOf } from './receive-options.ts';
import { createUpdateReader } from './update-reader.ts';

/**
 * Messages of a channel that may wait for the sink. Those above it are not stored but fetched from the history when the
 * others are through; edits and deletes are held up to twice as many and then given up, with a line in the log.
 */
const waitingLimit = 500;

export interface Receiver {
  /** Takes a dispatch of the gateway before the client applies it; returns at once. */
  packet(packet: unknown, client: Client): void;
  /** A client's caches are whole: fetches what chats missed since their cursors, if the session is new. */
  ready(client: Client<true>): void;
  idle(): Promise<void>;
}

export function createReceiver(options: ReceiveOptions): Receiver {
  const { sink, rest, deferred, clock, log, signal, shard } = options;
  const lanes = createLanes({ clock, log, signal });
  const readyClient = createReadyClient(signal);
  const watch = createGuildWatch({ sink, lanes, readyClient, clock });
  const gaps = createChannelGaps(options, { lanes, readyClient, watch });
  const interactions = createInteractionIntake(options, {
    ...{ lanes, readyClient, gaps },
    waitingLimit: 2 * waitingLimit,
  });
  const readUpdate = createUpdateReader();
  /** Channels with too many waiting messages, and the id after which their history is to be read. */
  const behind = new Map<string, string>();
  let commands = shard.id !== 0;

  const onMessage = (message: MessagePayload, client: Client): void => {
    const ref = refOf(message, client);
    const { channelID } = ref;
    gaps.close(ref);
    if (behind.has(channelID)) return;
    if (lanes.waiting(channelID) < waitingLimit) {
      lanes.push(channelID, () => gaps.handIn(ref, message));
      return;
    }
    const after = (BigInt(message.id) - 1n).toString();
    behind.set(channelID, after);
    lanes.push(channelID, async () => {
      // From here on, new messages wait in the lane again.
      if (behind.get(channelID) === after) behind.delete(channelID);
      await gaps.catchUp({ ...ref, when: undefined }, after);
    });
  };

  const onOther = (ref: ChannelRef, event: (place: ChannelContext) => InboundEvent | undefined): void => {
    gaps.close(ref);
    if (lanes.waiting(ref.channelID) >= 2 * waitingLimit) {
      log.warn({ channel: ref.channelID }, 'too many events wait: an edit or a delete was given up');
      return;
    }
    lanes.push(ref.channelID, async () => {
      const read = event(await placeOf(await readyClient.get(), ref));
      if (read !== undefined) await sink.accept(read);
    });
  };

  const onUpdate = (data: unknown, client: Client): void => {
    const update = readUpdate(data);
    if (update !== undefined) onOther(refOf(update.payload, client), update.read);
  };

  const onDeletes = (ids: readonly string[], ref: ChannelRef): void => {
    const at = clock.now();
    for (const nativeID of ids) onOther(ref, ({ address }) => ({ type: 'delete', address, nativeID, at }));
  };

  const onDispatch = (name: string, data: unknown, client: Client): void => {
    watch.packet(name, data, client);
    switch (name) {
      case GatewayDispatchEvents.Ready:
        gaps.sessionBegan();
        readyClient.clear();
        return;
      case GatewayDispatchEvents.GuildCreate:
        gaps.guild(data);
        return;
      case GatewayDispatchEvents.MessageCreate:
        onMessage(messagePayload.parse(data), client);
        return;
      case GatewayDispatchEvents.InteractionCreate:
        interactions.take(data, client);
        return;
      case GatewayDispatchEvents.MessageUpdate:
        onUpdate(data, client);
        return;
      case GatewayDispatchEvents.MessageDelete: {
        const deleted = deletePayload.parse(data);
        onDeletes([deleted.id], refOf(deleted, client));
        return;
      }
      case GatewayDispatchEvents.MessageDeleteBulk: {
        const deleted = bulkDeletePayload.parse(data);
        onDeletes(deleted.ids, refOf(deleted, client));
        return;
      }
      default:
    }
  };

  return {
    packet(packet, client) {
      const read = dispatch.safeParse(packet);
      if (!read.success) return;
      try {
        onDispatch(read.data.t, read.data.d, client);
      } catch (error) {
        if (!(error instanceof z.ZodError)) throw error;
        log.warn(
          { event: read.data.t, unexpected: formatZodError(error) },
          'discord payload has another form',
        );
      }
    },
    ready(client) {
      readyClient.set(client);
      if (!commands) {
        commands = true;
        lanes.push('commands', () => offerCommands({ rest, log }, client.application.id, signal));
      }
      gaps.closeAll(client);
      const isNew = gaps.isNewSession();
      lanes.push('', async () => {
        const chats = (await sink.chats()).filter(isOurs(client.user.id, shard));
        for (const { space, chat, thread } of chats)
          gaps.close({ channelID: thread ?? chat, guildID: space });
        // A session that was resumed has missed nothing.
        if (isNew) watch.begin(client, chats);
      });
    },
    async idle() {
      await lanes.idle();
      await deferred.idle();
    },
  };
}

/** Whether a chat is the account's, and this shard's. */
function isOurs(userID: string, { id, of }: Shard): (chat: Address) => boolean {
  return ({ account, space }) => account === userID && shardIDOf(space, of) === id;
}
