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
  visibleRoomArg,
} from '#sandbox/slack/world/method.ts';
import { refuse } from '#sandbox/slack/world/refusal.ts';
import { channelShape, pageShape, repliesOf, userShape } from '#sandbox/slack/world/shapes.ts';
import { requireFor } from '#sandbox/slack/world/tokens.ts';
import { app, bot, organisation, type Room, sister, team } from '#sandbox/slack/world/workspace.ts';
import type { Stored, Wire, World } from '#sandbox/slack/world/world.ts';

const authTest: Method = (_, context) => {
  const isOrganisation = context.world.install === 'organisation';
  return {
    url: `${context.origin()}/`,
    team: isOrganisation ? organisation.name : context.world.workspace.name,
    user: bot.name,
    team_id: isOrganisation ? organisation.id : team.id,
    user_id: bot.user,
    bot_id: bot.bot,
    ...(isOrganisation ? { enterprise_id: organisation.id } : {}),
    is_enterprise_install: isOrganisation,
  };
};

/** The workspaces that an organisation's token may act in (docs.slack.dev, auth.teams.list). */
const teamsList: Method = (_, { world }) => ({
  teams: [
    { id: team.id, name: world.workspace.name },
    ...(world.install === 'organisation' ? [sister] : []),
  ].map(({ id, name }) => ({ id, name })),
  response_metadata: { next_cursor: '' },
});

/** The workspace that the call is about: an organisation's token must say it, and another's is not looked at (docs.slack.dev/enterprise). */
function workspaceArg(args: Args, { world, lockedOut }: MethodContext): string {
  if (world.install === 'workspace') return team.id;
  const wanted = requiredArg(args, 'team_id');
  if (lockedOut.has(wanted)) throw refuse('team_access_not_granted');
  if (wanted !== team.id && wanted !== sister.id) throw refuse('team_not_found');
  return wanted;
}

const openConnection: Method = (_, context) => ({ url: context.ticket() });

const teamInfo: Method = (_, { world }) => ({
  team: { id: team.id, name: world.workspace.name, domain: team.domain, email_domain: '' },
});

const botsInfo: Method = (args) => {
  if ((textArg(args, 'bot') ?? bot.bot) !== bot.bot) throw refuse('bot_not_found');
  return {
    bot: { id: bot.bot, deleted: false, name: bot.name, updated: 0, app_id: app.id, user_id: bot.user },
  };
};

const usersInfo: Method = (args, { world }) => {
  const account = world.workspace.account(requiredArg(args, 'user'));
  if (account === undefined || account.standing === 'none') throw refuse('user_not_found');
  const user = userShape(account, world.install);
  return { user: args.include_locale === 'true' ? { ...user, locale: world.locale } : user };
};

/** Everyone who has, or had, an account in the workspace: guests and the deactivated as well, not people of another workspace. */
const usersList: Method = (args, context) => {
  const { world } = context;
  const workspace = workspaceArg(args, context);
  const all = world.workspace
    .accounts()
    .filter(
      ({ home, teams, standing }) => (home === workspace || teams.has(workspace)) && standing !== 'none',
    );
  const { items, next } = paged(all, args, { most: 1000, otherwise: 1000 });
  return {
    members: items.map((account) => userShape(account, world.install)),
    cache_ts: 0,
    response_metadata: { next_cursor: next },
  };
};

const typeOf: Record<Room['kind'], string> = {
  channel: 'public_channel',
  group: 'private_channel',
  mpim: 'mpim',
  im: 'im',
};

/** What is listed for someone: of conversations that are not public, only those that the bot is in as well (docs.slack.dev, users.conversations). */
function listedFor(
  { which, user }: { which: 'all' | 'own'; user: string | undefined },
  world: World,
): Room[] {
  const { workspace } = world;
  if (which === 'all')
    return workspace.rooms().filter(({ kind, members }) => kind === 'channel' || members.has(bot.user));
  const account = workspace.account(user ?? bot.user);
  if (account === undefined || account.standing === 'none') throw refuse('user_not_found');
  const rooms = [...account.rooms].flatMap((id) => workspace.room(id) ?? []);
  return rooms.filter(({ kind, members }) => kind === 'channel' || members.has(bot.user));
}

