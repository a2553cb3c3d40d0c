// Telegram's side of `Places`: what members and administrators do in chats of every kind, and who may read what.

import { isInside } from '#sandbox/telegram/world/standing.ts';
import type { State } from '#sandbox/telegram/world/state.ts';
import type { TgUser } from '#sandbox/telegram/world/wire.ts';
import type { SandboxChatState, Stored } from '#sandbox/telegram/world/world.ts';
import type { Groups } from './groups.ts';
import { mayRead } from './may-read.ts';
import type { MembershipChanges } from './membership.ts';
import { createPlaceLookup } from './place-lookup.ts';
import { createPlaceMessages } from './place-messages.ts';
import { createPlaceRooms, kinds } from './place-rooms.ts';
import type { TelegramPlaces } from './telegram-places.ts';

const firstAccount = 7_100_000_000;

/** The places of one world; ParleyErrors `unknown_account`, `unknown_room`, `not_a_member` and `not_editable` say what cannot be. */
export function createPlaces(options: {
  state: State;
  groups: Groups;
  membership: MembershipChanges;
  botIs: 'member' | 'administrator';
}): TelegramPlaces {
  const { state, groups, membership } = options;
  const { world } = state;
  const lookup = createPlaceLookup(state);
  const { userOf, placeOf, idOf, topicOf, shownOf, storedIn } = lookup;
  const rooms = createPlaceRooms(options);
  const spaces = new Map<string, Set<SandboxChatState>>();
  let accounts = 0;

  return {
    ...createPlaceMessages(state, lookup),
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
