// Who may read a message, by Telegram's documented rules and the state of the world: the oracle. The adapter's code is not asked.
import { isInside } from '#sandbox/telegram/world/standing.ts';
import type { SandboxChatState, Stored } from '#sandbox/telegram/world/world.ts';

/**
 * Whether newcomers see what was written before they came: always in channels, public groups, forums and discussion groups, never in
 * basic groups, elsewhere as the chat says (TDLib, supergroupFullInfo.is_all_history_available; tdlib/td#1526).
 */
function historyIsVisible({ chat, visibleHistory, discusses }: SandboxChatState): boolean {
  if (chat.type === 'group') return false;
  const always = chat.type === 'channel' || chat.is_forum === true || discusses !== undefined;
  return always || chat.username !== undefined || visibleHistory;
}

/** Whether the account could open the message now. */
export function mayRead(room: SandboxChatState, { message }: Stored, account: number): boolean {
  const { chat } = room;
  if (chat.type === 'private') return chat.id === account;
  if (room.directTo !== undefined)
    return mayReadDirect(room.directTo.channel, message.direct_messages_topic?.user?.id, account);
  const standing = room.standings.get(account);
  if (standing?.status === 'kicked') return false; // a banned account cannot view messages (Bot API, ChatMemberBanned)
  const inside = isInside(room, account);
  const wasThere = inside && (standing?.since ?? 0) < message.message_id;
  // What was written in a basic group does not move: only those who were in it find it, also when the supergroup is public or shows its history.
  if (message.chat.id !== chat.id) return wasThere;
  if (chat.username !== undefined) return true;
  return wasThere || (inside && historyIsVisible(room));
}

/** The person who wrote to the channel, and administrators who may manage its direct messages; nobody who is banned there. */
function mayReadDirect(channel: SandboxChatState, owner: number | undefined, account: number): boolean {
  const status = channel.standings.get(account)?.status;
  if (status === 'kicked') return false;
  return status === 'creator' || status === 'administrator' || owner === account;
}
