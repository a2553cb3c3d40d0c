// Hands what Slack given to the gateway, with names and a cursor.
import type { Cursor, DeleteEvent, MessageEvent, Sink } from '#adapters/gateway/inbound.ts';
import type { Clock } from '#base/clock.ts';
import { type Change, changeOf, type Identity, toChange } from './change.ts';
import { choiceEvent, type Press } from './choices.ts';
import type { Directory } from './directory.ts';
import {
  deleteEvent,
  editEvent,
  type MessageContext,
  messageEvent,
  noticeEvent,
  previewEvent,
  type SlackConversation,
  threadOf,
} from './inbound.ts';
import type { News } from './members.ts';
import { eventsOf } from './news.ts';
import type { People } from './people.ts';
import type { Remembered } from './remembered.ts';
import type { Moment, Rooms } from './rooms.ts';
import { type Slash, slashEvent } from './slash.ts';
import { mentionedUsers } from './text.ts';
import { millisOf, type SlackEvent, type SlackMessage } from './wire.ts';

export interface Receiver {
  /** Takes in an event of the socket; resolves when it is committed. */
  event(event: SlackEvent, came: Moment): Promise<void>;
  /** Takes in what the socket says of people and channels; resolves when it is committed. */
  news(news: News): Promise<void>;
  /** Takes in a slash command; resolves when it is committed. */
  slash(slash: Slash, came: Moment): Promise<void>;
  /** Takes in a pressed button; resolves when it is committed. */
  press(press: Press): Promise<void>;
  /** Takes in a message of a page and commits `cursor` with it. Who may read the channel was asked at the moment `since`. */
  found(found: Found & { cursor: Cursor }): Promise<void>;
  /** Takes in the edit of a message that a page shows edited. */
  foundEdit(found: Found): Promise<void>;
  /** Accepts that a message which was accepted is no longer on its page. */
  foundGone(found: Omit<Found, 'message'> & { ts: string }): Promise<void>;
}

export interface Found {
  channel: string;
  message: SlackMessage;
  since: Moment;
}

export interface ReceiverOptions {
  bot: Identity;
  clock: Clock;
  /** Says something that only this person sees; its failures concern nobody. */
  whisper(to: { channel: string; user: string; thread: string | undefined }, words: string): void;
  directory: Directory;
  rooms: Rooms;
  people: Pick<People, 'changed'>;
  remembered: Remembered;
  sink: Sink;
  replyInThread?: boolean | undefined;
  /** True while a cursor must stay where it is, since what came before is still being fetched. */
  held(name: string): boolean;
}

/** Notices that a channel has another name. */
const named = new Set<string | undefined>(['channel_name', 'group_name']);

/** The cursor of a channel's own messages. */
export function channelCursor(channel: string): string {
  return `channel:${channel}`;
}

/** The cursor of a thread's replies, which history does not show. */
export function threadCursor(channel: string, thread: string): string {
  return `thread:${channel}:${thread}`;
}

