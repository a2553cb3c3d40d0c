// The chats as a person's client would show them.
import type { ShownMessage } from '#adapters/sandbox/contract.ts';
import { entityBlocks } from './entity-blocks.ts';
import type { Room, Stored } from './world.ts';

/** Messages of the chat, oldest first, with the bot's draft at the end while it lasts. Service messages are left out. */
export function shownMessages(room: Room, now: number): ShownMessage[] {
  const said = room.messages.flatMap((stored) => shownMessage(room, stored) ?? []);
  const { draft } = room;
  if (draft === undefined || draft.until <= now) return said;
  return [
    ...said,
    {
      id: `draft-${draft.id}`,
      chat: room.key,
      user: room.owner,
      author: 'bot',
      text: draft.text,
      blocks: entityBlocks(draft.text, []),
      edited: false,
      reactions: [],
      at: now,
    },
  ];
}

function shownMessage(room: Room, { message, author, reactions }: Stored): ShownMessage | undefined {
  if (author === 'service') return undefined;
  const text = message.text ?? message.caption ?? '';
  const replied = message.reply_to_message;
  const answered = replied?.forum_topic_created === undefined ? replied : undefined;
  const file = message.document?.file_name;
  return {
    id: String(message.message_id),
    chat: room.key,
    user: room.owner,
    author,
    text: file === undefined ? text : `[${file}]${text === '' ? '' : ` ${text}`}`,
    blocks: entityBlocks(text, message.entities ?? message.caption_entities ?? []),
    edited: message.edit_date !== undefined,
    reactions: [...reactions],
    at: message.date * 1000,
    ...(answered === undefined ? {} : { replyTo: String(answered.message_id) }),
    ...(message.is_topic_message === true ? { thread: String(message.message_thread_id) } : {}),
  };
}
