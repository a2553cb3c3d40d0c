// What a bot may ask about itself, its commands, its chats and their members.
import { z } from 'zod';
import type { Params } from '#sandbox/telegram/world/params.ts';
import { badRequest } from '#sandbox/telegram/world/refusal.ts';
import { botMember, chatMember } from '#sandbox/telegram/world/standing.ts';
import {
  type Method,
  readableChatOf,
  type State,
  threadToPostIn,
  writableChatOf,
} from '#sandbox/telegram/world/state.ts';
import { messageAt } from '#sandbox/telegram/world/world.ts';

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
  can_connect_to_business: state.businessMode === 'on',
  has_main_web_app: false,
  // the bot's private chats may have topics, and people open them (Bot API 9.3 and 9.4)
  has_topics_enabled: true,
  allows_users_to_create_topics: true,
});

/** The name of a topic, here of one in a private chat, which every bot may edit (Bot API 9.3, editForumTopic). */
export const editForumTopic: Method = (state, { params }) => {
  const room = writableChatOf(state, params);
  const id = threadToPostIn(room, params);
  const name = params.text('name');
  if (id === undefined || !room.topics.has(id)) throw badRequest('TOPIC_ID_INVALID');
  if (room.chat.type !== 'private') throw badRequest('not enough rights to manage topics');
  if (name === undefined || name.length > 128) throw badRequest('TOPIC_TITLE_INVALID');
  const present = messageAt(room, id)?.message;
  const topic = present?.forum_topic_created;
  if (present === undefined || topic === undefined) throw badRequest('TOPIC_DELETED');
  if (topic.name === name) throw badRequest('TOPIC_NOT_MODIFIED');
  present.forum_topic_created = { ...topic, name };
  state.changed();
  return true;
};

/** Who a list is for (Bot API, BotCommandScope); those of one chat are not played here. */
const commandScope = z.object({
  type: z.enum(['default', 'all_private_chats', 'all_group_chats', 'all_chat_administrators']),
});

/** The name under which a list stands: its scope and its language. */
function listOf(params: Params): string {
  const { type } = params.json('scope', commandScope, "can't parse BotCommandScope") ?? { type: 'default' };
  const language = params.text('language_code') ?? '';
  if (!/^(?:[a-z]{2})?$/.test(language)) throw badRequest('invalid language code specified');
  return `${type}:${language}`;
}

export const setMyCommands: Method = (state, { params }) => {
  const commands = params.json('commands', commandList, "can't parse list of commands JSON object");
  if (commands === undefined) throw badRequest("can't parse list of commands JSON object");
  state.commands.set(listOf(params), commands);
  return true;
};

export const getMyCommands: Method = (state, { params }) => state.commands.get(listOf(params)) ?? [];

export type MenuOf = 'private' | 'group' | 'administrator';

/** The first list that is set ("Determining list of commands", Bot API, BotCommandScope). */
const looked: Readonly<Record<MenuOf, readonly string[]>> = {
  private: ['all_private_chats', 'default'],
  group: ['all_group_chats', 'default'],
  administrator: ['all_chat_administrators', 'all_group_chats', 'default'],
};

/** The names of the commands that a client lists. */
export function menuOf(state: State, of: MenuOf): string[] {
  const lists = looked[of].map((type) => state.commands.get(`${type}:`) ?? []);
  return (lists.find((list) => list.length > 0) ?? []).map(({ command }) => command);
}

export const getChat: Method = (state, { params }) => {
  const room = readableChatOf(state, params);
  const { chat, directTo } = room;
  const linked = room.discusses ?? room.discussedIn;
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
    // "the discussion group identifier for a channel and vice versa" (Bot API, ChatFullInfo.linked_chat_id)
    ...(linked === undefined ? {} : { linked_chat_id: linked }),
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
  // Where members are hidden, a bot that is no administrator sees only bots and administrators (ChatFullInfo.has_hidden_members).
  if (
    room.hiddenMembers &&
    !room.botAdmin &&
    member.status !== 'creator' &&
    member.status !== 'administrator'
  )
    throw badRequest('CHAT_ADMIN_REQUIRED');
  return member;
};
