// What happens to groups: topics that are opened, and basic groups that become supergroups under another id.
import type { SandboxChat } from '#adapters/sandbox/contract.ts';
import { ParleyError } from '#base/errors.ts';
import { composeMessage } from './compose-message.ts';
import type { State } from './state.ts';
import { keep, type Room } from './world.ts';

export interface Groups {
  /** Opens a forum topic and tells the bot; the topic's id. */
  createTopic(chat: 'room' | 'private', name: string): string;
  /** Turns a basic group into a supergroup; the bot learns it from two service messages. */
  migrate(chat: 'room' | 'private'): { from: string; to: string };
}

/** The colour of a topic's icon when nobody chose one (Bot API, createForumTopic). */
const topicColor = 7322096;

/** The groups of this world; ParleyErrors `not_a_group`, `not_a_forum` and `not_a_basic_group` say what cannot be. */
export function createGroups(state: State): Groups {
  const { world, queue } = state;

  function group(key: SandboxChat): Room {
    const room = world.room(key, 'you');
    if (room.chat.type === 'private')
      throw new ParleyError('not_a_group', `The chat "${key}" is a direct message, not a group.`);
    return room;
  }

  function announce(room: Room, content: Parameters<typeof composeMessage>[2]['content']): number {
    const composition = { author: 'service', from: world.people.you, content } as const;
    const { message } = composeMessage(state, room, composition);
    queue.push({ message });
    return message.message_id;
  }

  return {
    createTopic(key, name) {
      const room = group(key);
      if (room.chat.is_forum !== true)
        throw new ParleyError('not_a_forum', `The chat "${key}" has no topics; "room" has, as a supergroup.`);
      const id = world.nextID();
      room.topics.add(id);
      const message = {
        message_id: id,
        from: world.people.you,
        chat: room.chat,
        date: world.seconds(),
        message_thread_id: id,
        is_topic_message: true,
        forum_topic_created: { name, icon_color: topicColor },
      } as const;
      keep(room, { message, author: 'service', reactions: [] });
      queue.push({ message });
      state.changed();
      return String(id);
    },
    migrate(key) {
      const room = group(key);
      const from = room.chat.id;
      if (room.chat.type !== 'group')
        throw new ParleyError('not_a_basic_group', `The chat "${key}" is a supergroup already.`);
      const to = from - 997_000_000_000;
      announce(room, { migrate_to_chat_id: to });
      world.migrated.set(from, to);
      room.chat = { ...room.chat, id: to, type: 'supergroup' };
      announce(room, { migrate_from_chat_id: from });
      return { from: String(from), to: String(to) };
    },
  };
}