/** `conversations.list` has public channels that the bot is not in; `users.conversations` has only what someone is in. */
function listConversations(which: 'all' | 'own'): Method {
  return (args, context) => {
    const { scopes, world } = context;
    const workspace = workspaceArg(args, context);
    const types = (textArg(args, 'types') ?? 'public_channel').split(',').map((type) => type.trim());
    const kinds = (['channel', 'group', 'mpim', 'im'] as const).filter((kind) =>
      types.includes(typeOf[kind]),
    );
    requireFor(kinds, 'read', scopes);
    const all = listedFor({ which, user: textArg(args, 'user') }, world).filter(
      (room) => kinds.includes(room.kind) && (room.kind === 'im' || room.team === workspace),
    );
    const { items, next } = paged(all, args, { most: 1000, otherwise: 100 });
    return { channels: items.map(channelShape), response_metadata: { next_cursor: next } };
  };
}

const conversationInfo: Method = (args, context) => {
  const room = visibleRoomArg(args, context);
  requireFor([room.kind], 'read', context.scopes);
  const { num_members: count, ...channel } = channelShape(room);
  return {
    channel:
      flagArg(args, 'include_num_members') && count !== undefined
        ? { ...channel, num_members: count }
        : channel,
  };
};

/** Also of public channels that the bot is not in. */
const members: Method = (args, context) => {
  const room = visibleRoomArg(args, context);
  requireFor([room.kind], 'read', context.scopes);
  const { items, next } = paged([...room.members], args, { most: 1000, otherwise: 100 });
  return { members: [...items], response_metadata: { next_cursor: next } };
};

const openConversation: Method = (args, context) => {
  const user = textArg(args, 'users');
  const room = user === undefined ? roomArg(args, context) : directWith(user, context);
  return {
    no_op: true,
    already_open: true,
    channel: flagArg(args, 'return_im') ? channelShape(room) : { id: room.id },
  };
};

function directWith(user: string, { world }: MethodContext): Room {
  const account = world.workspace.account(user);
  if (account === undefined || account.standing === 'none') throw refuse('user_not_found');
  return world.workspace.directOf(account);
}

const history: Method = (args, context) => {
  const { world, scopes } = context;
  const room = roomArg(args, context);
  requireFor([room.kind], 'history', scopes);
  const all = world
    .messagesIn(room.id)
    .filter((one) => one.thread === undefined && one.onlyFor === undefined)
    .filter(inWindow(args))
    .toReversed();
  const from = fromCursor(args, 'ts');
  const rest = from === undefined ? all : all.filter((one) => Number(one.ts) <= Number(from));
  return { ...page(rest, args, { ...context, otherwise: 100 }), pin_count: 0 };
};

const replies: Method = (args, context) => {
  const { world, scopes } = context;
  const room = roomArg(args, context);
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

/** A page of a list that is counted from its beginning. */
function paged<T>(
  all: readonly T[],
  args: Args,
  { most, otherwise }: { most: number; otherwise: number },
): { items: readonly T[]; next: string } {
  const start = Number(fromCursor(args, 'item') ?? 0);
  const end = start + limitArg(args, most, otherwise);
  return { items: all.slice(start, end), next: end < all.length ? toCursor('item', String(end)) : '' };
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
  'auth.teams.list': teamsList,
  'apps.connections.open': openConnection,
  'team.info': teamInfo,
  'bots.info': botsInfo,
  'users.info': usersInfo,
  'users.list': usersList,
  'users.conversations': listConversations('own'),
  'conversations.list': listConversations('all'),
  'conversations.info': conversationInfo,
  'conversations.members': members,
  'conversations.open': openConversation,
  'conversations.history': history,
  'conversations.replies': replies,
};
