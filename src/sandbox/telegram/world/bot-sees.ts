// Which messages of a chat Telegram gives to the bot: privacy mode, and being an administrator.
import type { State } from './state.ts';
import type { TgMessage } from './wire.ts';
import type { SandboxChatState } from './world.ts';

/** Commands, mentions of the bot and replies to it; everything in private, to an administrator, or without privacy mode (Bot features). */
export function botSees(state: State, room: SandboxChatState, message: TgMessage): boolean {
  if (room.closedTo === 'kicked') return false;
  if (room.chat.type === 'private' || room.botAdmin || state.privacy === 'off') return true;
  const { bot } = state.world;
  const name = `@${bot.username}`.toLowerCase();
  const text = message.text ?? message.caption ?? '';
  const replied = message.reply_to_message;
  if (replied?.from?.id === bot.id && replied.forum_topic_created === undefined) return true;
  return (message.entities ?? message.caption_entities ?? []).some(({ type, offset, length }) => {
    const marked = text.slice(offset, offset + length).toLowerCase();
    if (type === 'mention') return marked === name;
    return type === 'bot_command' && (marked.endsWith(name) || !marked.includes('@'));
  });
}
