// Messages of a shard's channels into the sink: in order for each channel, what was missed before what is new, nothing dropped.
import PQueue from 'p-queue';
import type { Rest } from '#adapters/discord/calls/rest.ts';
import type { MessagePayload } from '#adapters/discord/payloads/payload.ts';
import { type ChannelRef, channelContextOf } from '#adapters/discord/rooms/channel-context.ts';
import type { ReadyClient } from '#adapters/discord/shards/ready-client.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Cursor, Sink } from '#adapters/gateway/terms/inbound.ts';
import type { Log } from '#base/log/log.ts';
import { historyAfter } from './history.ts';
import type { EventLanes } from './lanes.ts';
import { readMessage } from './read-message.ts';

/**
 * Messages of a channel that may wait for the sink. Those above it are not stored but fetched from the history when the
 * others are through.
 */
export const waitingLimit = 500;
/** Channels whose history is read at the same time. */
const catchUpsAtOnce = 4;

export interface Intake {
  /** A new session begins: every channel may have missed something. */
  begin(): void;
  /** The last message of a guild's channel or thread as this session began. */
  last(channelID: string, messageID: string): void;
  /** Puts what a channel missed in front of everything new of this session. */
  closeGap(ref: ChannelRef): void;
  /** The last message of a channel before this session's gap, once `closeGap` has run; undefined for a channel that had none. */
  missedSince(channelID: string): string | undefined;
  take(ref: ChannelRef, message: MessagePayload): void;
  /** Takes a message that an earlier session brings, unless it was taken in before. */
  takeMissed(ref: ChannelRef, message: MessagePayload): void;
}

interface IntakeOptions {
  sink: Sink;
  rest: Rest;
  lanes: EventLanes;
  readyClient: ReadyClient;
  replyInThread: boolean;
  log: Log;
  signal: AbortSignal;
  /** A message counts as restricted in a place that is open by now. */
  tellAgain(address: Address): void;
}

/** Takes in messages in the order of each channel: first what the channel missed, then what is new. */
export function createIntake(options: IntakeOptions): Intake {
  const { sink, rest, lanes, readyClient, log, signal } = options;
  const slots = new PQueue({ concurrency: catchUpsAtOnce });
  /** The session in which a channel's gap was last looked at. */
  const lookedAt = new Map<string, number>();
  /** Channels with too many waiting messages, and the id after which their history is to be read. */
  const behind = new Map<string, string>();
  const lastMessageIDs = new Map<string, string>();
  const missedSince = new Map<string, string>();
  let session = 0;

  const handIn = async (ref: ChannelRef, message: MessagePayload): Promise<void> => {
    const cursor: Cursor = { name: cursorName(ref.channelID), value: message.id };
    await sink.take({ key: `discord message ${message.id}`, cursor }, async () => {
      const place = await channelContextOf(await readyClient.get(), ref);
      const event = readMessage(message, place, options.replyInThread);
      // such as what the bot itself has posted
      if (event === undefined) sink.pass(cursor);
      else await sink.accept(event, cursor);
      if (event?.room?.restricted === true && place.open) options.tellAgain(place.address);
    });
  };

  const catchUp = async (ref: ChannelRef, after: string): Promise<void> => {
    const { channelID } = ref;
    for await (const page of historyAfter(rest, { channelID, after, signal, log }))
      for (const message of page) {
        signal.throwIfAborted();
        await handIn(ref, message);
      }
  };

  /**
   * Whether Discord said at the session's beginning that nothing came after this message. What discord.js holds is not used: an
   * old message that comes again becomes its last one.
   */
  const isUpToDate = (channelID: string, after: string): boolean => {
    const last = lastMessageIDs.get(channelID);
    return last !== undefined && BigInt(last) <= BigInt(after);
  };

  const closeGap = (ref: ChannelRef): void => {
    const { channelID } = ref;
    if (lookedAt.get(channelID) === session) return;
    lookedAt.set(channelID, session);
    lanes.push(channelID, async () => {
      await readyClient.get();
      const after = await sink.cursor(cursorName(channelID));
      if (after !== undefined) missedSince.set(channelID, after);
      if (after === undefined || isUpToDate(channelID, after)) return;
      await slots.add(() => catchUp(ref, after));
    });
  };

  const push = (ref: ChannelRef, message: MessagePayload, job: () => Promise<void>): void => {
    const { channelID } = ref;
    closeGap(ref);
    if (behind.has(channelID)) return;
    if (lanes.waiting(channelID) < waitingLimit) {
      lanes.push(channelID, job);
      return;
    }
    const after = (BigInt(message.id) - 1n).toString();
    behind.set(channelID, after);
    lanes.push(channelID, async () => {
      // From here on, new messages wait in the lane again.
      if (behind.get(channelID) === after) behind.delete(channelID);
      await catchUp({ ...ref, when: undefined }, after);
    });
  };

  return {
    begin() {
      session += 1;
      lastMessageIDs.clear();
      missedSince.clear();
    },
    last: (channelID, messageID) => void lastMessageIDs.set(channelID, messageID),
    closeGap,
    missedSince: (channelID) => missedSince.get(channelID),
    take: (ref, message) => push(ref, message, () => handIn(ref, message)),
    takeMissed(ref, message) {
      push(ref, message, async () => {
        const after = await sink.cursor(cursorName(ref.channelID));
        if (after === undefined || BigInt(after) < BigInt(message.id)) await handIn(ref, message);
      });
    },
  };
}

function cursorName(channelID: string): string {
  return `channel:${channelID}`;
}
