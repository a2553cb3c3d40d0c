// Who may read a channel of a guild, by the roles and overwrites that discord.js knows. Pure; asks Discord nothing.
import {
  ChannelType,
  type GuildBasedChannel,
  type NonThreadGuildBasedChannel as Home,
  PermissionFlagsBits,
  PermissionsBitField,
  type Role,
} from 'discord.js';

/** A member as far as permissions go. */
export interface MemberRights {
  id: string;
  roles: readonly string[];
  /** Timed-out members have only the permissions to view and to read back. */
  timedOut: boolean;
}

const { ViewChannel, ReadMessageHistory, Connect, ManageThreads, Administrator } = PermissionFlagsBits;

/** The channel whose overwrites hold: the channel itself, or a thread's parent. */
export function overwriteChannelOf(channel: GuildBasedChannel): Home | undefined {
  const home = channel.isThread() ? channel.parent : channel;
  return home ?? undefined;
}

/** What reading takes: seeing the channel, reading back, and in voice and stage channels joining ("Get Channel Messages"). */
function readingBits(home: Home): bigint {
  const voice = home.type === ChannelType.GuildVoice || home.type === ChannelType.GuildStageVoice;
  return ViewChannel | ReadMessageHistory | (voice ? Connect : 0n);
}

/** Only adults may open it, and Discord does not say to bots who is one. Threads take this from their parent. */
export function isAgeRestricted(home: Home): boolean {
  return 'nsfw' in home && home.nsfw;
}

/**
 * Whether every member of the guild may read all of a channel: @everyone may, and no overwrite takes it from a role or a member.
 * A category is not looked at, since its channels have copies of its overwrites. False where anything of it is not known.
 */
export function isReadByAll(channel: GuildBasedChannel): boolean {
  if (channel.type === ChannelType.PrivateThread || !channel.guild.available) return false;
  const home = overwriteChannelOf(channel);
  // A guild that is unavailable at the moment has no roles yet, whatever the types say.
  const everyone: Role | undefined = channel.guild.roles.everyone;
  if (home === undefined || everyone === undefined || isAgeRestricted(home)) return false;
  const bits = readingBits(home);
  if (home.permissionsFor(everyone)?.has(bits) !== true) return false;
  return home.permissionOverwrites.cache.every(({ id, deny }) => id === everyone.id || !deny.any(bits));
}

/** Whether a member may read all that was ever said in a channel, or, `as a moderator`, also in the private threads below it. */
export function mayReadBack(home: Home, reader: MemberRights): 'as a moderator' | 'yes' | 'no' {
  const has = permissionsIn(home, reader);
  if (!has.has(readingBits(home))) return 'no';
  return has.has(ManageThreads) ? 'as a moderator' : 'yes';
}

/**
 * discord.js computes this for members that it holds, who are not current without a privileged intent, and knows no time-outs. The
 * rules are Discord's ("Permission Overwrites", "Permissions for Timed Out Members").
 */
function permissionsIn(home: Home, { id, roles, timedOut }: MemberRights): PermissionsBitField {
  const { guild } = home;
  const all = new PermissionsBitField(PermissionsBitField.All);
  if (guild.ownerId === id) return all;
  const overwrites = home.permissionOverwrites.cache;
  const sum = permissionsOf({
    ...{ id, roles, guildID: guild.id },
    granted: (role) => guild.roles.cache.get(role)?.permissions.bitfield,
    overwrite(of) {
      const { allow, deny } = overwrites.get(of) ?? {};
      return { allow: allow?.bitfield ?? 0n, deny: deny?.bitfield ?? 0n };
    },
  });
  if (sum.has(Administrator)) return all;
  return timedOut ? new PermissionsBitField(sum.bitfield & (ViewChannel | ReadMessageHistory)) : sum;
}

/** What a member is granted in a channel by its roles and overwrites, before time-outs; an administrator everything ("Permission Overwrites"). */
export function permissionsOf(of: {
  id: string;
  roles: readonly string[];
  guildID: string;
  granted(role: string): bigint | undefined;
  overwrite(id: string): { allow: bigint; deny: bigint };
}): PermissionsBitField {
  const sum = new PermissionsBitField([of.guildID, ...of.roles].map((role) => of.granted(role) ?? 0n));
  if (sum.has(Administrator)) return new PermissionsBitField(PermissionsBitField.All);
  const everyone = of.overwrite(of.guildID);
  const ofRoles = of.roles.map((role) => of.overwrite(role));
  const own = of.overwrite(of.id);
  sum.remove(everyone.deny).add(everyone.allow);
  sum.remove(ofRoles.map(({ deny }) => deny)).add(ofRoles.map(({ allow }) => allow));
  return sum.remove(own.deny).add(own.allow);
}
