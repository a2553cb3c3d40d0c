// What is known of each channel, as far as Slack said it; changes of who may read one are announced.
import type { ChatKind } from '#adapters/gateway/terms/address.ts';
import type { SlackChannel } from '#adapters/slack/calls/wire.ts';
import type { SlackConversation } from '#adapters/slack/codecs/inbound.ts';
import { homeWorkspaceOf } from '#adapters/slack/codecs/organisation.ts';
import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';

/** A place in the order in which things came in and were asked. Later ones are greater. */
export type Moment = number;

interface CachedRoom {
  room: SlackConversation;
  /** Who may read it was asked, or said by an event, at this moment. */
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

const maxRooms = 2000;

interface KnownRooms {
  /** The present moment. */
  moment(): Moment;
  get(channel: string): CachedRoom | undefined;
  save(known: CachedRoom): CachedRoom;
  /** Whether the name need not be asked again yet. */
  isFresh(known: CachedRoom): boolean;
  /** Emits a change; one that could not be committed is emitted again next time. */
  announced(room: SlackConversation): Promise<SlackConversation>;
  /** What an answer says, unless an event closed the room after it was asked for. */
  take(channel: SlackChannel, asked: Moment): CachedRoom;
  /** Asks; without an answer the room stays as it was, or `otherwise` where nothing was known. */
  asked(channel: string, otherwise: SlackConversation): Promise<CachedRoom>;
  /** Slack does not show the channel any more: it counts as restricted. */
  lost(channel: string, kind: ChatKind): Promise<void>;
  /** The channel has another name: it is asked again at the next sight. */
  renamed(channel: string): void;
}

/** What is known of each channel: its name, and whether it is open. Holds at most 2,000 channels; empty at first. */
export function createKnownRooms({ clock, ask, notify }: RoomsOptions): KnownRooms {
  const all = new Map<string, CachedRoom>();
  const announcedAs = new Map<string, boolean>();
  let moments = 0;
  const moment = (): Moment => {
    moments += 1;
    return moments;
  };

  const isFresh = ({ until }: CachedRoom): boolean => until !== undefined && msUntil(clock, until) > 0;

  function save(known: CachedRoom): CachedRoom {
    const { channel } = known.room;
    all.delete(channel);
    all.set(channel, known);
    const [oldest = ''] = all.keys();
    if (all.size > maxRooms) {
      all.delete(oldest);
      announcedAs.delete(oldest);
    }
    return known;
  }

  /** Emits a change; one that could not be committed is emitted again next time. */
  async function announced(room: SlackConversation): Promise<SlackConversation> {
    const { channel, restricted } = room;
    const before = announcedAs.get(channel);
    if (room.kind === 'dm' || before === restricted) return room;
    announcedAs.set(channel, restricted);
    if (before === undefined) return room;
    try {
      await notify(room);
    } catch (error) {
      announcedAs.set(channel, before);
      throw error;
    }
    return room;
  }

  /** What an answer says, unless an event closed the room after it was asked for. */
  function take(channel: SlackChannel, asked: Moment): CachedRoom {
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
  async function asked(channel: string, otherwise: SlackConversation): Promise<CachedRoom> {
    const at = moment();
    const answer = await ask(channel);
    if (answer !== undefined) return take(answer, at);
    const before = all.get(channel);
    const until = momentIn(clock, failedMs);
    if (before !== undefined) return save({ ...before, until });
    return save({ room: otherwise, asOf: 0, openAt: '0', closedAt: 0, until });
  }

  return {
    ...{ moment, save, isFresh, announced, take, asked },
    get: (channel) => all.get(channel),
    async lost(channel, kind) {
      const before = all.get(channel);
      const at = moment();
      const { name = channel, team } = before?.room ?? {};
      const room = { channel, kind: before?.room.kind ?? kind, name, restricted: true, team };
      if (before === undefined) announcedAs.set(channel, false);
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
  return { channel: id, kind, name: name || id, restricted, team: homeWorkspaceOf(channel) };
}
