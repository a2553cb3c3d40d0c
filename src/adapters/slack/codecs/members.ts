// What Slack's events say of people and channels: who came and left, who may read less than before, and the events for the gateway. Pure.
import { z } from 'zod';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { MemberEvent } from '#adapters/gateway/terms/inbound.ts';
import type { Identity } from './change.ts';
import { addressIn, type SlackConversation } from './inbound.ts';
import { actorIDOf } from './organisation.ts';

/** A person as Slack has them, as far as it says what they may read. */
export const userSchema = z.object({
  id: z.string(),
  team_id: z.string().nullish(),
  deleted: z.boolean().nullish(),
  is_bot: z.boolean().nullish(),
  is_restricted: z.boolean().nullish(),
  is_ultra_restricted: z.boolean().nullish(),
  is_stranger: z.boolean().nullish(),
  /** Of an organisation: the workspaces that the person is in. */
  enterprise_user: z.object({ teams: z.array(z.string()).nullish() }).nullish(),
});
export type SlackUser = z.infer<typeof userSchema>;

const happened = { event_ts: z.string().optional() };

/** An event that says that someone may read more or less, or that a place has another name. */
export const newsSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['channel_rename', 'group_rename']),
    channel: z.object({ id: z.string(), name: z.string() }),
    ...happened,
  }),
  z.object({
    type: z.literal('team_rename'),
    name: z.string(),
    workspace: z.string().nullish(),
    ...happened,
  }),
  z.object({ type: z.enum(['user_change', 'team_join']), user: userSchema, ...happened }),
  z.object({
    type: z.enum(['member_joined_channel', 'member_left_channel']),
    channel: z.string(),
    user: z.string(),
    team: z.string().nullish(),
    ...happened,
  }),
  z.object({
    type: z.enum(['channel_left', 'group_left', 'channel_shared', 'channel_unshared']),
    channel: z.string(),
    ...happened,
  }),
]);
export type News = z.infer<typeof newsSchema>;

/** What decides what a person may read. */
export interface SlackPerson {
  team: string;
  /** Further workspaces of the same organisation. */
  teams: readonly string[];
  active: boolean;
  guest: boolean;
  bot: boolean;
}

/** The facts of an account that decide what the person may read: workspaces, guest, bot, deactivated. */
export function slackPersonOf(user: SlackUser): SlackPerson {
  return {
    team: user.is_stranger === true ? '' : (user.team_id ?? ''),
    teams: user.is_stranger === true ? [] : (user.enterprise_user?.teams ?? []),
    active: user.deleted !== true,
    guest: user.is_restricted === true || user.is_ultra_restricted === true,
    bot: user.is_bot === true,
  };
}

/** Whether the person may open every public channel of this workspace: not guests, nor people of another one, nor other apps' bots. */
export function isFullMember(person: SlackPerson, workspace: string): boolean {
  const { active, guest, bot } = person;
  return active && !guest && !bot && belongsTo(person, workspace);
}

/** Whether the account is one of the workspace, as a member or a guest, or was when it was deactivated. */
export function belongsTo({ team, teams }: SlackPerson, workspace: string): boolean {
  return team === workspace || teams.includes(workspace);
}

/** The event of a person who joined or left a channel. */
export function memberOfRoom(
  { actorID, change, at }: { actorID: string | undefined; change: MemberEvent['change']; at: number },
  { bot, room }: { bot: Identity; room: SlackConversation },
): MemberEvent {
  const address = addressIn({ bot, room }, undefined);
  return { type: 'member', address, of: 'room', actorID, change, at };
}

/** The event of a person whose status in the workspace has changed (a guest, deactivated). */
export function memberOfSpace(
  { user, change, at, team }: { user: SlackUser; change: MemberEvent['change']; at: number; team: string },
  bot: Identity,
): MemberEvent {
  const actorID = actorIDOf(bot, { team: user.team_id, user: user.id });
  return { type: 'member', address: spaceAddress(bot, team), of: 'space', actorID, change, at };
}

/** An address in a workspace that is no channel's: an id of Slack's channels never begins with a T. */
export function spaceAddress(bot: Identity, team: string): Address {
  return {
    platform: 'slack',
    account: `${bot.team}/${bot.botUser}`,
    space: team,
    chat: team,
    kind: 'channel',
  };
}
