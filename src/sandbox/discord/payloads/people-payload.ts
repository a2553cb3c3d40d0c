// Users, members, roles, the guild and the application as Discord's API writes them. Pure; no separate state.
import type { Guild, GuildRole, Member } from '#sandbox/discord/world/guilds.ts';
import type { World, WorldPerson } from '#sandbox/discord/world/world.ts';
import { timestamp } from './timestamp.ts';

/** The application's flags: the privileged intents of a small bot, as the developer portal's switches set them. */
const messageContentFlag = 1 << 19;
const guildMembersFlag = 1 << 15;

/** The switches of the developer portal. */
export interface Switches {
  messageContent: 'allowed' | 'refused';
  guildMembers: 'allowed' | 'refused';
}

/** A member's flag of those who came by an invitation to one voice channel. */
const isGuest = 1 << 4;

export function userPayload(person: WorldPerson) {
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
export function partialMember(world: World, member: Member) {
  const until = timestamp(world.clock.now() + timeoutMs);
  return {
    roles: [...member.roleIDs],
    nick: null,
    avatar: null,
    banner: null,
    communication_disabled_until: member.timedOut === 'yes' ? until : null,
    flags: member.guest === 'yes' ? isGuest : 0,
    joined_at: timestamp(member.joinedAt),
    pending: member.pending === 'yes',
    premium_since: null,
    mute: false,
    deaf: false,
  };
}

/** How long a time-out lasts that nobody lifts. */
const timeoutMs = 24 * 3600_000;

export function memberPayload(world: World, member: Member) {
  const person = world.people.get(member.personID);
  if (person === undefined) throw new Error(`The member ${member.personID} is nobody.`);
  return { ...partialMember(world, member), user: userPayload(person) };
}

export function rolePayload(role: GuildRole) {
  const { id, name, position, permissions, botID } = role;
  return {
    id,
    name,
    position,
    permissions: permissions.toString(),
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    managed: botID !== undefined,
    mentionable: false,
    icon: null,
    unicode_emoji: null,
    flags: 0,
    ...(botID === undefined ? {} : { tags: { bot_id: botID } }),
  };
}

export function guildPayload(guild: Guild) {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    description: null,
    home_header: null,
    splash: null,
    discovery_splash: null,
    features: [],
    banner: null,
    owner_id: guild.ownerID,
    application_id: null,
    region: 'us-west',
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: null,
    system_channel_flags: 0,
    widget_enabled: false,
    widget_channel_id: null,
    verification_level: 0,
    roles: [...guild.roles.values()].map(rolePayload),
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

/** The application, with the flags of the privileged intents whose switches are on. */
export function applicationPayload(world: World, { messageContent, guildMembers }: Switches) {
  const flags =
    (messageContent === 'allowed' ? messageContentFlag : 0) |
    (guildMembers === 'allowed' ? guildMembersFlag : 0);
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
    approximate_guild_count: world.guilds.size,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    explicit_content_filter: 0,
    team: null,
    eligible_oauth2_scopes: [],
  };
}
