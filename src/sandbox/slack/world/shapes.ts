// The world as Slack writes it on the wire: messages, channels, users. Pure; not who gets to see it.
import { defined, type Json } from '#base/json.ts';
import { streamState } from './stream-state.ts';
import {
  app,
  bot,
  organisation,
  otherTeam,
  pagePeople,
  type Room,
  type SlackAccount,
  team,
} from './workspace.ts';
import type { SharedFile, Stored, Wire, World } from './world.ts';

const icons = {
  image_36: 'https://sandbox.invalid/36.png',
  image_48: 'https://sandbox.invalid/48.png',
  image_72: 'https://sandbox.invalid/72.png',
};
const enterprise = {
  enterprise_id: organisation.id,
  enterprise_name: organisation.name,
  is_admin: false,
  is_owner: false,
  is_primary_owner: false,
};
const founded = 1_700_000_000;

const botProfile: Wire = {
  id: bot.bot,
  deleted: false,
  name: bot.name,
  updated: founded,
  app_id: app.id,
  icons,
  team_id: team.id,
};

/** The message as events and pages carry it, without its channel. */
export function messageShape(world: World, message: Stored): Wire {
  const parent = message.thread === undefined ? undefined : world.find(message.room.id, message.thread);
  const byBot = message.user === bot.user;
  const account = world.workspace.account(message.user);
  // who is in several workspaces of an organisation speaks as one of the workspace where they write
  const author = account?.teams.has(message.room.team) ? message.room.team : (account?.home ?? team.id);
  return defined({
    type: 'message',
    subtype: message.subtype,
    client_msg_id: byBot || message.subtype !== undefined ? undefined : `sandbox-${message.ts}`,
    user: message.username === undefined ? message.user : undefined,
    username: message.username,
    hidden: message.subtype === 'tombstone' ? true : undefined,
    team: message.subtype === 'file_share' ? undefined : author,
    // in shared channels each message says whose it is (docs.slack.dev, Slack Connect)
    ...(message.room.shared ? { user_team: author, source_team: author } : {}),
    // an app that posts under its own name has no user (docs.slack.dev, bot_message)
    bot_id:
      message.username !== undefined
        ? message.user
        : byBot && message.subtype === undefined
          ? bot.bot
          : undefined,
    bot_profile: byBot && message.subtype === undefined ? botProfile : undefined,
    text: message.text,
    blocks: message.blocks,
    attachments: message.attachments,
    files: message.files?.map((file) => fileIn(file, message.user)),
    upload: message.files === undefined ? undefined : false,
    ts: message.ts,
    thread_ts: message.thread,
    parent_user_id: parent?.user,
    edited: message.edited,
  }) as Wire; // `defined` took the undefined values out; what is left is JSON
}

/** The message as history and replies show it now: with its thread's numbers and, when asked for, its metadata. */
export function pageShape(
  world: World,
  message: Stored,
  { metadata, now }: { metadata: 'with metadata' | 'without'; now: number },
): Wire {
  const replies = repliesOf(world, message);
  const users = [...new Set(replies.map((reply) => reply.user))];
  const last = replies.at(-1);
  const streaming = streamState(message, now);
  return {
    ...messageShape(world, message),
    ...(streaming === undefined ? {} : { streaming_state: streaming }),
    ...(message.metadata !== undefined && metadata === 'with metadata' ? { metadata: message.metadata } : {}),
    ...(message.reactions.length === 0
      ? {}
      : { reactions: message.reactions.map((one) => ({ ...one, count: one.users.length })) }),
    ...(last === undefined
      ? {}
      : {
          thread_ts: message.ts,
          reply_count: replies.length,
          reply_users_count: users.length,
          reply_users: users,
          latest_reply: last.ts,
          is_locked: false,
          subscribed: false,
        }),
  };
}

/** Replies of a thread's first message, oldest first. */
export function repliesOf(world: World, parent: Stored): Stored[] {
  return world.repliesTo(parent.room.id, parent.ts).filter((one) => one.onlyFor === undefined);
}

/** A file as its message carries it. */
function fileIn(file: SharedFile, user: string): Wire {
  const { id, origin } = file;
  if (origin === 'deleted') return { id, mode: 'tombstone' };
  // a channel that is shared with another workspace
  if (origin === 'external') return { id, mode: 'file_access', file_access: 'check_file_info' };
  return fileShape(file, user);
}

export function fileShape(file: SharedFile, user: string): Wire {
  const { url } = file;
  return {
    id: file.id,
    created: founded,
    timestamp: founded,
    name: file.name,
    title: file.name,
    mimetype: file.mime,
    filetype: file.name.split('.').at(-1) ?? '',
    user,
    editable: false,
    size: file.bytes.length,
    mode: 'hosted',
    is_external: false,
    is_public: false,
    url_private: url,
    url_private_download: url,
    ...(file.voice === true && { subtype: 'slack_audio', duration_ms: (file.seconds ?? 3) * 1_000 }),
  };
}

export function channelShape(room: Room): Wire {
  const common = {
    id: room.id,
    created: founded,
    is_archived: room.archived === true,
    is_org_shared: false,
    context_team_id: room.team,
    updated: founded,
  };
  if (room.kind === 'im') {
    const [person = ''] = [...room.members].filter((id) => id !== bot.user);
    return { ...common, is_im: true, user: person, is_user_deleted: false, priority: 0 };
  }
  return {
    ...common,
    name: room.name,
    name_normalized: room.name,
    is_channel: room.kind !== 'mpim',
    is_group: false,
    is_im: false,
    is_mpim: room.kind === 'mpim',
    is_private: room.kind !== 'channel',
    is_general: false,
    is_member: room.members.has(bot.user),
    is_shared: room.shared,
    is_ext_shared: room.shared,
    is_pending_ext_shared: false,
    unlinked: 0,
    creator: pagePeople.you.id,
    shared_team_ids: room.shared ? [room.team, otherTeam.id] : [room.team],
    pending_shared: [],
    pending_connected_team_ids: [],
    previous_names: [],
    num_members: room.members.size,
    topic: { value: '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
  };
}

export function userShape(
  { id, name, home, standing, teams }: SlackAccount,
  install: World['install'],
): Wire {
  const isBot = id === bot.user;
  const profile: { [key: string]: Json } = {
    real_name: name,
    real_name_normalized: name,
    display_name: name,
    display_name_normalized: name,
    title: '',
    status_text: '',
    status_emoji: '',
    status_expiration: 0,
    avatar_hash: '',
    team: home,
    ...(isBot ? { api_app_id: app.id, bot_id: bot.bot } : {}),
  };
  return {
    id,
    team_id: home,
    name: name.toLowerCase(),
    deleted: home === team.id && standing === 'gone',
    color: '9f69e7',
    real_name: name,
    tz: 'Etc/UTC',
    tz_label: 'UTC',
    tz_offset: 0,
    profile,
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: standing === 'guest',
    is_ultra_restricted: false,
    is_bot: isBot,
    is_app_user: false,
    updated: founded,
    is_email_confirmed: true,
    // of people of an organisation (docs.slack.dev, user object)
    ...(install === 'organisation' && home === team.id
      ? { enterprise_user: { ...enterprise, id, teams: [home, ...teams] } }
      : {}),
    // of another workspace, and in no channel that the app sees (docs.slack.dev, user object)
    ...(home === team.id ? {} : { is_stranger: standing === 'gone' }),
  };
}
