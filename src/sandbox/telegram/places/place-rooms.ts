// Chats of every kind that Telegram has, made for `places`: groups, forums with their topics, direct messages to channels.

import { ParleyError } from '#base/errors.ts';
import type { RoomKind } from '#sandbox/places.ts';
import type { State } from '#sandbox/telegram/world/state.ts';
import type { TgChat, TgUser } from '#sandbox/telegram/world/wire.ts';
import { emptyChat, type MemberStanding, type SandboxChatState } from '#sandbox/telegram/world/world.ts';
import type { Groups } from './groups.ts';
import type { MembershipChanges } from './membership.ts';

/** A chat, or one topic of it. */
export interface Place {
  room: SandboxChatState;
  /** The forum topic, or the topic of a channel's direct messages. */
  topic?: number | undefined;
}

interface NewPlace {
  space: string;
  kind: RoomKind;
  name: string;
  parent: Place | undefined;
  members: readonly TgUser[];
}

interface PlaceRooms {
  add(place: NewPlace): Place;
  /** The direct message between this account and the bot. */
  direct(account: TgUser): SandboxChatState;
  /** A public name that no chat has. */
  freeName(): string;
}

/** The kinds of chats that can be added. */
export const kinds = ['public group', 'private', 'basic group', 'topic', 'channel direct'] as const;

/** Further chats of this world; a ParleyError `unknown_kind` for what Telegram does not have. */
export function createPlaceRooms(options: {
  state: State;
  groups: Groups;
  membership: MembershipChanges;
  /** What the bot is in each of them. */
  botIs: 'member' | 'administrator';
}): PlaceRooms {
  const { groups, membership, botIs } = options;
  const { world } = options.state;
  /** The direct messages of a space's one channel. */
  const directs = new Map<string, SandboxChatState>();
  /** The topic of each person in a channel's direct messages, by `CHAT/PERSON`. */
  const topicsOf = new Map<string, number>();
  let last = 100;

  const supergroupID = (): number => -(1_001_000_000_000 + ++last);
  const freeName = (): string => `parley_place_${++last}`;

  function group(chat: TgChat, members: readonly TgUser[]): SandboxChatState {
    const inside = members.map((user): [number, MemberStanding] => [user.id, { status: 'member', since: 0 }]);
    const room = world.add(emptyChat({ key: 'room', owner: 'guest', chat, members: inside }));
    membership.addBot(room, botIs);
    return room;
  }

  function forum({ name, parent, members }: NewPlace): SandboxChatState {
    if (parent === undefined)
      return group({ id: supergroupID(), type: 'supergroup', title: name, is_forum: true }, members);
    const { room } = parent;
    if (room.chat.type !== 'supergroup' || room.directTo !== undefined)
      throw new ParleyError('not_a_forum', `Only a supergroup has topics; ${room.chat.title} is none.`);
    room.chat = { ...room.chat, is_forum: true };
    for (const user of members) membership.set(room, user, { status: 'member' });
    return room;
  }

  /** A channel with its direct messages, which bots get only as administrators. */
  function channelDirect(space: string): SandboxChatState {
    const title = `Channel of ${space}`;
    const channel = world.add(
      emptyChat({
        key: 'room',
        owner: 'guest',
        chat: { id: supergroupID(), type: 'channel', title },
        members: [],
      }),
    );
    membership.addBot(channel, 'administrator');
    const chat: TgChat = { id: supergroupID(), type: 'supergroup', title, is_direct_messages: true };
    const room = world.add(emptyChat({ key: 'room', owner: 'guest', chat, members: [] }));
    room.botAdmin = true;
    room.directTo = { channel, topics: new Map() };
    directs.set(space, room);
    return room;
  }

  return {
    freeName,
    direct(account) {
      const known = world.byChatID(account.id);
      if (known !== undefined) return known;
      const chat: TgChat = { id: account.id, type: 'private', first_name: account.first_name };
      const members: [number, MemberStanding][] = [[account.id, { status: 'member', since: 0 }]];
      return world.add(emptyChat({ key: 'dm', owner: 'guest', chat, members }));
    },
    add(place) {
      const { kind, name, space, members } = place;
      switch (kind) {
        case 'public group':
          return {
            room: group(
              { id: supergroupID(), type: 'supergroup', title: name, username: freeName() },
              members,
            ),
          };
        case 'private':
          return { room: group({ id: supergroupID(), type: 'supergroup', title: name }, members) };
        case 'basic group':
          return { room: group({ id: -(4_000_000_000 + ++last), type: 'group', title: name }, members) };
        case 'topic': {
          const room = forum(place);
          return { room, topic: groups.createTopic(room, name) };
        }
        case 'channel direct': {
          const room = place.parent?.room.directTo === undefined ? directs.get(space) : place.parent.room;
          return directTopic(room ?? channelDirect(space), members);
        }
        default:
          throw new ParleyError(
            'unknown_kind',
            `Telegram has no room of the kind "${kind}"; it has ${kinds}.`,
          );
      }
    },
  };

  /** The first member writes to the channel; the others manage its direct messages. */
  function directTopic(room: SandboxChatState, [owner, ...administrators]: readonly TgUser[]): Place {
    if (owner === undefined || room.directTo === undefined)
      throw new ParleyError('no_owner', 'Direct messages to a channel need the person who writes them.');
    const { channel, topics } = room.directTo;
    for (const user of administrators) membership.set(channel, user, { status: 'administrator' });
    const key = `${room.chat.id}/${owner.id}`;
    const topic = topicsOf.get(key) ?? world.nextID();
    topicsOf.set(key, topic);
    topics.set(topic, owner);
    return { room, topic };
  }
}
