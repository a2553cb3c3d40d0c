// Who comes to a chat and leaves it, and what Telegram reports to the bot of that: service messages and member updates.
import { composeMessage } from '#sandbox/telegram/world/compose-message.ts';
import { botMember, memberOf } from '#sandbox/telegram/world/standing.ts';
import type { State } from '#sandbox/telegram/world/state.ts';
import type { TgUser } from '#sandbox/telegram/world/wire.ts';
import type { MemberStanding, SandboxChatState } from '#sandbox/telegram/world/world.ts';

export interface MembershipChanges {
  /** Gives an account another standing in a chat, now; by its own will unless an administrator did it. */
  set(
    room: SandboxChatState,
    account: TgUser,
    change: { status: MemberStanding['status']; byAdministrator?: boolean },
  ): void;
  /** Makes the bot an administrator or a plain member. */
  setAdministrator(room: SandboxChatState, administrator: boolean): void;
  /** Adds the bot to a chat in which it was never. */
  addBot(room: SandboxChatState, as: 'member' | 'administrator'): void;
  /** Lets the bot in or throws it out; in a direct message: its person stops the bot. */
  setBot(room: SandboxChatState, inside: boolean): void;
  /** A service message by an administrator. */
  announce(room: SandboxChatState, content: Parameters<typeof composeMessage>[2]['content']): number;
}

const isIn = (status: MemberStanding['status']): boolean => status !== 'left' && status !== 'kicked';

/** The one who set up every chat; nobody speaks for this account. */
export const founder: TgUser = { id: 4_999_999_999, is_bot: false, first_name: 'Founder' };

/** The comings and goings of this world. */
export function createMembership(state: State): MembershipChanges {
  const { world, queue } = state;

  /** Every bot receives every service message (Bot features, privacy mode); one that was thrown out receives none. */
  function announce(
    room: SandboxChatState,
    content: Parameters<typeof composeMessage>[2]['content'],
    from = founder,
  ): number {
    const { message } = composeMessage(state, room, { author: 'service', from, content });
    if (room.closedTo === undefined) queue.push({ message });
    return message.message_id;
  }

  function changeOfBot(
    room: SandboxChatState,
    change: () => void,
    before = botMember(room, world.bot),
  ): void {
    change();
    const now = botMember(room, world.bot);
    if (JSON.stringify(before) === JSON.stringify(now)) return;
    const from = room.chat.type === 'private' ? (world.accounts.get(room.chat.id) ?? founder) : founder;
    queue.push({
      my_chat_member: {
        chat: room.chat,
        from,
        date: world.seconds(),
        old_chat_member: before,
        new_chat_member: now,
      },
    });
  }

  return {
    announce,
    set(room, account, { status, byAdministrator = false }) {
      const before = room.standings.get(account.id)?.status ?? 'left';
      if (before === status) return;
      const came = !isIn(before) && isIn(status);
      const since = came ? world.lastID() : (room.standings.get(account.id)?.since ?? 0);
      room.standings.set(account.id, { status, since });
      const from = byAdministrator ? founder : account;
      // Bots learn of other members only as administrators (Bot API, Update.chat_member).
      if (room.botAdmin && room.closedTo === undefined)
        queue.push({
          chat_member: {
            chat: room.chat,
            from,
            date: world.seconds(),
            old_chat_member: memberOf(account, before, room),
            new_chat_member: memberOf(account, status, room),
          },
        });
      if (room.chat.type === 'channel') return; // a channel says nothing of its subscribers
      if (came) announce(room, { new_chat_members: [account] }, from);
      else if (isIn(before) && !isIn(status)) announce(room, { left_chat_member: account }, from);
    },
    addBot(room, as) {
      const become = (): void => {
        room.botAdmin = as === 'administrator';
      };
      changeOfBot(room, become, memberOf(world.bot, 'left', room));
      if (room.chat.type !== 'channel') announce(room, { new_chat_members: [world.bot] });
    },
    setAdministrator(room, administrator) {
      changeOfBot(room, () => {
        room.botAdmin = administrator;
      });
    },
    setBot(room, inside) {
      changeOfBot(room, () => {
        const out = room.chat.type === 'private' ? 'blocked' : 'kicked';
        room.closedTo = inside ? undefined : out;
        if (!inside) room.botAdmin = false;
      });
    },
  };
}
