// Messages that a page of the history or of a thread shows, which the bot may have missed.
import type { Cursor, DeleteEvent } from '#adapters/gateway/terms/inbound.ts';
import { toChange } from '#adapters/slack/codecs/change.ts';
import {
  accountOf,
  deleteEvent,
  editEvent,
  messageEvent,
  noticeEvent,
  type SlackConversation,
} from '#adapters/slack/codecs/inbound.ts';
import type { MessageIntake } from './message-intake.ts';
import type { Found, ReceiverOptions } from './receiver-options.ts';

export interface FoundMessages {
  /** Takes in a message of a page and commits `cursor` with it. Who may read the channel was asked at the moment `since`. */
  found(found: Found & { cursor: Cursor }): Promise<void>;
  /** Takes in the edit of a message that a page shows edited. */
  foundEdit(found: Found): Promise<void>;
  /** As `Sink.accepted`, in this channel. */
  accepted(channel: string, range: { from: string; until: string }): Promise<string[]>;
  /** Accepts that a message which was accepted is no longer on its page. */
  foundGone(found: Omit<Found, 'message'> & { ts: string }): Promise<void>;
}

/** Takes in messages, edits and deletions that a page of one account's history shows. */
export function createFoundMessages(
  { bot, clock, rooms, sink }: ReceiverOptions,
  { around }: MessageIntake,
): FoundMessages {
  const gone = (ts: string, room: SlackConversation): DeleteEvent =>
    deleteEvent({ ts, previous: undefined, at: clock.now() }, { bot, room, users: new Map() });

  const takeFound: FoundMessages['found'] = async ({ channel, message, since, cursor }) => {
    const change = toChange(message, bot);
    if (change.type === 'passed' || change.type === 'nothing') return sink.advance(cursor);
    const room = await rooms.room({ channel, since });
    if (change.type === 'member') await sink.accept(noticeEvent(change, { bot, room }), cursor);
    else if (change.type === 'delete') await sink.accept(gone(change.ts, room), cursor);
    else {
      const event = messageEvent(message, await around(message, room));
      await sink.accept(event, cursor);
    }
  };
  const keyOf = (channel: string, ts: string, what: string): string => `slack ${channel} ${ts} ${what}`;

  return {
    found: (found) =>
      sink.take({ key: keyOf(found.channel, found.message.ts, 'found'), cursor: found.cursor }, () =>
        takeFound(found),
      ),
    async foundEdit({ channel, message, since }) {
      if (toChange(message, bot).type !== 'message') return;
      await sink.take({ key: keyOf(channel, message.ts, `edited ${message.edited?.ts}`) }, async () => {
        const room = await rooms.room({ channel, since });
        await sink.accept(editEvent(message, await around(message, room)));
      });
    },
    accepted: (channel, range) =>
      sink.accepted({ account: accountOf(bot), chat: channel, thread: undefined }, range),
    foundGone: ({ channel, ts, since }) =>
      sink.take({ key: keyOf(channel, ts, 'gone') }, async () => {
        await sink.accept(gone(ts, await rooms.room({ channel, since })));
      }),
  };
}
