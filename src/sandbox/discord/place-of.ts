// Where someone speaks on the simulated Discord: a chat, or a thread in it.

import { ParleyError } from '#base/errors.ts';
import type { Say } from '#sandbox/contract.ts';
import { openThread } from './world/speech.ts';
import { channelOf, type World, type WorldChannel } from './world/world.ts';

/**
 * The chat, or the thread in it, which is opened at the message when it is not there yet. Throws a ParleyError `unknown_thread` for
 * what is neither a thread nor a message of the room.
 */
export function placeOf(world: World, say: Say): WorldChannel {
  const home = channelOf(world, say.chat, say.user);
  if (say.thread === undefined) return home;
  const thread = world.channels.get(say.thread);
  if (thread?.kind === 'thread' && thread.parentID === home.id) return thread;
  const from = world.messages.get(home.id)?.find(({ id }) => id === say.thread);
  if (from === undefined || home.kind === 'dm') {
    throw new ParleyError(
      'unknown_thread',
      `Expected a thread or a message of the room, got "${say.thread}".`,
      {
        hint: 'Open one with openThread, or give the id of a message in the room to open one there.',
      },
    );
  }
  const name = from.content.slice(0, 50) || 'thread';
  return openThread(world, {
    name,
    privacy: 'public',
    parentID: home.id,
    ownerID: world[say.user].id,
    from,
  });
}
