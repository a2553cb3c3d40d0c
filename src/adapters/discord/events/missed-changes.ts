// Edits and deletions of the time in which no connection was there: Discord does not report them again, but its newest page shows them.
import { SnowflakeUtil } from 'discord.js';
import PQueue from 'p-queue';
import type { Rest } from '#adapters/discord/calls/rest.ts';
import type { MessagePayload } from '#adapters/discord/payloads/payload.ts';
import { type ChannelRef, channelContextOf } from '#adapters/discord/rooms/channel-context.ts';
import type { ReadyClient } from '#adapters/discord/shards/ready-client.ts';
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import type { Clock } from '#base/clock.ts';
import { historyBefore, pageSize } from './history.ts';
import type { Intake } from './intake.ts';
import type { EventLanes } from './lanes.ts';
import type { UpdateReader } from './update-reader.ts';

/** Pages that are fetched at the same time: answers to new messages need the calls more. */
const pagesAtOnce = 2;

interface MissedChangesOptions {
  sink: Sink;
  rest: Rest;
  lanes: EventLanes;
  readyClient: ReadyClient;
  intake: Pick<Intake, 'missedSince'>;
  updates: UpdateReader;
  clock: Clock;
  signal: AbortSignal;
}

/**
 * Looks at a chat's newest page, once what was written there in the meantime is taken in. Of the messages that were accepted, those that the
 * page should have and has not were deleted; those that were edited since the last message before the gap have other words.
 */
export function createMissedChanges(options: MissedChangesOptions): (ref: ChannelRef) => void {
  const { sink, rest, lanes, readyClient, intake, updates, clock, signal } = options;
  const slots = new PQueue({ concurrency: pagesAtOnce });

  const compare = async (ref: ChannelRef, page: readonly MessagePayload[], after: string): Promise<void> => {
    const [oldest, newest] = [page[0], page.at(-1)];
    // a bot that may not read a history is given an empty one
    if (oldest === undefined || newest === undefined) return;
    const place = await channelContextOf(await readyClient.get(), ref);
    const since = SnowflakeUtil.timestampFrom(after);
    for (const message of page) {
      const edited = message.edited_timestamp;
      if (typeof edited !== 'string' || Date.parse(edited) <= since) continue;
      const event = updates.missed(message, place);
      if (event !== undefined) await sink.accept(event);
    }
    const there = new Set(page.map(({ id }) => id));
    const from = page.length < pageSize ? '0' : oldest.id;
    for (const nativeID of await sink.accepted(place.address, { from, until: newest.id }))
      if (!there.has(nativeID))
        await sink.accept({ type: 'delete', address: place.address, nativeID, at: clock.now() });
  };

  return (ref) => {
    const { channelID } = ref;
    // behind the messages of the gap; the page is fetched in another lane, so that no message waits for it
    lanes.push(channelID, async () => {
      const after = intake.missedSince(channelID);
      if (after === undefined) return;
      lanes.push(`changes of ${channelID}`, async () => {
        const query = { channelID, limit: pageSize, signal };
        const page = await slots.add(() => historyBefore(rest, query));
        lanes.push(channelID, () => compare(ref, page, after));
      });
    });
  };
}
