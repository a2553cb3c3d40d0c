// Edits and deletions as Discord reports them, each behind the messages of its channel that came before.
import { type Client, GatewayDispatchEvents } from 'discord.js';
import { bulkDeletePayload, deletePayload } from '#adapters/discord/payloads/payload.ts';
import {
  type ChannelContext,
  type ChannelRef,
  channelContextOf,
} from '#adapters/discord/rooms/channel-context.ts';
import type { ReadyClient } from '#adapters/discord/shards/ready-client.ts';
import type { InboundEvent, Sink } from '#adapters/gateway/terms/inbound.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { type Intake, waitingLimit } from './intake.ts';
import type { EventLanes } from './lanes.ts';
import { channelRefOf } from './receive-options.ts';
import type { UpdateReader } from './update-reader.ts';

type ChangeDispatch =
  | GatewayDispatchEvents.MessageUpdate
  | GatewayDispatchEvents.MessageDelete
  | GatewayDispatchEvents.MessageDeleteBulk;

interface ReportedChanges {
  /** Takes a dispatch in; returns at once. Throws what a payload of another shape throws. */
  take(name: ChangeDispatch, data: unknown, client: Client): void;
}

/** The changes of one shard's messages. */
export function createReportedChanges(options: {
  sink: Sink;
  lanes: EventLanes;
  readyClient: ReadyClient;
  intake: Pick<Intake, 'closeGap'>;
  updates: UpdateReader;
  clock: Clock;
  log: Log;
}): ReportedChanges {
  const { sink, lanes, readyClient, intake, updates, clock, log } = options;

  const put = (ref: ChannelRef, event: (place: ChannelContext) => InboundEvent | undefined): void => {
    intake.closeGap(ref);
    if (lanes.waiting(ref.channelID) >= 2 * waitingLimit) {
      log.warn({ channel: ref.channelID }, 'too many events wait: an edit or a delete was given up');
      return;
    }
    lanes.push(ref.channelID, async () => {
      const read = event(await channelContextOf(await readyClient.get(), ref));
      if (read !== undefined) await sink.accept(read);
    });
  };

  const deleted = (ids: readonly string[], ref: ChannelRef): void => {
    const at = clock.now();
    for (const nativeID of ids) put(ref, ({ address }) => ({ type: 'delete', address, nativeID, at }));
  };

  return {
    take(name, data, client) {
      switch (name) {
        case GatewayDispatchEvents.MessageUpdate: {
          const update = updates.read(data);
          if (update !== undefined) put(channelRefOf(update.payload, client), update.read);
          return;
        }
        case GatewayDispatchEvents.MessageDelete: {
          const payload = deletePayload.parse(data);
          return deleted([payload.id], channelRefOf(payload, client));
        }
        case GatewayDispatchEvents.MessageDeleteBulk: {
          const payload = bulkDeletePayload.parse(data);
          return deleted(payload.ids, channelRefOf(payload, client));
        }
      }
    },
  };
}
