// Telegram's side of `Places`: what members and administrators do in chats of every kind, and who may read what.

import { ParleyError } from '#base/errors.ts';
import { type PlaceMessage, type Places, textsOf } from '#sandbox/places.ts';
import { botSees } from './bot-sees.ts';
import { composeMessage } from './compose-message.ts';
import type { Groups } from './groups.ts';
import { mayRead } from './may-read.ts';
import type { Membership } from './membership.ts';
import { messageIn, textContent } from './people.ts';
import { createPlaceRooms, kinds, type Place } from './place-rooms.ts';
import { isInside } from './standing.ts';
import { type State, tellOfBot } from './state.ts';
import type { TgMessage, TgUser } from './wire.ts';
import { messageAt, type SandboxChatState, type Stored } from './world.ts';

/** What only Telegram's administrators can do, also. */
export interface TelegramPlaces extends Places {
  /** Makes the bot an administrator of the room, or a plain member again. */
  setAdministrator(room: string, administrator: boolean): void;
  /** Shows newcomers of a private supergroup what was written before, or hides it. */
  setVisibleHistory(room: string, visible: boolean): void;
  /** Makes a supergroup the place where a channel's posts are discussed. */
  setDiscussion(room: string, channel: number): void;
  /** Lets only administrators ask about the room's members. */
  setHiddenMembers(room: string, hidden: boolean): void;
  /** Throws the bot out of the room, or admits it again. */
  setBot(room: string, inside: boolean): void;
  /** Says something under the name of a chat: as an anonymous administrator of the room, or as a channel of that id and title. */
  sayAs(said: {
    account: string;
    room: string;
    text: string;
    channel?: { id: number; title: string };
  }): Promise<string>;
}

/** Who is in `from` of a message that was sent in the name of a chat (Bot API, Message.sender_chat). */
const anonymous: TgUser = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: 'Group',
  username: 'GroupAnonymousBot',
};
const asChannel: TgUser = { id: 136_817_688, is_bot: true, first_name: 'Channel', username: 'Channel_Bot' };

const firstAccount = 7_100_000_000;

