// What every way in shares: the names around a message, and the cursors that it moves.

import type { SlackMessage } from '#adapters/slack/calls/wire.ts';
import type { MessageContext, SlackConversation } from '#adapters/slack/codecs/inbound.ts';
import { mentionedUsers } from '#adapters/slack/codecs/text.ts';
import type { ReceiverOptions } from './receiver-options.ts';

export interface MessageIntake {
  /** The people and the room of a message. */
  around(message: SlackMessage, room: SlackConversation): Promise<MessageContext>;
  /** Moves a cursor, unless what came before is still being fetched. */
  advance(name: string, value: string): Promise<void>;
}

/** Takes in the messages of one account: looks up names, stores messages and cursors, and remembers what was accepted. */
export function createMessageIntake({
  bot,
  directory,
  sink,
  held,
  replyInThread: mentionsOpen,
}: ReceiverOptions): MessageIntake {
  return {
    async around(message, room) {
      const author = message.user ? [message.user] : [];
      const ids = [...new Set([...author, ...mentionedUsers(message.text ?? '')])].filter(
        (id) => id !== bot.botUser,
      );
      const users = await directory.names(ids);
      const user = message.user ?? '';
      const [locale, zone] = [directory.locale(user), directory.zone(user)];
      return { bot, room, users, locale, zone, replyInThread: mentionsOpen };
    },
    async advance(name, value) {
      if (!held(name)) await sink.advance({ name, value });
    },
  };
}
