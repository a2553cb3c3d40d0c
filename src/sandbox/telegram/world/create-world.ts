// Makes the world of the simulated Telegram, with what its shelf kept.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { displayNames, type SandboxUser } from '#sandbox/contract.ts';
import { createCounter, type Shelf } from '#sandbox/store.ts';
import { keepHistory } from './history.ts';
import type { TgChat, TgUser } from './wire.ts';
import { emptyChat, type MemberStanding, type SandboxChatState, type World } from './world.ts';

/** The world with what its shelf kept of the page's chats; groups named in `basicGroups` are not supergroups yet. */
export function createWorld(options: {
  clock: Clock;
  shelf: Shelf;
  botID: number;
  basicGroups: readonly ('room' | 'private')[];
  locale?: string | undefined;
}): World {
  const bot: TgUser = {
    id: options.botID,
    is_bot: true,
    first_name: 'Parley',
    username: 'parley_sandbox_bot',
  };
  const { locale = 'en' } = options;
  const people = {
    you: {
      id: 5_000_000_001,
      is_bot: false,
      first_name: displayNames.you,
      username: 'robin_sandbox',
      language_code: locale,
    },
    guest: { id: 5_000_000_002, is_bot: false, first_name: displayNames.guest, language_code: locale },
  };
  const group = (key: 'room' | 'private', title: string): TgChat => {
    const last = key === 'room' ? 1 : 2;
    if (options.basicGroups.includes(key)) return { id: -(4_000_000_000 + last), type: 'group', title };
    const chat: TgChat = { id: -(1_001_000_000_000 + last), type: 'supergroup', title };
    return key === 'room' ? { ...chat, username: 'parley_sandbox_room', is_forum: true } : chat;
  };
  const member = (user: SandboxUser): [number, MemberStanding] => [
    people[user].id,
    { status: 'member', since: 0 },
  ];
  const owner: [number, MemberStanding] = [people.you.id, { status: 'creator', since: 0 }];
  const direct = (user: SandboxUser): SandboxChatState => {
    const { id, first_name, username } = { username: undefined, ...people[user] };
    const chat: TgChat = { id, type: 'private', first_name, username };
    return emptyChat({ key: 'dm', owner: user, chat, members: [member(user)] });
  };
  const rooms: SandboxChatState[] = [];
  const byID = new Map<number, SandboxChatState>();
  const migrated = new Map<number, { to: number; left: SandboxChatState }>();
  const add = (room: SandboxChatState): SandboxChatState => {
    rooms.push(room);
    byID.set(room.chat.id, room);
    return room;
  };
  add(direct('you'));
  add(direct('guest'));
  const shared = group('room', 'The room');
  add(emptyChat({ key: 'room', owner: 'you', chat: shared, members: [owner, member('guest')] }));
  const closed = group('private', 'The private room');
  add(emptyChat({ key: 'private', owner: 'you', chat: closed, members: [owner] }));
  const history = keepHistory(rooms, options.shelf);
  const ids = createCounter(options, 'message', 100);
  return {
    ...history,
    bot,
    people,
    accounts: new Map([people.you, people.guest].map((user) => [user.id, user])),
    rooms,
    migrated,
    add,
    room(key, user) {
      const room = rooms.find((one) => one.key === key && (key !== 'dm' || one.owner === user));
      if (room === undefined) throw new ParleyError('unknown_chat', `The sandbox has no chat "${key}".`);
      return room;
    },
    byChatID: (id) => byID.get(id),
    upgrade(room, id) {
      const former = room.chat.id;
      migrated.set(former, { to: id, left: { ...room, standings: new Map(room.standings) } });
      byID.delete(former);
      room.chat = { ...room.chat, id, type: 'supergroup' };
      byID.set(id, room);
    },
    nextID: ids.next,
    lastID: ids.last,
    seconds: () => Math.floor(options.clock.now() / 1000),
    find(id) {
      for (const room of rooms) {
        const stored = room.messages.find(({ message }) => String(message.message_id) === id);
        if (stored !== undefined) return { room, stored };
      }
      throw new ParleyError('unknown_message', `The sandbox has no message ${JSON.stringify(id)}.`);
    },
  };
}
