// The chats as a person's client would show them.
import type { SandboxUser, ShownDraft, ShownMessage } from '#sandbox/contract.ts';
import { entityBlocks } from './entities/entity-blocks.ts';
import type { FileShelf } from './world/file-shelf.ts';
import type { TgMessage } from './world/wire.ts';
import type { SandboxChatState, Stored } from './world/world.ts';

/** Messages of the chat, oldest first. Service messages are left out, and drafts: those are no messages. */
export function shownMessages(
  room: SandboxChatState,
  { shelf, viewer }: { shelf: FileShelf; viewer: SandboxUser },
): ShownMessage[] {
  return room.messages.flatMap((stored) => {
    const message = shownMessage(room, stored, shelf);
    return message === undefined
      ? []
      : { ...message, ownReactions: [stored.reactionOf?.[viewer] ?? []].flat() };
  });
}

/** What the bot is writing, while its draft lasts. */
export function shownDraft({ draft }: SandboxChatState, now: number): ShownDraft | undefined {
  if (draft === undefined || draft.until <= now) return undefined;
  return { text: draft.text, blocks: entityBlocks(draft.text, draft.entities) };
}

/** Whether the client shows that the bot is at work: its typing line or its draft. */
export function showsActivity(room: SandboxChatState, now: number): boolean {
  return room.typingUntil > now || shownDraft(room, now) !== undefined;
}

function shownMessage(
  room: SandboxChatState,
  { message, author, reactions, reactionOf = {} }: Stored,
  shelf: FileShelf,
): Omit<ShownMessage, 'ownReactions'> | undefined {
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
    reactions: [...new Set([...reactions, ...Object.values(reactionOf).flatMap((emoji) => emoji ?? [])])],
    at: message.date * 1000,
    ...filesIn(message, shelf),
    ...shownButtons(message),
    ...(answered === undefined ? {} : { replyTo: String(answered.message_id) }),
    ...(message.is_topic_message === true ? { thread: String(message.message_thread_id) } : {}),
  };
}

function filesIn(message: TgMessage, shelf: FileShelf): Pick<ShownMessage, 'files'> {
  const { photo, animation, document, audio, video, voice, sticker, video_note: note } = message;
  const files = [photo?.at(-1), animation ?? document, audio, video, voice, sticker, note].flatMap((file) => {
    const upload = file === undefined ? undefined : shelf.byID(file.file_id)?.upload;
    return upload === undefined ? [] : { ...upload, ...(file === voice && { voice: true as const }) };
  });
  return files.length === 0 ? {} : { files };
}

function shownButtons(message: TgMessage): Pick<ShownMessage, 'buttons'> {
  const buttons = messageButtons(message).map(({ text }) => text);
  return buttons.length === 0 ? {} : { buttons };
}

/** The buttons below a message, in order. */
export function messageButtons({ reply_markup: markup }: TgMessage): { text: string; data: string }[] {
  const rows = (markup?.inline_keyboard ?? []) as { text: string; callback_data?: string }[][]; // checked when it was sent
  return rows.flat().flatMap(({ text, callback_data: data }) => (data === undefined ? [] : [{ text, data }]));
}
