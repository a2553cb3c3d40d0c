// The load users on the sandbox's Telegram: further people and their private chats in the same world.
import { createLoadUserListeners, type LoadUsers, notALoadUser } from '#sandbox/load-users.ts';
import { composeMessage } from './world/compose-message.ts';
import type { State } from './world/state.ts';
import type { TgUser } from './world/wire.ts';
import { emptyChat, type SandboxChatState } from './world/world.ts';

const firstID = 6_000_000_000;

interface Member {
  user: TgUser;
  room: SandboxChatState;
  /** The last message from the bot, to recognize new ones. */
  last: { id: number; text: string | undefined };
}

/** Adds `size` people to the world; `look` is to be called after every change in it. */
export function createLoadUsers(state: State, size: number): LoadUsers & { look(): void } {
  const listeners = createLoadUserListeners();
  const members = Array.from({ length: size }, (_, person): Member => {
    const user = { id: firstID + person, is_bot: false, first_name: `Load user ${person}` };
    const chat = { id: user.id, type: 'private', first_name: user.first_name } as const;
    const members = [[user.id, { status: 'member', since: 0 }]] as const;
    const room = state.world.add(emptyChat({ key: 'dm', owner: 'guest', chat, members }));
    return { user, room, last: { id: 0, text: undefined } };
  });

  return {
    size,
    say(person, text) {
      const member = members[person];
      if (member === undefined) throw notALoadUser(person, size);
      const { user, room } = member;
      const { message } = composeMessage(state, room, { author: 'guest', from: user, content: { text } });
      state.queue.push({ message });
      return { id: String(message.message_id) };
    },
    onAnswer: listeners.add,
    look() {
      for (const [person, { room, last }] of members.entries()) {
        const newest = room.messages.at(-1);
        if (newest?.author !== 'bot') continue;
        const { message_id: id, text = '' } = newest.message;
        if (id === last.id && text === last.text) continue;
        const kind = id === last.id ? 'edited' : 'posted';
        Object.assign(last, { id, text });
        listeners.notify({ kind, person, id: String(id), text });
      }
    },
  };
}
