// What a channel missed, read from its history and put in front of everything new of the session.
import type { Client } from 'discord.js';
import PQueue from 'p-queue';
import { type ChannelRef, placeOf } from '#adapters/discord/rooms/channel-context.ts';
import type { ReadyClient } from '#adapters/discord/shards/ready-client.ts';
import type { Cursor } from '#adapters/gateway/inbound.ts';
import type { GuildWatch } from './guild-watch.ts';
import { historyAfter } from './history.ts';
import type { Lanes } from './lanes.ts';
import { guildPayload, type MessagePayload } from './payload.ts';
import { readMessage } from './read-message.ts';
import type { ReceiveOptions } from './receive-options.ts';

/** Channels whose history is read at the same time. */
const catchUpsAtOnce = 4;

export interface ChannelGaps {
  /** A session began: what its guilds hold follows. */
  sessionBegan(): void;
  /** Notes the last message of each channel of a guild, as the session began. */
  guild(data: unknown): void;
  /** Puts what a channel missed in front of everything new of this session. */
  close(ref: ChannelRef): void;
  /** The same for all channels of guilds that the client holds. */
  closeAll(client: Client): void;
  /** Reads the channel's history after that message. */
  catchUp(ref: ChannelRef, after: string): Promise<void>;
  handIn(ref: ChannelRef, message: MessagePayload): Promise<void>;
  /** True the first time that it is asked in a session. */
  isNewSession(): boolean;
}

/** The gaps of one shard's channels. */
export function createChannelGaps(
  { sink, rest, signal, replyInThread: mentions }: ReceiveOptions,
  {
    lanes,
    readyClient,
    watch,
  }: { lanes: Lanes; readyClient: ReadyClient; watch: Pick<GuildWatch, 'tellAgain'> },
): ChannelGaps {
  const slots = new PQueue({ concurrency: catchUpsAtOnce });

  /** The session in which a channel's gap was last looked at. */
  const lookedAt = new Map<string, number>();
  /** The last message of each guild's channels and threads as this session began. */
  const lastSaid = new Map<string, string>();
  let session = 0;
  /** The last session that a client was ready in. */
  let begun = 0;

  const handIn = async (ref: ChannelRef, message: MessagePayload): Promise<void> => {
    const place = await placeOf(await readyClient.get(), ref);
    const event = readMessage(message, place, mentions);
    const cursor: Cursor = { name: cursorName(ref.channelID), value: message.id };
    await (event === undefined ? sink.advance(cursor) : sink.accept(event, cursor));
    if (event?.room?.restricted === true && place.open) watch.tellAgain(place.address);
  };

  const catchUp = async (ref: ChannelRef, after: string): Promise<void> => {
    const { channelID } = ref;
    for await (const page of historyAfter(rest, { channelID, after, signal }))
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
    const last = lastSaid.get(channelID);
    return last !== undefined && BigInt(last) <= BigInt(after);
  };

  /** Puts what a channel missed in front of everything new of this session. */
  const close = (ref: ChannelRef): void => {
    const { channelID } = ref;
    if (lookedAt.get(channelID) === session) return;
    lookedAt.set(channelID, session);
    lanes.push(channelID, async () => {
      await readyClient.get();
      const after = await sink.cursor(cursorName(channelID));
      if (after === undefined || isUpToDate(channelID, after)) return;
      await slots.add(() => catchUp(ref, after));
    });
  };

  return {
    ...{ close, catchUp, handIn },
    closeAll(client) {
      for (const channel of client.channels.cache.values())
        if (channel.isTextBased() && !channel.isDMBased() && channel.lastMessageId !== null)
          close({ channelID: channel.id, guildID: channel.guildId });
    },
    sessionBegan() {
      session += 1;
      lastSaid.clear();
    },
    guild(data) {
      const { channels, threads } = guildPayload.parse(data);
      for (const { id, last_message_id: last } of [...channels, ...threads])
        if (typeof last === 'string') lastSaid.set(id, last);
    },
    isNewSession() {
      const isNew = begun !== session;
      begun = session;
      return isNew;
    },
  };
}

function cursorName(channelID: string): string {
  return `channel:${channelID}`;
}
