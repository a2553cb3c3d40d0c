// Hands what Slack told to the gateway, with names and a cursor. Not how it was heard: socket or page.
import type { Cursor, Sink } from '#adapters/gateway/inbound.ts';
import type { Clock } from '#base/clock.ts';
import { type Change, changeOf, type Identity, standing } from './change.ts';
import { choiceEvent, type Press } from './choices.ts';
import type { Directory } from './directory.ts';
import {
  deleteEvent,
  editEvent,
  type MentionsOpen,
  messageEvent,
  type Surroundings,
  threadOf,
} from './inbound.ts';
import { type Slash, slashEvent } from './slash.ts';
import { mentionedUsers } from './text.ts';
import { millisOf, type SlackEvent, type SlackMessage } from './wire.ts';

export interface Receiver {
  /** Takes in an event of the socket; resolves when it is committed. */
  event(event: SlackEvent): Promise<void>;
  /** Takes in a slash command; resolves when it is committed. */
  slash(slash: Slash): Promise<void>;
  /** Takes in a pressed button; resolves when it is committed. */
  press(press: Press): Promise<void>;
  /** Takes in a message of a page and commits `cursor` with it. */
  found(found: { channel: string; message: SlackMessage; cursor: Cursor }): Promise<void>;
  /** Takes in the edit of a message that a page shows edited. */
  foundEdit(found: { channel: string; message: SlackMessage }): Promise<void>;
}

export interface ReceiverOptions {
  bot: Identity;
  clock: Clock;
  /** Says something that only this person sees; its failures concern nobody. */
  whisper(to: { channel: string; user: string; thread: string | undefined }, words: string): void;
  directory: Directory;
  sink: Sink;
  mentionsOpen?: MentionsOpen | undefined;
  /** True while a cursor must stay where it is, since what came before is still being fetched. */
  held(name: string): boolean;
}

/** The cursor of a channel's own messages. */
export function channelCursor(channel: string): string {
  return `channel:${channel}`;
}

/** The cursor of a thread's replies, which history does not show. */
export function threadCursor(channel: string, thread: string): string {
  return `thread:${channel}:${thread}`;
}

/** A receiver for one account. */
export function createReceiver({
  bot,
  clock,
  whisper,
  directory,
  sink,
  held,
  mentionsOpen,
}: ReceiverOptions): Receiver {
  async function around(message: SlackMessage, place: { channel: string; type?: string | undefined }) {
    const author = message.user ? [message.user] : [];
    const ids = [...new Set([...author, ...mentionedUsers(message.text ?? '')])].filter(
      (id) => id !== bot.botUser,
    );
    const [room, users] = await Promise.all([
      directory.room(place.channel, place.type),
      directory.names(ids),
    ]);
    return { bot, room, users, mentionsOpen } satisfies Surroundings;
  }

  async function live(change: Change, event: SlackEvent): Promise<void> {
    const place = { channel: event.channel, type: event.channel_type };
    switch (change.type) {
      case 'message':
        return spoken(change.message, place);
      case 'passed': {
        // the bot speaks only in threads that it takes part in, so that own replies make no cursors elsewhere
        const thread = threadOf(change.message);
        if (thread === undefined) return advance(channelCursor(event.channel), change.message.ts);
        if (change.message.user === bot.botUser)
          return advance(threadCursor(event.channel, thread), change.message.ts);
        return;
      }
      case 'edit':
        await sink.accept(editEvent(change.message, await around(change.message, place)));
        return;
      case 'delete': {
        const { ts, previous } = change;
        const at = millisOf(event.ts);
        await sink.accept(deleteEvent({ ts, previous, at }, await around(previous ?? { ts }, place)));
        return;
      }
      case 'nothing':
        return;
    }
  }

  /** Replies move their thread's cursor only once the thread is known to matter, or every thread would get one. */
  async function spoken(
    message: SlackMessage,
    place: { channel: string; type?: string | undefined },
  ): Promise<void> {
    const event = messageEvent(message, await around(message, place));
    const thread = threadOf(message);
    if (thread !== undefined) {
      const accepted = await sink.accept(event);
      if (accepted === 'accepted') await advance(threadCursor(place.channel, thread), message.ts);
      return;
    }
    const name = channelCursor(place.channel);
    if (held(name)) await sink.accept(event);
    else await sink.accept(event, { name, value: message.ts });
  }

  async function advance(name: string, value: string): Promise<void> {
    if (!held(name)) await sink.advance({ name, value });
  }

  return {
    event: (event) => live(changeOf(event, bot), event),
    async press(press) {
      const { channel, user, message } = press;
      const [room, names] = await Promise.all([directory.room(channel.id), directory.names([user.id])]);
      const settle = (words: string | undefined): void => {
        const thread = message.thread_ts;
        if (words !== undefined) whisper({ channel: channel.id, user: user.id, thread }, words);
      };
      await sink.accept(choiceEvent(press, { bot, room, names, at: clock.now(), settle }));
    },
    async slash(slash) {
      const [room, names] = await Promise.all([
        directory.room(slash.channel_id),
        directory.names([slash.user_id]),
      ]);
      await sink.accept(slashEvent(slash, { bot, room, names, at: clock.now() }));
    },
    async found({ channel, message, cursor }) {
      const change = standing(message, bot);
      if (change.type !== 'message') return sink.advance(cursor);
      await sink.accept(messageEvent(message, await around(message, { channel })), cursor);
    },
    async foundEdit({ channel, message }) {
      if (standing(message, bot).type !== 'message') return;
      await sink.accept(editEvent(message, await around(message, { channel })));
    },
  };
}
