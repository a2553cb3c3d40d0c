// What happens to groups: topics that are opened, and basic groups that become supergroups under another id.
import { ParleyError } from '#base/errors.ts';
import type { State } from '#sandbox/telegram/world/state.ts';
import type { SandboxChatState } from '#sandbox/telegram/world/world.ts';
import { founder, type MembershipChanges } from './membership.ts';

export interface Groups {
  /** Opens a topic in a forum or, as its person, in a private chat, and reports it to the bot; the topic's id. */
  createTopic(room: SandboxChatState, name: string): number;
  /** Turns a basic group into a supergroup; the bot learns it from two service messages. */
  migrate(room: SandboxChatState): { from: string; to: string };
}

/** The colour of a topic's icon when nobody chose one (Bot API, createForumTopic). */
const topicColor = 7322096;

/** The groups of this world; ParleyErrors `not_a_forum` and `not_a_basic_group` say what cannot be. */
export function createGroups(state: State, { announce }: Pick<MembershipChanges, 'announce'>): Groups {
  const { world, queue } = state;
  return {
    createTopic(room, name) {
      if (room.chat.is_forum !== true && room.chat.type !== 'private')
        throw new ParleyError(
          'not_a_forum',
          `The chat "${room.chat.title ?? room.key}" has no topics; only a forum and a private chat have.`,
        );
      const id = world.nextID();
      room.topics.add(id);
      const message = {
        message_id: id,
        from: room.chat.type === 'private' ? world.people[room.owner] : founder,
        chat: room.chat,
        date: world.seconds(),
        message_thread_id: id,
        is_topic_message: true,
        forum_topic_created: { name, icon_color: topicColor },
      } as const;
      world.save(room, { message, author: 'service', reactions: [] });
      queue.push({ message });
      state.changed();
      return id;
    },
    migrate(room) {
      const from = room.chat.id;
      if (room.chat.type !== 'group')
        throw new ParleyError('not_a_basic_group', 'Expected a basic group, this is a supergroup already.');
      const to = from - 997_000_000_000;
      announce(room, { migrate_to_chat_id: to });
      world.upgrade(room, to);
      announce(room, { migrate_from_chat_id: from });
      return { from: String(from), to: String(to) };
    },
  };
}
