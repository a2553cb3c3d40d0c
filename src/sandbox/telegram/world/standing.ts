// What an account is in a chat, and how the Bot API says it. Changes nothing.
import type { TgChatMember, TgUser } from './wire.ts';
import type { MemberStanding, SandboxChatState } from './world.ts';

/** True when the account is in the chat now. */
export function isInside(room: SandboxChatState, account: number): boolean {
  const status = room.standings.get(account)?.status ?? 'left';
  return status !== 'left' && status !== 'kicked';
}

/** What the bot sees of an account in a chat. */
export function chatMember(room: SandboxChatState, user: TgUser): TgChatMember {
  const status = room.standings.get(user.id)?.status ?? 'left';
  // Telegram promises the truth about other users to administrators alone (Bot API, getChatMember): a ban may look like a departure.
  return memberOf(user, status === 'kicked' && !room.botAdmin ? 'left' : status, room);
}

/** What the bot itself is in a chat. */
export function botMember(room: SandboxChatState, bot: TgUser): TgChatMember {
  if (room.closedTo !== undefined) return memberOf(bot, 'kicked', room);
  return memberOf(bot, room.botAdmin ? 'administrator' : 'member', room);
}

/** A member object of the Bot API for this status. */
export function memberOf(
  user: TgUser,
  status: MemberStanding['status'],
  room: SandboxChatState,
): TgChatMember {
  switch (status) {
    case 'creator':
      return { status, user, is_anonymous: false };
    case 'administrator':
      return { status, user, can_be_edited: false, is_anonymous: false, ...administratorRights(room) };
    case 'member':
    case 'left':
      return { status, user };
    case 'kicked':
      return { status, user, until_date: 0 };
  }
}

/** The rights of an administrator who was given none but that of a channel's direct messages. */
function administratorRights(room: SandboxChatState): Record<`can_${string}`, boolean> {
  const rights = {
    can_manage_chat: true,
    can_delete_messages: false,
    can_manage_video_chats: false,
    can_restrict_members: false,
    can_promote_members: false,
    can_change_info: false,
    can_invite_users: false,
    can_post_stories: false,
    can_edit_stories: false,
    can_delete_stories: false,
  };
  return room.chat.type === 'channel' ? { ...rights, can_manage_direct_messages: true } : rights;
}
