// Who may read what in Telegram, asked of Telegram at each look: one call about the chat, one or two about its members.
import type { ChatFullInfo, ChatMember } from 'grammy/types';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { ChannelFailure, ReadingRight, ReadingRights } from '#adapters/gateway/terms/channel.ts';
import { accountNumberOf } from '#adapters/telegram/codecs/actor-codec.ts';
import { directTopicOf, telegramID } from '#adapters/telegram/codecs/address-codec.ts';
import { isInChat } from '#adapters/telegram/codecs/member-codec.ts';
import { chatName } from '#adapters/telegram/codecs/quoted-codec.ts';
import type { CurrentChat } from '#adapters/telegram/updates/moves.ts';
import type { PlaceNames } from '#engine/wire/channels/place-names.ts';
import { type Client, forGrammy } from './calls/client.ts';
import { movedTo } from './calls/explain.ts';

interface RightsOptions {
  client: Client;
  /** The bot's own account. */
  self: number;
  /** What the chat is called now; throws while that is not known. */
  current(chat: string): Promise<CurrentChat>;
  explain(error: unknown): ChannelFailure;
}

interface Look {
  full: ChatFullInfo;
  /** It was a basic group: what was written there then stayed there, for those who were in it. */
  moved: boolean;
  signal: AbortSignal;
}

/**
 * Asks Telegram who may read the chats of one bot. A name under which several people write has no account to ask about, and reads
 * nothing.
 */
export function createRights({ client, self, current, explain }: RightsOptions): ReadingRights & {
  /** What a chat is called now. Telegram does not say it of a topic. */
  namesOf(room: Address, signal: AbortSignal): Promise<PlaceNames>;
} {
  const { api } = client;

  async function look(room: Address, signal: AbortSignal): Promise<Look> {
    const { chat, moved } = await current(room.chat);
    const ask = (id: number): Promise<ChatFullInfo> => api.getChat(id, forGrammy(signal));
    try {
      return { full: await ask(telegramID(chat, 'the chat')), moved, signal };
    } catch (error) {
      const to = movedTo(error);
      if (to === undefined) throw error;
      return { full: await ask(telegramID(to, 'the chat')), moved: true, signal };
    }
  }

  const memberOf = (chat: number, account: number, signal: AbortSignal): Promise<ChatMember> =>
    api.getChatMember(chat, account, forGrammy(signal));

  /**
   * Whether the account may read the chat as everyone may. Only for an administrator does getChatMember surely show bans (Bot API):
   * to others someone who was banned may look like someone who never came.
   */
  async function readsAsAnybody({ full, signal }: Look, member: ChatMember): Promise<boolean> {
    if (!isOpen(full) || member.status === 'kicked') return false;
    const own = await memberOf(full.id, self, signal);
    return own.status === 'administrator' || own.status === 'creator';
  }

  async function ofDirect(room: Address, account: number, { full, signal }: Look): Promise<ReadingRight> {
    const parent = full.parent_chat;
    if (parent === undefined) return 'nothing';
    const member = await memberOf(parent.id, account, signal);
    if (member.status === 'kicked') return 'nothing';
    const manages =
      member.status === 'creator' ||
      (member.status === 'administrator' && member.can_manage_direct_messages === true);
    return manages || directTopicOf(room)?.user === account ? 'everything' : 'nothing';
  }

  return {
    closesSilently: true, // bots see a lost public name in the chat of the next update (Bot API, Chat.username)
    async ofRoom(room, actorID, signal) {
      if (room.kind === 'dm') return actorID === room.chat ? 'everything' : 'nothing';
      const account = accountNumberOf(actorID);
      if (account === undefined) return 'nothing';
      const seen = await look(room, signal);
      if (seen.full.is_direct_messages === true) return ofDirect(room, account, seen);
      const member = await memberOf(seen.full.id, account, signal);
      if (isInChat(member)) return !seen.moved && showsHistory(seen.full) ? 'everything' : 'since joining';
      return !seen.moved && (await readsAsAnybody(seen, member)) ? 'everything' : 'nothing';
    },
    async ofSpace(space, actorID, signal) {
      const account = accountNumberOf(actorID);
      if (space.kind === 'dm' || account === undefined) return false;
      const seen = await look(space, signal);
      if (seen.full.is_direct_messages === true) return false;
      const member = await memberOf(seen.full.id, account, signal);
      return isInChat(member) || readsAsAnybody(seen, member);
    },
    async namesOf(room, signal) {
      return { channel: chatName((await look(room, signal)).full) };
    },
    async readers(room, signal) {
      if (room.kind === 'dm') return { restricted: true, outsiders: false };
      try {
        const { full } = await look(room, signal);
        return { restricted: !isOpen(full), outsiders: false };
      } catch (error) {
        const { kind } = explain(error);
        if (kind === 'gone' || kind === 'permission') return { restricted: true, outsiders: false };
        throw error;
      }
    },
  };
}

/** Anyone may read a chat that has a public name. */
function isOpen({ username, active_usernames: names = [] }: ChatFullInfo): boolean {
  return username !== undefined || names.length > 0;
}

/**
 * Whether newcomers see what was written before they came: always in channels, public groups, forums and discussion groups (TDLib,
 * supergroupFullInfo.is_all_history_available), never in basic groups, elsewhere as the chat says, which it tells only administrators.
 */
function showsHistory(full: ChatFullInfo): boolean {
  if (full.type === 'channel') return true;
  if (full.type !== 'supergroup') return false;
  return (
    isOpen(full) ||
    full.is_forum === true ||
    full.linked_chat_id !== undefined ||
    full.has_visible_history === true
  );
}
