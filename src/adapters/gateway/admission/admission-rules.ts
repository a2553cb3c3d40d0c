// Whether a message is admitted, by who says it where: pure. The admission decides what a refused person reads, and how often.

import type {
  AccountRole,
  ChannelAccess,
  RoomRules,
  RoomTrigger,
} from '#adapters/gateway/terms/access-types.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { Role } from '#adapters/gateway/terms/role.ts';
import { defined } from '#base/json.ts';

/**
 * `admitted`: it may be answered. `unmeant`: nothing speaks against it, and nothing in it is for the bot. `outside`: written where
 * the bot is not to be. `blocked`: by an account that is answered nothing. `refused`: why.
 */
export type AdmissionResult =
  | { kind: 'admitted'; role: Role }
  | { kind: 'unmeant' }
  | { kind: 'outside' }
  | { kind: 'blocked' }
  | { kind: 'refused'; why: RefusalReason };

/** `code`: a stranger who may ask to be admitted. */
export type RefusalReason =
  | 'code'
  | 'not listed'
  | 'off'
  | 'not known here'
  | 'not an owner'
  | 'not here'
  | ReactionRefusal;

/** What an admitted person reacted with is for others: for whom was answered, and of some for owners too. */
export type ReactionRefusal = 'retry of others' | 'delete of others' | 'stop of others';

/** The rules of the event's room: the general ones, with its space's and its own overrides. */
export function rulesFor({ address }: Pick<MessageEvent, 'address'>, { rooms }: ChannelAccess): RoomRules {
  const { allow: who, respondTo: answers, context, overrides: each } = rooms;
  return {
    allow: who,
    respondTo: answers,
    context,
    ...defined((Object.hasOwn(each, address.chat) && each[address.chat]) || {}),
  };
}

/** The role in which an admitted account speaks. */
export function roleOf(actorID: string, { role }: AccountRole, access: ChannelAccess): Role {
  if (role !== undefined) return role;
  return access.allowlist.includes(actorID) ? 'member' : access.strangers;
}

/** Whether the config wants the bot in that room. */
export function isPlace({ address }: MessageEvent, { rooms }: ChannelAccess): boolean {
  if (rooms.spaces !== undefined && !rooms.spaces.includes(address.space ?? address.chat)) return false;
  return rooms.include === undefined || rooms.include.includes(address.chat);
}

/** Decides on a direct message. */
export function decideDirect(
  { actor }: MessageEvent,
  { standing, access }: { standing: AccountRole; access: ChannelAccess },
): AdmissionResult {
  const role = roleOf(actor.id, standing, access);
  const listed = access.allowlist.includes(actor.id);
  const refused = (why: RefusalReason): AdmissionResult => ({ kind: 'refused', why });
  switch (standing.role === 'owner' && access.directMessages !== 'off' ? 'open' : access.directMessages) {
    case 'off':
      return refused('off');
    case 'open':
      return { kind: 'admitted', role };
    case 'allowlist':
      return listed ? { kind: 'admitted', role } : refused('not listed');
    case 'pairing':
      return listed || standing.role !== undefined ? { kind: 'admitted', role } : refused('code');
  }
}

/**
 * Whether a message belongs to something that the bot takes part in: `single` with its author (a thread between the two, an album, what
 * answers the bot's own question), in a thread with `others`, or not at all.
 */
export type Engagement = 'alone' | 'others' | 'none';

/** What is engaged in so is answered without the bot's name. */
const meantBy: Readonly<Record<RoomTrigger, readonly Engagement[]>> = {
  mentions: [],
  addressed: ['alone'],
  threads: ['alone', 'others'],
  everything: ['alone', 'others', 'none'],
};

/** Decides on a message in a room. A right to write in a room gives no right anywhere else. */
export function decideRoom(
  event: MessageEvent,
  { standing, access, engaged }: { standing: AccountRole; access: ChannelAccess; engaged: Engagement },
): AdmissionResult {
  if (!isPlace(event, access))
    return showsWaiting(event) ? { kind: 'refused', why: 'not here' } : { kind: 'outside' };
  const { allow: who, respondTo: answers } = rulesFor(event, access);
  const called = event.addressed !== 'none';
  const meant = called || meantBy[answers].includes(engaged);
  if (!meant) return { kind: 'unmeant' };
  const role = roleOf(event.actor.id, standing, access);
  const listed = access.allowlist.includes(event.actor.id);
  const may =
    who === 'anyone' || (who === 'known' && (listed || standing.role !== undefined)) || role === 'owner';
  if (may) return { kind: 'admitted', role };
  // a person who only talks on in a thread did not call the bot, and is not answered by a refusal
  if (!called) return { kind: 'unmeant' };
  return { kind: 'refused', why: who === 'known' ? 'not known here' : 'not an owner' };
}

/** A slash command: the platform shows its sender that an answer follows, and takes one that nobody else sees. */
function showsWaiting({ placeholder, answerAt }: MessageEvent): boolean {
  return placeholder !== undefined || answerAt !== undefined;
}
