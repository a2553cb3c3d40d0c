// Channels with their posts, the discussion groups that posts are forwarded to, and business accounts. What members say is places.ts.
import { ParleyError } from '#base/errors.ts';
import { botSees } from '#sandbox/telegram/world/bot-sees.ts';
import { composeMessage } from '#sandbox/telegram/world/compose-message.ts';
import type { State } from '#sandbox/telegram/world/state.ts';
import type { TgUser } from '#sandbox/telegram/world/wire.ts';
import { emptyChat, type SandboxChatState } from '#sandbox/telegram/world/world.ts';
import type { MembershipChanges } from './membership.ts';
import { textContent } from './people.ts';

export interface Channels {
  /** A channel, with the bot as an administrator (it can be nothing else there) or without it; its id. */
  add(channel: { title: string; bot: 'administrator' | 'absent' }): string;
  /** Makes a supergroup the place where the channel's posts are discussed. */
  discuss(channel: string, group: string): void;
  /** Posts in the channel's name; resolves with the post's id and, where it is discussed, that of its copy in the group. */
  post(channel: string, text: string, signature?: string): { id: string; copy: string | undefined };
  /** What stands below a post in its discussion group. */
  comments(group: string, copy: string): { id: string; text: string }[];
  /** Connects the bot to a person's business account, or disconnects it. */
  connectBusiness(account: string, state: 'enabled' | 'disabled'): void;
  /** A customer writes to that business account. */
  sayToBusiness(account: string, from: string, text: string): void;
}

/** Who stands in `from` of a copy (TDLib, `telegram_service_notifications_chat_id`). */
const service: TgUser = { id: 777_000, is_bot: false, first_name: 'Telegram' };

/** The channels of one world; a ParleyError `unknown_channel` for an id that is none. */
export function createTelegramChannels(
  state: State,
  membership: Pick<MembershipChanges, 'addBot'>,
): Channels {
  const { world, queue } = state;
  let last = 900;

  const roomAt = (id: string, type: SandboxChatState['chat']['type']): SandboxChatState => {
    const room = world.byChatID(Number(id));
    if (room?.chat.type === type) return room;
    throw new ParleyError('unknown_channel', `Expected the id of a ${type}, got "${id}".`);
  };
  const personAt = (id: string): TgUser => {
    const user = world.accounts.get(Number(id));
    if (user === undefined) throw new ParleyError('unknown_account', `Telegram has no account ${id}.`);
    return user;
  };
  const connectionOf = (account: string): string => `business-${account}`;

  return {
    add({ title, bot }) {
      const chat = { id: -(1_002_000_000_000 + ++last), type: 'channel', title } as const;
      const room = world.add(emptyChat({ key: 'room', owner: 'guest', chat, members: [] }));
      if (bot === 'administrator') membership.addBot(room, 'administrator');
      else room.closedTo = 'kicked';
      return String(chat.id);
    },
    discuss(channel, group) {
      const [from, to] = [roomAt(channel, 'channel'), roomAt(group, 'supergroup')];
      to.discusses = from.chat.id;
      from.discussedIn = to.chat.id;
    },
    post(id, text, signature) {
      const channel = roomAt(id, 'channel');
      const signed = signature === undefined ? {} : { author_signature: signature };
      const content = { ...textContent(text), ...signed, sender_chat: channel.chat };
      // A post has no `from` (Bot API, Message.from: "may be empty for messages sent to channels").
      const { message } = composeMessage(state, channel, {
        author: 'guest',
        from: undefined,
        content: content,
      });
      if (botSees(state, channel, message)) queue.push({ channel_post: message });
      const group = channel.discussedIn === undefined ? undefined : world.byChatID(channel.discussedIn);
      if (group === undefined) return { id: String(message.message_id), copy: undefined };
      const origin = { type: 'channel', chat: channel.chat, message_id: message.message_id, ...signed };
      // Bot API, Message.sender_chat: "a linked channel for messages automatically forwarded to the channel's discussion group".
      const { message: copy } = composeMessage(state, group, {
        author: 'guest',
        from: service,
        content: {
          ...content,
          is_automatic_forward: true,
          forward_origin: { ...origin, date: message.date },
        },
      });
      if (botSees(state, group, copy)) queue.push({ message: copy });
      return { id: String(message.message_id), copy: String(copy.message_id) };
    },
    comments: (group, copy) =>
      roomAt(group, 'supergroup').messages.flatMap(({ message: { message_id: id, text = '', ...rest } }) =>
        rest.message_thread_id === Number(copy) ? [{ id: String(id), text }] : [],
      ),
    connectBusiness(account, to) {
      const user = personAt(account);
      const is_enabled = to === 'enabled';
      const connection = { id: connectionOf(account), user, user_chat_id: user.id, is_enabled };
      queue.push({ business_connection: { ...connection, date: world.seconds() } });
    },
    sayToBusiness(account, from, text) {
      const customer = personAt(from);
      const { id, first_name } = customer;
      queue.push({
        business_message: {
          message_id: world.nextID(),
          business_connection_id: connectionOf(account),
          from: customer,
          chat: { id, type: 'private', first_name },
          date: world.seconds(),
          ...textContent(text),
        },
      });
    },
  };
}
