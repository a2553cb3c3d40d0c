// What people write and edit in the rooms of the sandbox's Telegram, under their own name or that of a chat.
import { ParleyError } from '#base/errors.ts';
import { botSees } from '#sandbox/telegram/world/bot-sees.ts';
import { composeMessage } from '#sandbox/telegram/world/compose-message.ts';
import { isInside } from '#sandbox/telegram/world/standing.ts';
import { type State, tellOfBot } from '#sandbox/telegram/world/state.ts';
import type { TgMessage, TgUser } from '#sandbox/telegram/world/wire.ts';
import type { SandboxChatState } from '#sandbox/telegram/world/world.ts';
import { messageIn, textContent } from './people.ts';
import type { PlaceLookup } from './place-lookup.ts';
import type { Place } from './place-rooms.ts';
import type { TelegramPlaces } from './telegram-places.ts';

/** Who stands in `from` of a message that was sent in the name of a chat (Bot API, Message.sender_chat). */
const anonymous: TgUser = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: 'Group',
  username: 'GroupAnonymousBot',
};

const asChannel: TgUser = { id: 136_817_688, is_bot: true, first_name: 'Channel', username: 'Channel_Bot' };

type PlaceMessages = Pick<TelegramPlaces, 'say' | 'sayAs' | 'edit'>;

/** The messages of one world. */
export function createPlaceMessages(
  state: State,
  { userOf, placeOf, idOf, storedIn }: PlaceLookup,
): PlaceMessages {
  const { world, queue } = state;

  /** Posts as an account, or in the name of a chat, and gives it to the bot as far as the bot sees it. */
  function post(
    { room, topic }: Place,
    who: { user: TgUser; name?: { from: TgUser; chat: SandboxChatState['chat'] } | undefined },
    content: Partial<TgMessage>,
    replyTo?: string,
  ): string {
    const { user, name } = who;
    const owner = topic === undefined ? undefined : room.directTo?.topics.get(topic);
    const stored = composeMessage(state, room, {
      author: 'guest',
      from: name?.from ?? user,
      content: {
        ...content,
        ...(name === undefined ? {} : { sender_chat: name.chat }),
        ...(owner === undefined || topic === undefined
          ? {}
          : { direct_messages_topic: { topic_id: topic, user: owner } }),
      },
      replyTo: replyTo === undefined ? undefined : messageIn(room, replyTo),
      thread: owner === undefined ? topic : undefined,
      writtenBy: user.id,
    });
    if (botSees(state, room, stored.message)) queue.push({ message: stored.message });
    return String(stored.message.message_id);
  }

  function refuseOutsider({ room, topic }: Place, user: TgUser): void {
    const direct = room.directTo;
    const mine = direct !== undefined && direct.topics.get(topic ?? 0)?.id === user.id;
    const where = direct?.channel ?? room;
    const banned = where.standings.get(user.id)?.status === 'kicked';
    if ((mine && !banned) || isInside(where, user.id)) return;
    throw new ParleyError(
      'not_a_member',
      `${user.first_name} is not in ${where.chat.title ?? idOf({ room })}.`,
    );
  }

  return {
    async say({ account, room, text, mention, replyTo }) {
      const place = placeOf(room);
      const user = userOf(account);
      refuseOutsider(place, user);
      const content = textContent(mention === true ? `@${world.bot.username} ${text}` : text);
      // Who manages a channel's direct messages answers there in its name.
      const owner = place.room.directTo?.topics.get(place.topic ?? 0);
      const channel = owner === undefined || owner.id === user.id ? undefined : place.room.directTo?.channel;
      const name = channel === undefined ? undefined : { from: asChannel, chat: channel.chat };
      return post(place, { user, name }, content, replyTo);
    },
    async sayAs({ account, room, text, channel }) {
      const place = placeOf(room);
      const name =
        channel === undefined
          ? { from: anonymous, chat: place.room.chat }
          : { from: asChannel, chat: { ...channel, type: 'channel' as const } };
      return post(place, { user: userOf(account), name }, textContent(text));
    },
    async edit(id, message, text) {
      const place = placeOf(id);
      const stored = storedIn(place, message);
      if (stored === undefined || stored.message.chat.id !== place.room.chat.id)
        throw new ParleyError(
          'not_editable',
          `The message ${message} is not in ${id}, or was written before the group moved; then nobody can edit it.`,
        );
      const { text: _, entities: __, ...rest } = stored.message;
      const edit_date = world.seconds();
      stored.message = { ...rest, ...textContent(text), chat: place.room.chat, edit_date };
      world.changed(place.room, stored);
      state.changed();
      if (stored.author === 'bot') tellOfBot(state, place.room, stored);
      else if (botSees(state, place.room, stored.message)) queue.push({ edited_message: stored.message });
    },
  };
}
