// Hands what Slack sends to the gateway, with names and a cursor.

import { millisOf, type SlackEvent, type SlackMessage } from '#adapters/slack/calls/wire.ts';
import { changeOf, type SlackChange } from '#adapters/slack/codecs/change.ts';
import {
  deleteEvent,
  editEvent,
  messageEvent,
  namedEvent,
  noticeEvent,
  previewEvent,
  type SlackConversation,
  threadOf,
} from '#adapters/slack/codecs/inbound.ts';
import type { News } from '#adapters/slack/codecs/members.ts';
import type { Moment } from '#adapters/slack/rooms/known-rooms.ts';
import { channelCursor, threadCursor } from './cursor-names.ts';
import { createFoundMessages, type FoundMessages } from './found-messages.ts';
import { createInteractionIntake, type InteractionIntake } from './interaction-intake.ts';
import { createMessageIntake } from './message-intake.ts';
import { eventsOf } from './news.ts';
import type { ReceiverOptions } from './receiver-options.ts';

export interface Receiver extends InteractionIntake, FoundMessages {
  /** Takes in an event of the socket; resolves when it is committed. */
  event(event: SlackEvent, came: Moment): Promise<void>;
  /** Takes in what the socket says of people and channels; resolves when it is committed. */
  news(news: News): Promise<void>;
}

/** Notices that a channel has another name. */
const named = new Set<string | undefined>(['channel_name', 'group_name']);

/** Turns the socket's events of one account into events of the gateway. */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { bot, clock, rooms, people, sink, held } = options;
  const intake = createMessageIntake(options);
  const { around, advance } = intake;

  async function live(change: SlackChange, event: SlackEvent, came: Moment): Promise<void> {
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
        if (named.has(change.message.subtype)) {
          rooms.renamed(channel);
          await sink.accept(namedEvent({ bot, room: await rooms.room({ channel, type, since: 0 }) }));
        }
        // the bot speaks only in threads that it takes part in, so that its own replies make no cursors elsewhere
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
    await sink.accept(event, held(name) ? undefined : { name, value: message.ts });
  }

  return {
    ...createInteractionIntake(options),
    ...createFoundMessages(options, intake),
    event(event, came) {
      const { channel, ts, subtype, thread_ts: thread } = event;
      const name = channelCursor(channel);
      const cursor =
        subtype === undefined && thread === undefined && !held(name) ? { name, value: ts } : undefined;
      const key = `slack ${channel} ${event.event_ts ?? ts} ${subtype ?? ''}`;
      return sink.take({ key, cursor }, () => live(changeOf(event, bot), event, came));
    },
    news: (news) =>
      sink.take({ key: `slack ${JSON.stringify(news)}` }, async () => {
        for (const event of await eventsOf(news, { bot, clock, rooms, people })) await sink.accept(event);
      }),
  };
}
