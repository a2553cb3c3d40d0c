// The load users on the sandbox's Slack: further people and their direct messages in the same workspace.
import { createLoadUserListeners, type LoadUsers, notALoadUser } from '#sandbox/load-users.ts';
import type { Director } from './events/event-dispatcher.ts';
import type { Publisher } from './world/method.ts';
import { bot, crowdNumber, crowdRoom } from './world/workspace.ts';
import type { Stored, World } from './world/world.ts';

/** `size` load users, and the publisher that lets them hear what the bot does. */
export function createLoadUsers(
  { world, director }: { world: World; director: Director },
  size: number,
): { users: LoadUsers; publish: Publisher } {
  const listeners = createLoadUserListeners();
  const rooms = Array.from({ length: size }, (_, person) => crowdRoom(person));
  const notify = (kind: 'posted' | 'edited', { room, user, ts: id, text }: Stored): void => {
    const person = crowdNumber(room.id);
    if (person !== undefined && user === bot.user) listeners.notify({ kind, person, id, text });
  };
  return {
    users: {
      size,
      say(person, text) {
        const room = rooms[person];
        const [user] = room?.members ?? [];
        if (room === undefined || user === undefined) throw notALoadUser(person, size);
        const message = world.add({ room, user, text });
        director.posted(message);
        return { id: message.ts };
      },
      onAnswer: listeners.add,
    },
    publish: {
      ...director,
      posted(message) {
        director.posted(message);
        notify('posted', message);
      },
      changed(change) {
        director.changed(change);
        notify('edited', change.after);
      },
    },
  };
}
