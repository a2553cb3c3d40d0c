// What each channel is now: its name, and who may read it, according to Slack's events, lists and answers.
import type { ChatKind } from '#adapters/gateway/terms/address.ts';
import type { SlackChannel } from '#adapters/slack/calls/wire.ts';
import type { SlackConversation } from '#adapters/slack/codecs/inbound.ts';
import { createKnownRooms, type Moment, type RoomsOptions } from './known-rooms.ts';

/** What is known of a channel when something comes in from it. */
interface ChannelSighting {
  channel: string;
  /** The event's `channel_type`; absent in mentions, commands and pages. */
  type?: string | undefined;
  /** When Slack says that it happened. */
  ts?: string | undefined;
  /** What was known at this moment or later is good enough. */
  since: Moment;
  /** The workspace in which it happened: the room's, as far as Slack says nothing else. */
  team?: string | undefined;
}

export interface SlackRooms {
  /** The present moment. */
  moment(): Moment;
  /**
   * The room of something that came in. An event that says `group` or `mpim` makes it restricted whatever was known; it opens only by
   * Slack's answer to a question that was asked after the last such event. What Slack does not say counts as restricted.
   */
  room(sighting: ChannelSighting): Promise<SlackConversation>;
  /** Takes in a channel of a list that was asked for at this moment. */
  learn(channel: SlackChannel, asked: Moment): Promise<SlackConversation>;
  /** Slack does not show the channel any more: whether it is still open cannot be known. */
  lost(channel: string, kind: ChatKind): Promise<void>;
  /** The channel has another name. */
  renamed(channel: string): void;
}

/**
 * Decides for each channel of an account whether it is open or restricted. Empty at first; what Slack does not say counts as restricted.
 */
export function createSlackRooms(options: RoomsOptions): SlackRooms {
  const known = createKnownRooms(options);
  const { save, isFresh, announced, take, asked, moment, lost, renamed } = known;

  /** An event says that the room is restricted: so it is, whatever was known. */
  async function closed({ channel, type, since, team: of }: ChannelSighting): Promise<SlackConversation> {
    const kind: ChatKind = type === 'mpim' ? 'group' : 'channel';
    const before = known.get(channel);
    const { name: called = channel, team = of } = before?.room ?? {};
    const room: SlackConversation = { channel, kind, name: called, restricted: true, team };
    const asOf = Math.max(since, before?.asOf ?? 0);
    const { openAt = '0', until } = before ?? {};
    const saved = save({ room, asOf, openAt, closedAt: Math.max(since, before?.closedAt ?? 0), until });
    await announced(room);
    if (isFresh(saved)) return room;
    const found = (await asked(channel, room)).room;
    return { ...room, name: found.name, team: found.team };
  }

  /** An event says that the room is open: it may be older than what is known, so that a restricted one is looked up. */
  async function opened({ channel, since, ts = '0', team }: ChannelSighting): Promise<SlackConversation> {
    const before = known.get(channel);
    const open = before?.doubt === true || before?.room.restricted === false;
    if (before === undefined || !open || !isFresh(before)) {
      const { room } = await asked(channel, {
        channel,
        kind: 'channel',
        name: channel,
        restricted: false,
        team,
      });
      return announced(room);
    }
    const { doubt: _, ...rest } = before;
    const room = { ...rest.room, restricted: false };
    const openAt = Number(ts) > Number(rest.openAt) ? ts : rest.openAt;
    return announced(save({ ...rest, room, asOf: Math.max(since, rest.asOf), openAt }).room);
  }

  /** Nothing says what the room is: an open one is looked up unless it was known to be open by then. */
  async function guessRoom({ channel, since, ts, team }: ChannelSighting): Promise<SlackConversation> {
    const before = known.get(channel);
    const isKnown =
      before !== undefined &&
      (before.room.restricted ||
        before.asOf >= since ||
        (ts !== undefined && Number(before.openAt) >= Number(ts)));
    if (isKnown && isFresh(before)) return announced(before.room);
    const restricted: SlackConversation = { channel, kind: 'channel', name: channel, restricted: true, team };
    const after = await asked(channel, restricted);
    const certain = after.room.restricted || after.asOf >= since;
    if (certain) return announced(after.room);
    return announced(save({ ...after, doubt: true, room: { ...after.room, restricted: true } }).room);
  }

  return {
    ...{ moment, lost, renamed },
    learn: (channel, at) => announced(take(channel, at).room),
    async room(sighting) {
      const { channel, type } = sighting;
      if (type === 'im' || channel.startsWith('D'))
        return { channel, kind: 'dm', name: channel, restricted: true };
      if (type === 'group' || type === 'mpim') return closed(sighting);
      return type === 'channel' ? opened(sighting) : guessRoom(sighting);
    },
  };
}
