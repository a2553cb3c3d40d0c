// What other programs and forwards put into the sandbox's Discord, and posts of forums. The acts; their shapes are cards.ts.

import { ParleyError } from '#base/errors.ts';
import type { SandboxChat, SandboxUser } from '#sandbox/contract.ts';
import { placeOf } from './place-of.ts';
import type { CardEmbed } from './world/cards.ts';
import { allPings, openThread, post } from './world/speech.ts';
import type { World } from './world/world.ts';

export interface DiscordExtras {
  /** A webhook posts cards into a room, or a thread of it, as an alert of another program does. */
  hook(message: {
    chat: 'room' | 'private';
    thread?: string;
    name: string;
    text?: string;
    embeds: CardEmbed[];
  }): {
    id: string;
  };
  /** Someone passes a message on. */
  forward(forward: { chat: SandboxChat; user: SandboxUser; from: string; thread?: string }): { id: string };
  /** A forum next to the page's room, and a post in it as `guest`; the first message of a post has its id. */
  forumPost(made: { name: string; tags: readonly string[]; text: string }): { id: string; forum: string };
}

/** The acts over a world. */
export function createExtras(world: World): DiscordExtras {
  return {
    hook({ name, text = '', embeds, ...where }) {
      const channel = placeOf(world, { ...where, user: 'you', text });
      const authorID = world.newID();
      return post(world, {
        channel,
        authorID,
        content: text,
        pings: allPings,
        extras: { webhook: name, embeds },
      });
    },
    forward({ user, from, ...where }) {
      const forwards = world.byID.get(from);
      if (forwards === undefined)
        throw new ParleyError('unknown_message', `Expected a message to pass on, got "${from}".`);
      const channel = placeOf(world, { ...where, user, text: '' });
      const extras = { embeds: [], forwards };
      return post(world, { channel, authorID: world[user].id, content: '', pings: allPings, extras });
    },
    forumPost({ name, tags: names, text }) {
      const tags = names.map((tag) => ({ id: world.newID(), name: tag }));
      const forum = { ...world.rooms.room, id: world.newID(), type: 'forum' as const, name: 'ideas', tags };
      world.channels.set(forum.id, forum);
      world.notify({ type: 'room opened', room: forum });
      const thread = openThread(world, {
        name,
        privacy: 'public',
        parentID: forum.id,
        ownerID: world.guest.id,
        members: [world.bot.id],
      });
      thread.tags = tags.slice(0, 1);
      post(world, {
        channel: thread,
        authorID: world.guest.id,
        content: text,
        pings: allPings,
      });
      return { id: thread.id, forum: forum.id };
    },
  };
}
