// The words of access: roles, and what an operator has laid down about who may talk to a channel.

import { type Profile, profileOf } from './profiles.ts';
import type { Role } from './role.ts';

/**
 * Who may write to the bot in private. `pairing`: known people, and strangers are given a code. `allowlist`: whose account is
 * listed, and owners. `open`: everyone. `off`: nobody.
 */
export const directMessageRules = ['pairing', 'allowlist', 'open', 'off'] as const;
type DirectMessages = (typeof directMessageRules)[number];

/**
 * What in a room is meant for the bot. `mentions`: only what names or answers it. `addressed`: that, and threads between it and one
 * person. `threads`: that, and every thread that it takes part in. `everything`: all that is written.
 */
export const answerRules = ['addressed', 'mentions', 'threads', 'everything'] as const;
export type RoomTrigger = (typeof answerRules)[number];

/** Who may begin an answer in a room: everyone there, known people, or only owners. */
export const whoRules = ['anyone', 'known', 'owners'] as const;
export type RoomAccess = (typeof whoRules)[number];

/** Where the approval that a room needs is requested: there, or in a direct message to those who may give it. */
export const approvalPlaces = ['room', 'direct'] as const;
export type ApprovalLocation = (typeof approvalPlaces)[number];

export interface RoomRules {
  allow: RoomAccess;
  respondTo: RoomTrigger;
  /** How many messages that were just said in the room go along with one that is meant for the bot; none for 0. */
  context: number;
}

export interface ChannelAccess {
  directMessages: DirectMessages;
  /** Accounts by the platform's own ids, as `Actor.id` has them. */
  allowlist: readonly string[];
  /** The role of a person who is admitted without being known: a guest, unless the channel itself is proof of more. */
  strangers: Role;
  rooms: RoomRules & {
    /** Only these spaces (guilds, workspaces, Telegram groups); all when absent. */
    spaces?: readonly string[] | undefined;
    /** Only these rooms; all when absent. */
    include?: readonly string[] | undefined;
    /** Other rules for single rooms, by the platform's id of the room. */
    overrides: Readonly<
      Record<
        string,
        { allow?: RoomAccess | undefined; respondTo?: RoomTrigger | undefined; context?: number | undefined }
      >
    >;
    /** Characters of all such messages at most. */
    contextCharacters: number;
  };
  /** What of tools, memory and commands there is in the channel. */
  profile: Profile;
  bots: {
    /** Other bots that are answered at all. */
    allowed: readonly string[];
    /** Messages of one bot that are answered in one room within an hour. */
    perHour: number;
  };
}

/** Everyone may talk everywhere; what a channel is given whose every account is proven by other means. */
export function openAccess(strangers: Role): ChannelAccess {
  return {
    directMessages: 'open',
    allowlist: [],
    strangers,
    rooms: { allow: 'anyone', respondTo: 'addressed', context: 0, contextCharacters: 0, overrides: {} },
    profile: profileOf('operator', {}),
    bots: { allowed: [], perHour: 0 },
  };
}

/** A person as the operator's config names them. */
export interface NamedPerson {
  role: Role;
  /** `platform:id`. */
  accounts: readonly string[];
}

/**
 * How the key of a person without a name begins. Only the operator gives names: a person who joins accounts by a code, or is admitted without a
 * name, is known by a key that neither the config nor `people approve --name` can give to another person.
 */
const unnamed = 'unnamed:';

/** The key of a person without a name; `account` is the first of their accounts, as memory knows it (`per_...`). */
export function unnamedKey(account: string): string {
  return `${unnamed}${account}`;
}

/** Whether a person's key is a name. */
export function isUnnamed(key: string): boolean {
  return key.toLowerCase().startsWith(unnamed);
}

/** What is known of an account. */
export interface AccountRole {
  /** Whose account it is: the person's name, or the key of one without a name. Undefined for an account of nobody. */
  key: string | undefined;
  /** The name that the operator gave the person; undefined for an account of nobody, and of a person without a name. */
  name: string | undefined;
  /** Undefined for a stranger. */
  role: Role | undefined;
  /** Whether the operator blocked the account: it is answered nothing. */
  blocked?: boolean;
}
