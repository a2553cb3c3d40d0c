// Who may approve tools, and where the request is posted: in the chat itself when an approver is in it, else in a direct message to them.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import {
  type ApprovalLocation,
  type ChannelAccess,
  isUnnamed,
} from '#adapters/gateway/terms/access-types.ts';
import type { Address, BotAddress, Platform } from '#adapters/gateway/terms/address.ts';
import type { Role } from '#adapters/gateway/terms/role.ts';
import { roleOf } from './admission-rules.ts';

/** Where someone is asked for an approval. */
export interface AskedAt {
  person: string;
  lane: string;
  address: Address;
}

export interface Approvers {
  /** The role in which an account speaks to a bot. */
  roleOf(person: string, to: BotAddress): Role;
  /** Whether this account may approve tool calls. */
  isApprover(person: string, to: BotAddress): boolean;
  /** Who is asked to approve what this person's run wants to do, in a room everyone there; undefined where nobody can be asked. */
  requestedFor(speaker: AskedAt): AskedAt | undefined;
  /** The direct message in which each of the owners wrote last, on a channel that runs; on the platform `last` only where there is no other. */
  directOfOwners(last?: Platform): { address: Address; person: string }[];
  /** Who may approve on this platform, as text: names, or an owner. */
  whoMay(of: BotAddress, phrases: Phrases): string;
}

/** More than these are not named in a room. */
const maxNamed = 3;

/**
 * Who may approve tools. `names`: persons of the config; owners when absent, nobody when empty. `asked`: where requests of rooms are
 * posted.
 */
export function createApprovers({
  ledger,
  accessOf,
  isConnected,
  names,
  asked,
}: {
  ledger: Pick<Ledger, 'persons' | 'inbox'>;
  accessOf: (address: BotAddress) => ChannelAccess | undefined;
  isConnected: (address: Address) => boolean;
  names: () => readonly string[] | undefined;
  asked: () => ApprovalLocation | undefined;
}): Approvers {
  const { persons, inbox } = ledger;

  const roleIn: Approvers['roleOf'] = (person, to) => {
    const access = accessOf(to);
    const standing = persons.standingOf(person);
    return access === undefined ? (standing.role ?? 'guest') : roleOf(standing.userID, standing, access);
  };
  const isApprover: Approvers['isApprover'] = (person, to) => {
    const approvers = names();
    if (approvers === undefined) return roleIn(person, to) === 'owner';
    const { key } = persons.standingOf(person);
    // the person at the machine can approve anyway, through the engine's own interface
    return (key !== undefined && approvers.includes(key)) || accessOf(to)?.strangers === 'owner';
  };

  const owners = (): readonly string[] =>
    persons
      .list()
      .filter(({ role }) => role === 'owner')
      .map(({ name }) => name);
  const named = (): readonly string[] => names() ?? owners();
  const namedOn = (platform: Platform): string[] =>
    named().filter((name) => persons.get(name)?.accounts.some((account) => account.platform === platform));
  const isAnyone = (of: BotAddress): boolean => accessOf(of)?.strangers === 'owner';

  /** The direct messages of a person, on each of their accounts. */
  const placesOf = (name: string) =>
    persons
      .idsOf(name)
      .flatMap((id) => inbox.lastDirect(id) ?? [])
      .filter((place) => isConnected(place.address));
  const newestFirst = (a: { receivedAt: number }, b: { receivedAt: number }): number =>
    b.receivedAt - a.receivedAt;

  return {
    roleOf: roleIn,
    isApprover,
    whoMay(of, { requests }) {
      const here = isAnyone(of) ? [] : namedOn(of.platform);
      if (here.length === 0 || here.length > maxNamed || here.some(isUnnamed)) return requests.anOwner;
      return requests.anyOf({ names: here });
    },
    directOfOwners: (last) =>
      owners().flatMap((name) => {
        const places = placesOf(name).sort(newestFirst);
        return places.find(({ address }) => address.platform !== last) ?? places[0] ?? [];
      }),
    requestedFor(speaker) {
      const { person, address } = speaker;
      const { kind, platform } = address;
      if (kind === 'dm' && isApprover(person, address)) return speaker;
      if (kind !== 'dm' && asked() !== 'direct' && (isAnyone(address) || namedOn(platform).length > 0))
        return speaker;
      return named().flatMap(placesOf).sort(newestFirst)[0];
    },
  };
}