/** A receiver for one account. */
export function createReceiver(options: ReceiverOptions): Receiver {
  const {
    bot,
    clock,
    whisper,
    directory,
    rooms,
    people,
    remembered,
    sink,
    held,
    replyInThread: mentionsOpen,
  } = options;

  async function around(message: SlackMessage, room: SlackConversation): Promise<MessageContext> {
    const author = message.user ? [message.user] : [];
    const ids = [...new Set([...author, ...mentionedUsers(message.text ?? '')])].filter(
      (id) => id !== bot.botUser,
    );
    const users = await directory.names(ids);
    const locale = message.user ? directory.locale(message.user) : undefined;
    return { bot, room, users, locale, replyInThread: mentionsOpen };
  }

  async function live(change: Change, event: SlackEvent, came: Moment): Promise<void> {
    const { channel, channel_type: type, ts } = event;
    // also what is not for the bot says who may read the channel
    const room = await rooms.room({
      channel,
      type,
      ts: event.event_ts ?? ts,
      since: came,
      team: event.workspace,
    });
    switch (change.type) {
      case 'message':
        return spoken(change.message, room);
      case 'passed': {
        if (named.has(change.message.subtype)) rooms.renamed(channel);
        // the bot speaks only in threads that it takes part in, so that own replies make no cursors somewhere else
        const thread = threadOf(change.message);
        if (thread === undefined) return advance(channelCursor(channel), change.message.ts);
        if (change.message.user === bot.botUser)
          return advance(threadCursor(channel, thread), change.message.ts);
        return;
      }
      case 'member':
        await sink.accept(noticeEvent(change, { bot, room }));
        return advance(channelCursor(channel), change.message.ts);
      case 'edit':
        await sink.accept(editEvent(change.message, await around(change.message, room)));
        return;
      case 'preview':
        await sink.accept(previewEvent(change.message, await around(change.message, room)));
        return;
      case 'delete': {
        const { ts: deleted, previous } = change;
        remembered.forget(channel, deleted);
        const at = millisOf(ts);
        const where = await around(previous ?? { ts: deleted }, room);
        await sink.accept(deleteEvent({ ts: deleted, previous, at }, where));
        return;
      }
      case 'nothing':
        return;
    }
  }

  /** Replies move their thread's cursor only once the thread is known to matter, or every thread would get one. */
  async function spoken(message: SlackMessage, room: SlackConversation): Promise<void> {
    const event = messageEvent(message, await around(message, room));
    const thread = threadOf(message);
    if (thread !== undefined) {
      const accepted = await sink.accept(event);
      if (accepted === 'accepted') await advance(threadCursor(room.channel, thread), message.ts);
      return;
    }
    const name = channelCursor(room.channel);
    await taken(room.channel, event, held(name) ? undefined : { name, value: message.ts });
  }

  /** Hands a channel's own message in, to miss it should it be gone later. */
  async function taken(channel: string, event: MessageEvent, cursor: Cursor | undefined): Promise<void> {
    const accepted = await sink.accept(event, cursor);
    if (accepted !== 'ignored') remembered.note(channel, event.nativeID);
  }

  async function advance(name: string, value: string): Promise<void> {
    if (!held(name)) await sink.advance({ name, value });
  }

  const gone = (ts: string, room: SlackConversation): DeleteEvent =>
    deleteEvent({ ts, previous: undefined, at: clock.now() }, { bot, room, users: new Map() });

  return {
    event: (event, came) => live(changeOf(event, bot), event, came),
    async news(news) {
      for (const event of await eventsOf(news, { bot, clock, rooms, people })) await sink.accept(event);
    },
    async press(press) {
      const { channel, user, message } = press;
      const [room, names] = await Promise.all([
        rooms.room({ channel: channel.id, since: 0 }),
        directory.names([user.id]),
      ]);
      const settle = (words: string | undefined): void => {
        const thread = message.thread_ts;
        if (words !== undefined) whisper({ channel: channel.id, user: user.id, thread }, words);
      };
      await sink.accept(
        choiceEvent(press, { bot, room, names, locale: directory.locale(user.id), at: clock.now(), settle }),
      );
    },
    async slash(slash, came) {
      const channel = slash.channel_id;
      const asked = rooms.moment();
      const [seen, names] = await Promise.all([directory.sight(channel), directory.names([slash.user_id])]);
      const outside =
        seen === 'not there' || (typeof seen === 'object' && seen.is_member === false && !seen.is_im);
      const found = await (typeof seen === 'object'
        ? rooms.learn(seen, asked)
        : rooms.room({ channel, since: came, team: slash.team_id }));
      // a conversation between two people, as far as the bot can know one that it is not in
      const room: SlackConversation = outside && found.kind === 'dm' ? { ...found, kind: 'group' } : found;
      await sink.accept(
        slashEvent(slash, {
          bot,
          room,
          names,
          locale: directory.locale(slash.user_id),
          at: clock.now(),
          outside,
        }),
      );
    },
    async found({ channel, message, since, cursor }) {
      const change = toChange(message, bot);
      if (change.type === 'passed' || change.type === 'nothing') return sink.advance(cursor);
      const room = await rooms.room({ channel, since });
      if (change.type === 'member') await sink.accept(noticeEvent(change, { bot, room }), cursor);
      else if (change.type === 'delete') await sink.accept(gone(change.ts, room), cursor);
      else {
        const event = messageEvent(message, await around(message, room));
        if (threadOf(message) === undefined) await taken(channel, event, cursor);
        else await sink.accept(event, cursor);
      }
    },
    async foundEdit({ channel, message, since }) {
      if (toChange(message, bot).type !== 'message') return;
      const room = await rooms.room({ channel, since });
      await sink.accept(editEvent(message, await around(message, room)));
    },
    async foundGone({ channel, ts, since }) {
      await sink.accept(gone(ts, await rooms.room({ channel, since })));
    },
  };
}
