// Users, members, roles, the guild and the application as Discord's API writes them. Pure; no state of its own.
import type { Channel, Person, World } from './world.ts';

/** Bits of Discord's permission numbers that the sandbox uses. */
export const permissionBits = {
  addReactions: 1n << 6n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  readMessageHistory: 1n << 16n,
  createPublicThreads: 1n << 35n,
  sendMessagesInThreads: 1n << 38n,
} as const;

const ordinary = Object.values(permissionBits).reduce((all, bit) => all | bit, 0n);
const joinedAt = '2024-01-01T00:00:00.000000+00:00';

/** The application's flags: MESSAGE_CONTENT of a small bot, as the developer portal's switch sets it. */
export const messageContentFlag = 1 << 19;

export function userPayload(person: Person) {
  return {
    id: person.id,
    username: person.username,
    discriminator: person.kind === 'bot' ? '0001' : '0',
    global_name: person.globalName ?? null,
    avatar: null,
    public_flags: 0,
    flags: 0,
    ...(person.kind === 'bot' ? { bot: true } : {}),
    banner: null,
    accent_color: null,
    avatar_decoration_data: null,
    collectibles: null,
    primary_guild: null,
  };
}

/** What the token's owner sees of itself. */
export function selfPayload(world: World) {
  return { ...userPayload(world.bot), mfa_enabled: false, locale: 'en-US', verified: true, email: null };
}

/** A member without its user, as it stands beside a message's author. */
export function partialMember(world: World, person: Person) {
  return {
    roles: person.kind === 'bot' ? [world.botRoleID] : [],
    nick: null,
    avatar: null,
    banner: null,
    communication_disabled_until: null,
    flags: 0,
    joined_at: joinedAt,
    pending: false,
    premium_since: null,
    mute: false,
    deaf: false,
  };
}

export function memberPayload(world: World, person: Person) {
  return { ...partialMember(world, person), user: userPayload(person) };
}

function rolePayload(role: { id: string; name: string; position: number; tags?: object }) {
  const { tags, ...rest } = role;
  return {
    ...rest,
    permissions: ordinary.toString(),
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    managed: tags !== undefined,
    mentionable: false,
    icon: null,
    unicode_emoji: null,
    flags: 0,
    ...(tags === undefined ? {} : { tags }),
  };
}

export function guildPayload(world: World) {
  return {
    id: world.guildID,
    name: world.guildName,
    icon: null,
    description: null,
    home_header: null,
    splash: null,
    discovery_splash: null,
    features: [],
    banner: null,
    owner_id: world.you.id,
    application_id: null,
    region: 'us-west',
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: null,
    system_channel_flags: 0,
    widget_enabled: false,
    widget_channel_id: null,
    verification_level: 0,
    roles: [
      rolePayload({ id: world.guildID, name: '@everyone', position: 0 }),
      rolePayload({
        id: world.botRoleID,
        name: world.bot.username,
        position: 1,
        tags: { bot_id: world.bot.id },
      }),
    ],
    default_message_notifications: 0,
    mfa_level: 0,
    explicit_content_filter: 0,
    max_presences: null,
    max_members: 500_000,
    max_stage_video_channel_users: 50,
    max_video_channel_users: 25,
    vanity_url_code: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: 'en-US',
    rules_channel_id: null,
    safety_alerts_channel_id: null,
    public_updates_channel_id: null,
    premium_progress_bar_enabled: false,
    nsfw: false,
    nsfw_level: 0,
    emojis: [],
    stickers: [],
    incidents_data: null,
  };
}

/** The application, with the Message Content flag only where its switch is on. */
export function applicationPayload(world: World, messageContent: 'allowed' | 'refused') {
  const flags = messageContent === 'allowed' ? messageContentFlag : 0;
  return {
    id: world.bot.id,
    name: world.bot.username,
    icon: null,
    description: '',
    type: null,
    bot: userPayload(world.bot),
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    flags,
    flags_new: String(flags),
    redirect_uris: [],
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
    owner: userPayload(world.you),
    approximate_guild_count: 1,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    explicit_content_filter: 0,
    team: null,
    eligible_oauth2_scopes: [],
  };
}

/** Whether the bot may read a channel. */
export function botSees(world: World, channel: Channel): boolean {
  const home = channel.kind === 'thread' ? world.channels.get(channel.parentID) : channel;
  return home !== undefined && (home.kind !== 'room' || home.readers !== 'people only');
}
