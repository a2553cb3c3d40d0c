// What a bot may ask about itself, its commands, its chats and their members.
import { z } from 'zod';
import { badRequest } from './refusal.ts';
import { botMember, chatMember } from './standing.ts';
import { type Method, readableChatOf } from './state.ts';

const commandList = z
  .array(
    z.object({
      command: z.string().regex(/^[a-z0-9_]{1,32}$/),
      description: z.string().min(1).max(256),
    }),
  )
  .max(100);

export const getMe: Method = (state) => ({
  ...state.world.bot,
  can_join_groups: true,
  can_read_all_group_messages: state.privacy === 'off',
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
});

export const setMyCommands: Method = (state, { params }) => {
  const commands = params.json('commands', commandList, "can't parse list of commands JSON object");
  if (commands === undefined) throw badRequest("can't parse list of commands JSON object");
  state.commands = commands;
  return true;
};

export const getMyCommands: Method = (state) => state.commands;

export const getChat: Method = (state, { params }) => {
  const room = readableChatOf(state, params);
  const { chat, directTo } = room;
  const group = chat.type === 'group' || chat.type === 'supergroup';
  return {
    ...chat,
    accent_color_id: Math.abs(chat.id) % 7,
    max_reaction_count: 11,
    accepted_gift_types: {
      unlimited_gifts: false,
      limited_gifts: false,
      unique_gifts: false,
      premium_subscription: false,
      gifts_from_channels: false,
    },
    ...(chat.username === undefined ? {} : { active_usernames: [chat.username] }),
    ...(group ? { permissions: { can_send_messages: room.readOnly !== true } } : {}),
    ...(directTo === undefined ? {} : { parent_chat: directTo.channel.chat }),
    ...(room.discusses === undefined ? {} : { linked_chat_id: room.discusses }),
    ...(room.hiddenMembers ? { has_hidden_members: true } : {}),
    // Available to administrators only (Bot API, ChatFullInfo).
    ...(room.botAdmin && room.visibleHistory ? { has_visible_history: true } : {}),
  };
};

export const getChatMember: Method = (state, { params }) => {
  const room = readableChatOf(state, params);
  const id = params.integer('user_id');
  const { bot, accounts } = state.world;
  if (id === bot.id) return botMember(room, bot);
  const user = id === undefined ? undefined : accounts.get(id);
  if (user === undefined) throw badRequest('invalid user_id specified');
  if (room.chat.is_direct_messages === true || (room.chat.type === 'channel' && !room.botAdmin))
    throw badRequest('member list is inaccessible');
  const member = chatMember(room, user);
  // Where members are hidden, others than administrators are told of bots and administrators alone (ChatFullInfo.has_hidden_members).
  if (
    room.hiddenMembers &&
    !room.botAdmin &&
    member.status !== 'creator' &&
    member.status !== 'administrator'
  )
    throw badRequest('CHAT_ADMIN_REQUIRED');
  return member;
};
