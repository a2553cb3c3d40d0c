// Who may read what on Slack now, by Slack's own answers.
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { ReadingRights, RoomReaders } from '#adapters/gateway/terms/channel.ts';
import type { ReadCall } from '#adapters/slack/calls/calls.ts';
import { errorWord } from '#adapters/slack/calls/error-word.ts';
import { explain } from '#adapters/slack/calls/explain.ts';
import type { SlackChannel } from '#adapters/slack/calls/wire.ts';
import { belongsTo, isFullMember, type SlackPerson } from '#adapters/slack/codecs/members.ts';
import { isOrganisation } from '#adapters/slack/codecs/organisation.ts';
import { requestedTogether } from '#adapters/slack/codecs/together.ts';
import { createMemberships, type Memberships } from './memberships.ts';
import type { SlackPeople } from './people.ts';

/** Someone's channels, fetched once for many looks at one time. */
type Channels = ReadonlyMap<string, SlackChannel>;

const maxPeople = 500;

/**
 * The rights by `call`, which must not wait. What a look costs, by Slack's rates: `ofSpace` one users.info (100 a minute); `ofRoom` of a
 * channel that a full member is in one users.conversations (50 a minute) for all looks at one time, else one conversations.info
 * (50 a minute) or, for guests and strangers, also conversations.members (100 a minute, 999 members each); `readers` one
 * users.conversations of the bot's for all looks at one time, the members, and what `people` does not know of them.
 */
export function createRights({ call, people }: { call: ReadCall; people: SlackPeople }): ReadingRights {
  const lists = new Map<string, () => Promise<Channels>>();

  /** Not ended by one look's signal: others may wait for the same answer. */
  function channelsOf(user: string, workspace: string | undefined): Promise<Channels> {
    const { signal } = new AbortController();
    const key = `${workspace}/${user}`;
    const asked =
      lists.get(key) ?? requestedTogether(() => createMemberships(call, signal).channelsOf(user, workspace));
    lists.delete(key);
    lists.set(key, asked);
    const [idle = ''] = lists.keys();
    if (lists.size > maxPeople) lists.delete(idle);
    return asked();
  }

  /** Someone's channel in their list; undefined where it is not in it or the list is refused (a scope is missing). */
  async function listedFor(user: string, address: Address): Promise<SlackChannel | undefined> {
    const { kind, chat } = address;
    if (kind !== 'channel') return undefined;
    try {
      return (await channelsOf(user, workspaceOf(address))).get(chat);
    } catch (error) {
      if (explain(error).kind === 'permission') return undefined;
      throw error;
    }
  }

  async function personOf(user: string, signal: AbortSignal): Promise<SlackPerson | undefined> {
    return (await people.now([user], { signal })).get(user);
  }

  const ofSpace: ReadingRights['ofSpace'] = async (space, actorID, signal) => {
    const { owner, home, user } = namesIn(space, actorID);
    if (home !== owner) return false;
    const person = await personOf(user, signal);
    if (person === undefined) return false;
    // in an organisation's direct messages, anyone who is a member anywhere in it
    const spaces = isOrganisation(owner) && space.space === undefined ? person.teams : [teamOf(space)];
    return spaces.some((team) => isFullMember(person, team));
  };

  return {
    ofSpace,
    isOutsider: async (bot, actorID, signal) => !(await ofSpace(bot, actorID, signal)),
    async ofRoom(room, actorID, signal) {
      const { user } = namesIn(room, actorID);
      const person = await personOf(user, signal);
      if (person?.active !== true) return 'nothing';
      const look = createMemberships(call, signal);
      if (isFullMember(person, teamOf(room))) {
        if ((await listedFor(user, room)) !== undefined) return 'everything';
        const channel = await look.channel(room.chat);
        if (channel !== undefined && isOpen(channel)) return 'everything';
      }
      return (await isIn(look, room.chat, user)) ? 'everything' : 'nothing';
    },
    async readers(room, signal): Promise<RoomReaders> {
      const { user: bot } = namesIn(room, room.account);
      const look = createMemberships(call, signal);
      const channel = (await listedFor(bot, room)) ?? (await look.channel(room.chat));
      if (channel === undefined) return { restricted: true, outsiders: true };
      const restricted = !isOpen(channel);
      if (isShared(channel)) return { restricted, outsiders: true };
      const members: string[] = [];
      for await (const page of look.membersOf(room.chat)) members.push(...page.filter((one) => one !== bot));
      const known = await people.now(members, { workspace: workspaceOf(room), signal });
      const outsiders = members.some((one) => isOutsider(known.get(one), teamOf(room)));
      return { restricted, outsiders };
    },
  };
}

/** The workspace or organisation of the bot, and the account's own with its id. */
function namesIn({ account }: Address, actorID: string): { owner: string; home: string; user: string } {
  const [owner = ''] = account.split('/');
  const [home = '', user = ''] = actorID.split('/');
  return { owner, home, user };
}

/** The workspace of the room: the bot's own, or one of its organisation. */
function teamOf(room: Address): string {
  const [owner = ''] = room.account.split('/');
  return workspaceOf(room) ?? owner;
}

/** What an organisation's token must name in calls that are about one workspace. */
function workspaceOf({ account, space }: Address): string | undefined {
  return isOrganisation(account) ? space : undefined;
}

function isOpen(channel: SlackChannel): boolean {
  return channel.is_private !== true && channel.is_im !== true && channel.is_mpim !== true;
}

/** Also where another workspace was invited and has not come yet, or belongs to the same organisation. */
function isShared(channel: SlackChannel): boolean {
  const {
    is_shared: shared,
    is_ext_shared: outside,
    is_org_shared: inside,
    is_pending_ext_shared: soon,
  } = channel;
  return [shared, outside, inside, soon].includes(true);
}

/** A person whom Slack does not know counts as one; a deactivated account reads nothing. Other apps' bots belong to the workspace. */
function isOutsider(person: SlackPerson | undefined, team: string): boolean {
  if (person === undefined) return true;
  return person.active && (person.guest || !belongsTo(person, team));
}

async function isIn(look: Memberships, channel: string, user: string): Promise<boolean> {
  try {
    for await (const page of look.membersOf(channel)) if (page.includes(user)) return true;
    return false;
  } catch (error) {
    if (errorWord(error) === 'channel_not_found') return false;
    throw error;
  }
}
