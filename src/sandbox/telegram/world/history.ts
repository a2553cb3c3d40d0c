// What was written in each chat: added, changed and taken out here, so that the store has the same chats as the page.
import type { Shelf } from '#sandbox/store.ts';
import type { SandboxChatState, Stored, World } from './world.ts';

/** How many messages a chat holds at most; older ones are forgotten. */
const historyLimit = 2000;

interface Row extends Stored {
  chat: string;
}

/** Puts what the shelf has into these rooms, the page's; rooms that are added later keep theirs only in memory. */
export function keepHistory(
  rooms: readonly SandboxChatState[],
  shelf: Shelf,
): Pick<World, 'save' | 'changed' | 'drop'> {
  const lasting = new Map(rooms.map((room) => [room, `${room.key} of ${room.owner}`]));
  const named = new Map([...lasting].map(([room, name]) => [name, room]));
  for (const { value } of shelf.all<Row>('message')) {
    const { chat, ...stored } = value;
    const room = named.get(chat);
    room?.messages.push(stored);
    if (stored.message.forum_topic_created !== undefined) room?.topics.add(stored.message.message_id);
  }
  const keyOf = ({ message }: Stored): string => String(message.message_id);
  function changed(room: SandboxChatState, stored: Stored): void {
    const chat = lasting.get(room);
    if (chat !== undefined) shelf.put('message', keyOf(stored), { chat, ...stored } satisfies Row);
  }
  function forget(room: SandboxChatState, stored: Stored | undefined): void {
    if (stored !== undefined && lasting.has(room)) shelf.remove('message', keyOf(stored));
  }
  return {
    changed,
    save(room, stored) {
      changed(room, stored);
      room.messages.push(stored);
      if (room.messages.length > historyLimit) forget(room, room.messages.shift());
    },
    drop(room, stored) {
      forget(room, stored);
      room.messages.splice(room.messages.indexOf(stored), 1);
    },
  };
}
