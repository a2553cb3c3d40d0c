// Slash commands, pressed buttons and reactions, as events of the gateway.

import { choiceEvent, type PressPayload } from '#adapters/slack/codecs/choices.ts';
import type { SlackConversation } from '#adapters/slack/codecs/inbound.ts';
import { concernsBot, reactionEvent, type SlackReaction } from '#adapters/slack/codecs/reactions.ts';
import { type Slash, slashEvent } from '#adapters/slack/codecs/slash.ts';
import type { Moment } from '#adapters/slack/rooms/known-rooms.ts';
import type { ReceiverOptions } from './receiver-options.ts';

export interface InteractionIntake {
  /** Takes in a slash command; resolves when it is committed. */
  slash(slash: Slash, came: Moment): Promise<void>;
  /** Takes in a pressed button; resolves when it is committed. */
  press(press: PressPayload): Promise<void>;
  /** Takes in a reaction; resolves when it is committed. */
  reaction(reaction: SlackReaction): Promise<void>;
}

/** Takes in slash commands, button presses and reactions of one account. */
export function createInteractionIntake({
  bot,
  clock,
  whisper,
  directory,
  rooms,
  sink,
}: ReceiverOptions): InteractionIntake {
  return {
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
    async reaction(reaction) {
      if (!concernsBot(reaction, bot)) return;
      const { user, item } = reaction;
      await sink.take({ key: `slack ${JSON.stringify(reaction)}` }, async () => {
        const [room, names] = await Promise.all([
          rooms.room({ channel: item.channel, since: 0 }),
          directory.names([user]),
        ]);
        await sink.accept(reactionEvent(reaction, { bot, room, names, locale: directory.locale(user) }));
      });
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
  };
}
