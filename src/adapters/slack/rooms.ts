// What each channel is now: its name, and who may read it, by Slack's events, lists and answers.
import type { ChatKind } from '#adapters/gateway/address.ts';
import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';
import type { SlackConversation } from './inbound.ts';
import { homeOf } from './organisation.ts';
import type { SlackChannel } from './wire.ts';

/** A place in the order in which things came in and were asked. Later ones are greater. */
export type Moment = number;

/** What is known of a channel when something comes in from it. */
export interface Sighting {
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

export interface Rooms {
  /** The present moment. */
  moment(): Moment;
  /**
   * The room of something that came in. An event that says `group` or `mpim` makes it restricted whatever was known; it opens only by
   * Slack's answer to a question that was asked after the last such event. What Slack does not say counts as restricted.
   */
  room(sighting: Sighting): Promise<SlackConversation>;
  /** Takes in a channel of a list that was asked for at this moment. */
  learn(channel: SlackChannel, asked: Moment): Promise<SlackConversation>;
  /** Slack does not show the channel any more: whether it is still open cannot be known. */
  lost(channel: string, kind: ChatKind): Promise<void>;
  /** The channel has another name. */
  renamed(channel: string): void;
}

interface Known {
  room: SlackConversation;
  /** Who may read it was asked, or told by an event, at this moment. */
  asOf: Moment;
  /** The last event that said that it is open happened then, by Slack's clock. */
  openAt: string;
  /** The last event that said that it is restricted came then. */
  closedAt: Moment;
  /** It may be open: Slack did not say when it was asked. */
  doubt?: true | undefined;
  /** The name is asked again after this; undefined when it is to be asked at the next sight. */
  until: MonotonicMs | undefined;
}

export interface RoomsOptions {
  clock: Clock;
  /** Asks Slack; undefined when it does not say. */
  ask(channel: string): Promise<SlackChannel | undefined>;
  /** Commits that a room is open or restricted now, whenever it changes; at the first sight a message says it itself. */
  notify(room: SlackConversation): Promise<void>;
}

const namesMs = 60 * 60_000;
/** A look-up of a name that failed is tried again after this. */
const failedMs = 60_000;
const maxKept = 2000;

/** Knows no room yet. */
export function createRooms({ clock, ask, notify }: RoomsOptions): Rooms {
  const all = new Map<string, Known>();
  const told = new Map<string, boolean>();
  let moments = 0;
  const moment = (): Moment => {
    moments += 1;
    return moments;
  };

  const isFresh = ({ until }: Known): boolean => until !== undefined && msUntil(clock, until) > 0;

  function save(known: Known): Known {
    const { channel } = known.room;
    all.delete(channel);
    all.set(channel, known);
    const [oldest = ''] = all.keys();
    if (all.size > maxKept) {
      all.delete(oldest);
      told.delete(oldest);
    }
    return known;
  }

  /** Emits a change; one that could not be committed is emitted again next time. */
  async function announced(room: SlackConversation): Promise<SlackConversation> {
    const { channel, restricted } = room;
    const before = told.get(channel);
    if (room.kind === 'dm' || before === restricted) return room;
    told.set(channel, restricted);
    if (before === undefined) return room;
    try {
      await notify(room);
    } catch (error) {
      told.set(channel, before);
      throw error;
    }
    return room;
  }

  /** What an answer says, unless an event closed the room after it was asked for. */
  function take(channel: SlackChannel, asked: Moment): Known {
    const before = all.get(channel.id);
    const room = roomOf(channel);
    const closed = (before?.closedAt ?? 0) > asked;
    return save({
      room: closed ? { ...room, restricted: true } : room,
      asOf: Math.max(asked, before?.asOf ?? 0),
      openAt: before?.openAt ?? '0',
      closedAt: before?.closedAt ?? 0,
      until: momentIn(clock, namesMs),
    });
  }

  /** Asks; without an answer the room stays as it was, or `otherwise` where nothing was known. */
  async function asked(channel: string, otherwise: SlackConversation): Promise<Known> {
    const at = moment();
    const answer = await ask(channel);
    if (answer !== undefined) return take(answer, at);
    const before = all.get(channel);
    const until = momentIn(clock, failedMs);
    if (before !== undefined) return save({ ...before, until });
    return save({ room: otherwise, asOf: 0, openAt: '0', closedAt: 0, until });
  }

  /** An event says that the room is restricted: so it is, whatever was known. */
  async function closed({ channel, type, since, team: of }: Sighting): Promise<SlackConversation> {
    const kind: ChatKind = type === 'mpim' ? 'group' : 'channel';
    const before = all.get(channel);
    const { name: called = channel, team = of } = before?.room ?? {};
    const room: SlackConversation = { channel, kind, name: called, restricted: true, team };
    const asOf = Math.max(since, before?.asOf ?? 0);
    const { openAt = '0', until } = before ?? {};
    const known = save({ room, asOf, openAt, closedAt: Math.max(since, before?.closedAt ?? 0), until });
    await announced(room);
    if (isFresh(known)) return room;
    const found = (await asked(channel, room)).room;
    return { ...room, name: found.name, team: found.team };
  }

  /** An event says that the room is open: it may be older than what is known, so that a restricted one is looked up. */
  async function opened({ channel, since, ts = '0', team }: Sighting): Promise<SlackConversation> {
    const before = all.get(channel);
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
    const { doubt: _, ...known } = before;
    const room = { ...known.room, restricted: false };
    const openAt = Number(ts) > Number(known.openAt) ? ts : known.openAt;
    return announced(save({ ...known, room, asOf: Math.max(since, known.asOf), openAt }).room);
  }

  /** Nothing says what the room is: an open one is looked up unless it was known to be open by then. */
  async function unsaid({ channel, since, ts, team }: Sighting): Promise<SlackConversation> {
    const before = all.get(channel);
    const known =
      before !== undefined &&
      (before.room.restricted ||
        before.asOf >= since ||
        (ts !== undefined && Number(before.openAt) >= Number(ts)));
    if (known && isFresh(before)) return announced(before.room);
    const restricted: SlackConversation = { channel, kind: 'channel', name: channel, restricted: true, team };
    const after = await asked(channel, restricted);
    const certain = after.room.restricted || after.asOf >= since;
    if (certain) return announced(after.room);
    return announced(save({ ...after, doubt: true, room: { ...after.room, restricted: true } }).room);
  }

  return {
    moment,
    learn: (channel, at) => announced(take(channel, at).room),
    async room(sighting) {
      const { channel, type } = sighting;
      if (type === 'im' || channel.startsWith('D'))
        return { channel, kind: 'dm', name: channel, restricted: true };
      if (type === 'group' || type === 'mpim') return closed(sighting);
      return type === 'channel' ? opened(sighting) : unsaid(sighting);
    },
    async lost(channel, kind) {
      const before = all.get(channel);
      const at = moment();
      const { name = channel, team } = before?.room ?? {};
      const room = { channel, kind: before?.room.kind ?? kind, name, restricted: true, team };
      if (before === undefined) told.set(channel, false);
      await announced(
        save({ room, asOf: at, openAt: '0', closedAt: at, until: momentIn(clock, namesMs) }).room,
      );
    },
    renamed(channel) {
      const before = all.get(channel);
      if (before !== undefined) all.set(channel, { ...before, until: undefined });
    },
  };
}

function roomOf(channel: SlackChannel): SlackConversation {
  const { id, name, is_im: isDirect, is_mpim: isGroup, is_private: isPrivate } = channel;
  const kind: ChatKind = isDirect === true ? 'dm' : isGroup === true ? 'group' : 'channel';
  const restricted = kind !== 'channel' || isPrivate === true;
  return { channel: id, kind, name: name || id, restricted, team: homeOf(channel) };
}
