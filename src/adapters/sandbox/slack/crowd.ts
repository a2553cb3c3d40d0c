// The crowd on the sandbox's Slack: further people and their direct messages in the same workspace.
import { type Crowd, createCrowdListeners, notInCrowd } from '#adapters/sandbox/crowd.ts';
import type { Director } from './director.ts';
import type { Publisher } from './method.ts';
import { bot, crowdNumber, crowdRoom } from './workspace.ts';
import type { Stored, World } from './world.ts';

/** A crowd of `size`, and the publisher that lets it hear what the bot does. */
export function createCrowd(
  { world, director }: { world: World; director: Director },
  size: number,
): { crowd: Crowd; publish: Publisher } {
  const listeners = createCrowdListeners();
  const rooms = Array.from({ length: size }, (_, person) => crowdRoom(person));
  const tell = (kind: 'posted' | 'edited', { room, user, ts: id, text }: Stored): void => {
    const person = crowdNumber(room.id);
    if (person !== undefined && user === bot.user) listeners.tell({ kind, person, id, text });
  };
  return {
    crowd: {
      size,
      say(person, text) {
        const room = rooms[person];
        const [user] = room?.members ?? [];
        if (room === undefined || user === undefined) throw notInCrowd(person, size);
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
        tell('posted', message);
      },
      changed(change) {
        director.changed(change);
        tell('edited', change.after);
      },
    },
  };
}