/** The places of one world; ParleyErrors `unknown_account`, `unknown_room`, `not_a_member` and `not_editable` say what cannot be. */
export function createPlaces(options: {
  state: State;
  groups: Groups;
  membership: Membership;
  botIs: 'member' | 'administrator';
}): TelegramPlaces {
  const { state, groups, membership } = options;
  const { world, queue } = state;
  const rooms = createPlaceRooms(options);
  const spaces = new Map<string, Set<SandboxChatState>>();
  let accounts = 0;

  function userOf(account: string): TgUser {
    const user = world.accounts.get(Number(account));
    if (user === undefined) throw new ParleyError('unknown_account', `Telegram has no account ${account}.`);
    return user;
  }

  /** `CHAT` or `CHAT/TOPIC`; of a group that moved also by its former id. */
  function placeOf(id: string): Place {
    const [chat, topic] = id.split('/').map(Number);
    const room = world.byChatID(world.migrated.get(chat ?? 0)?.to ?? chat ?? 0);
    if (room === undefined) throw new ParleyError('unknown_room', `Telegram has no room ${id}.`);
    return { room, topic };
  }

  const idOf = ({ room, topic }: Place): string =>
    topic === undefined ? String(room.chat.id) : `${room.chat.id}/${topic}`;

  const topicOf = (message: TgMessage): number | undefined =>
    message.direct_messages_topic?.topic_id ??
    (message.is_topic_message === true ? message.message_thread_id : undefined);

  const shownOf = ({ message, writtenBy }: Stored): PlaceMessage => {
    const file = state.files.byID(message.document?.file_id ?? '')?.upload;
    return {
      id: String(message.message_id),
      author: String(writtenBy ?? message.from?.id ?? message.chat.id),
      text: message.text ?? message.caption ?? '',
      files: textsOf(file === undefined ? [] : [file]),
    };
  };

  function storedIn({ room, topic }: Place, message: string): Stored | undefined {
    const stored = messageAt(room, Number(message));
    return stored === undefined || topicOf(stored.message) !== topic ? undefined : stored;
  }

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
    kinds,
    addAccount(name) {
      const id = firstAccount + ++accounts;
      world.accounts.set(id, { id, is_bot: false, first_name: name });
      return String(id);
    },
    addSpace(name) {
      const space = `${name}#${spaces.size}`;
      spaces.set(space, new Set());
      return space;
    },
    addRoom({ space, kind, name, parent, members }) {
      const place = rooms.add({
        space,
        kind,
        name,
        parent: parent === undefined ? undefined : placeOf(parent),
        members: members.map(userOf),
      });
      spaces.get(space)?.add(place.room);
      return idOf(place);
    },
    direct: (account) => idOf({ room: rooms.direct(userOf(account)) }),
    joinSpace: () => {}, // Telegram has no spaces: each chat is joined on its own
    leaveSpace(account, space, how) {
      for (const room of spaces.get(space) ?? []) leave(room, userOf(account), how);
    },
    joinRoom(account, room) {
      const { directTo, ...chat } = placeOf(room).room;
      const user = userOf(account);
      if (directTo !== undefined) membership.set(directTo.channel, user, { status: 'administrator' });
      else if (!isInside(placeOf(room).room, user.id) && chat.chat.type !== 'private')
        membership.set(placeOf(room).room, user, { status: 'member' });
    },
    leaveRoom: (account, room, how) => leave(placeOf(room).room, userOf(account), how),
    setOpen(id, open) {
      const { room } = placeOf(id);
      if (room.chat.type !== 'supergroup' || room.directTo !== undefined) return false;
      // Telegram sends bots no update about this: they see it in the chat of the next update (Bot API, Chat.username).
      const { username, ...rest } = room.chat;
      room.chat = open ? { ...rest, username: username ?? rooms.freeName() } : rest;
      return true;
    },
    rename(id, name) {
      const { room, topic } = placeOf(id);
      if (room.chat.type === 'private' || room.directTo !== undefined) return;
      if (topic === undefined) room.chat = { ...room.chat, title: name };
      membership.announce(
        room,
        topic === undefined
          ? { new_chat_title: name }
          : { forum_topic_edited: { name }, message_thread_id: topic, is_topic_message: true },
      );
    },
    move: (room) => groups.migrate(placeOf(room).room).to,
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
    messages(id) {
      const { room, topic } = placeOf(id);
      return room.messages
        .filter(({ author, message }) => author !== 'service' && topicOf(message) === topic)
        .map(shownOf);
    },
    mayRead(account, id, message) {
      const place = placeOf(id);
      const stored = storedIn(place, message);
      return stored !== undefined && mayRead(place.room, stored, Number(account));
    },
    onBotMessage(listener) {
      const received = (room: SandboxChatState, stored: Stored): void =>
        listener({ room: idOf({ room, topic: topicOf(stored.message) }), message: shownOf(stored) });
      state.botListeners.add(received);
      return () => state.botListeners.delete(received);
    },
    setAdministrator: (room, administrator) => membership.setAdministrator(placeOf(room).room, administrator),
    setVisibleHistory(room, visible) {
      placeOf(room).room.visibleHistory = visible;
    },
    setDiscussion(room, channel) {
      placeOf(room).room.discusses = channel;
    },
    setHiddenMembers(room, hidden) {
      placeOf(room).room.hiddenMembers = hidden;
    },
    setBot: (room, inside) => membership.setBot(placeOf(room).room, inside),
  };

  /** A basic group has no list of those who may not return (Bot API, banChatMember). */
  function leave(room: SandboxChatState, user: TgUser, how: 'left' | 'kicked' | 'banned'): void {
    const where = room.directTo?.channel ?? room;
    if (where.chat.type === 'private') return;
    const barred = how === 'banned' && where.chat.type !== 'group';
    if (!barred && !isInside(where, user.id)) return;
    membership.set(where, user, { status: barred ? 'kicked' : 'left', byAdministrator: how !== 'left' });
  }
}
