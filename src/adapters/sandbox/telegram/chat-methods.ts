// What a bot may ask about itself, its commands, its chats and their members.
import { z } from 'zod';
import { badRequest } from './refusal.ts';
import { chatOf, type Method } from './state.ts';
import { authorOf } from './world.ts';

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
  const { chat } = chatOf(state, params);
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
    ...(chat.type === 'private' ? {} : { permissions: { can_send_messages: true } }),
  };
};

export const getChatMember: Method = (state, { params }) => {
  const room = chatOf(state, params);
  const id = params.integer('user_id');
  const { bot, people } = state.world;
  const user = [bot, people.you, people.guest].find((one) => one.id === id);
  if (user === undefined) throw badRequest('invalid user_id specified');
  const author = authorOf(state.world, user);
  const inside = author === 'bot' ? room.closedTo === undefined : room.members.includes(author);
  if (author === 'you' && room.chat.type !== 'private')
    return { status: 'creator', user, is_anonymous: false };
  return { status: inside ? 'member' : 'left', user };
};
