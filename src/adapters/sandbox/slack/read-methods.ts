// The methods that only look: auth, conversations, users, team, bots, and the opening of connections.
import {
  type Args,
  flagArg,
  limitArg,
  type Method,
  type MethodContext,
  requiredArg,
  roomArg,
  textArg,
} from './method.ts';
import { refuse } from './refusal.ts';
import { channelShape, pageShape, repliesOf, userShape } from './shapes.ts';
import { requireFor } from './tokens.ts';
import { app, bot, nameOf, people, type Room, rooms, type Stored, team, type Wire } from './world.ts';

const authTest: Method = (_, context) => ({
  url: `${context.origin()}/`,
  team: team.name,
  user: bot.name,
  team_id: team.id,
  user_id: bot.user,
  bot_id: bot.bot,
  is_enterprise_install: false,
});

const openConnection: Method = (_, context) => ({ url: context.ticket() });

const teamInfo: Method = () => ({
  team: { id: team.id, name: team.name, domain: team.domain, email_domain: '' },
});

const botsInfo: Method = (args) => {
  if ((textArg(args, 'bot') ?? bot.bot) !== bot.bot) throw refuse('bot_not_found');
  return {
    bot: { id: bot.bot, deleted: false, name: bot.name, updated: 0, app_id: app.id, user_id: bot.user },
  };
};

const usersInfo: Method = (args) => {
  const id = requiredArg(args, 'user');
  const name = nameOf(id);
  if (name === undefined) throw refuse('user_not_found');
  return { user: userShape(id, name) };
};

const usersList: Method = () => ({
  members: [
    ...Object.values(people).map((one) => userShape(one.id, one.name)),
    userShape(bot.user, bot.name),
  ],
  cache_ts: 0,
  response_metadata: { next_cursor: '' },
});

const typeOf: Record<Room['kind'], string> = {
  channel: 'public_channel',
  group: 'private_channel',
  im: 'im',
};

const listConversations: Method = (args, { scopes }) => {
  const types = (textArg(args, 'types') ?? 'public_channel').split(',').map((type) => type.trim());
  const kinds = (['channel', 'group', 'im'] as const).filter((kind) => types.includes(typeOf[kind]));
  requireFor(kinds, 'read', scopes);
  const all = Object.values(rooms).filter((room) => types.includes(typeOf[room.kind]));
  const from = fromCursor(args, 'room');
  const start = from === undefined ? 0 : Number(from);
  const end = start + limitArg(args, 1000, 100);
  return {
    channels: all.slice(start, end).map(channelShape),
    response_metadata: { next_cursor: end < all.length ? toCursor('room', String(end)) : '' },
  };
};

const conversationInfo: Method = (args, { scopes }) => {
  const room = roomArg(args);
  requireFor([room.kind], 'read', scopes);
  const { num_members: count, ...channel } = channelShape(room);
  return {
    channel:
      flagArg(args, 'include_num_members') && count !== undefined
        ? { ...channel, num_members: count }
        : channel,
  };
};

const members: Method = (args) => ({
  members: [...roomArg(args).members],
  response_metadata: { next_cursor: '' },
});

const openConversation: Method = (args) => {
  const user = textArg(args, 'users');
  const room = user === undefined ? roomArg(args) : directWith(user);
  return {
    no_op: true,
    already_open: true,
    channel: flagArg(args, 'return_im') ? channelShape(room) : { id: room.id },
  };
};

function directWith(user: string): Room {
  const room = [rooms.dmYou, rooms.dmGuest].find((one) => one.members.includes(user));
  if (room === undefined) throw refuse('user_not_found');
  return room;
}

const history: Method = (args, context) => {
  const { world, scopes } = context;
  const room = roomArg(args);
  requireFor([room.kind], 'history', scopes);
  const all = world
    .messages()
    .filter((one) => one.room.id === room.id && one.thread === undefined && one.onlyFor === undefined)
    .filter(inWindow(args))
    .toReversed();
  const from = fromCursor(args, 'ts');
  const rest = from === undefined ? all : all.filter((one) => Number(one.ts) <= Number(from));
  return { ...page(rest, args, { ...context, otherwise: 100 }), pin_count: 0 };
};

const replies: Method = (args, context) => {
  const { world, scopes } = context;
  const room = roomArg(args);
  requireFor([room.kind], 'history', scopes);
  const named = world.find(room.id, requiredArg(args, 'ts'));
  if (named === undefined) throw refuse('thread_not_found');
  const parent = named.thread === undefined ? named : (world.find(room.id, named.thread) ?? named);
  const all = [parent, ...repliesOf(world, parent).filter(inWindow(args))];
  const from = fromCursor(args, 'ts');
  const rest = from === undefined ? all : all.filter((one) => Number(one.ts) >= Number(from));
  return page(rest, args, { ...context, otherwise: 1000 });
};

function inWindow(args: Args): (message: Stored) => boolean {
  const oldest = Number(textArg(args, 'oldest') ?? 0);
  const latest = Number(textArg(args, 'latest') ?? Number.POSITIVE_INFINITY);
  if (Number.isNaN(oldest)) throw refuse('invalid_ts_oldest');
  if (Number.isNaN(latest)) throw refuse('invalid_ts_latest');
  const inclusive = flagArg(args, 'inclusive');
  return ({ ts }) =>
    inclusive ? Number(ts) >= oldest && Number(ts) <= latest : Number(ts) > oldest && Number(ts) < latest;
}

function page(
  rest: readonly Stored[],
  args: Args,
  { world, clock, otherwise }: MethodContext & { otherwise: number },
): Wire {
  const limit = limitArg(args, 999, otherwise);
  const now = clock.now();
  const metadata = flagArg(args, 'include_all_metadata') ? 'with metadata' : 'without';
  const next = rest[limit];
  return {
    messages: rest.slice(0, limit).map((one) => pageShape(world, one, { metadata, now })),
    has_more: next !== undefined,
    ...(next === undefined ? {} : { response_metadata: { next_cursor: toCursor('ts', next.ts) } }),
  };
}

function toCursor(kind: string, value: string): string {
  return Buffer.from(`next_${kind}:${value}`).toString('base64');
}

function fromCursor(args: Args, kind: string): string | undefined {
  const cursor = textArg(args, 'cursor');
  if (cursor === undefined) return undefined;
  const [name, value] = Buffer.from(cursor, 'base64').toString().split(':');
  if (name !== `next_${kind}` || value === undefined || Number.isNaN(Number(value)))
    throw refuse('invalid_cursor');
  return value;
}

export const readMethods: Record<string, Method> = {
  'auth.test': authTest,
  'apps.connections.open': openConnection,
  'team.info': teamInfo,
  'bots.info': botsInfo,
  'users.info': usersInfo,
  'users.list': usersList,
  'users.conversations': listConversations,
  'conversations.list': listConversations,
  'conversations.info': conversationInfo,
  'conversations.members': members,
  'conversations.open': openConversation,
  'conversations.history': history,
  'conversations.replies': replies,
};
