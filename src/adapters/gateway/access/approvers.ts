// Who may give leave for tools, and where they are asked: in the chat itself where they speak there in private, else in a direct message of theirs.
import type { Address, Platform } from '#adapters/gateway/address.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import { roleOf } from './decide.ts';
import type { ChannelAccess, Role } from './terms.ts';

/** Where somebody is asked for leave. */
export interface AskedAt {
  person: string;
  lane: string;
  address: Address;
}

export interface Approvers {
  /** The role in which an account speaks on its platform. */
  roleOf(person: string, platform: Platform): Role;
  /** Whether this account may give leave. */
  isApprover(person: string, platform: Platform): boolean;
  /** Who is asked for leave for what this person's run wants to do; undefined where nobody can be. */
  askedFor(speaker: AskedAt): AskedAt | undefined;
}

/** `names`: the persons who may give leave; owners when absent, and nobody when empty. */
export function createApprovers({
  ledger,
  accessOf,
  isConnected,
  names,
}: {
  ledger: Pick<Ledger, 'persons' | 'inbox'>;
  accessOf: (platform: Platform) => ChannelAccess | undefined;
  isConnected: (address: Address) => boolean;
  names: readonly string[] | undefined;
}): Approvers {
  const { persons, inbox } = ledger;

  const roleIn: Approvers['roleOf'] = (person, platform) => {
    const access = accessOf(platform);
    const standing = persons.standingOf(person);
    return access === undefined ? (standing.role ?? 'guest') : roleOf(standing.userID, standing, access);
  };
  const isApprover: Approvers['isApprover'] = (person, platform) => {
    if (names === undefined) return roleIn(person, platform) === 'owner';
    const { name } = persons.standingOf(person);
    // whoever sits at the machine can give leave anyway, through the engine's own interface
    return (name !== undefined && names.includes(name)) || accessOf(platform)?.strangers === 'owner';
  };

  return {
    roleOf: roleIn,
    isApprover,
    askedFor(speaker) {
      const { person, address } = speaker;
      if (address.kind === 'dm' && isApprover(person, address.platform)) return speaker;
      const owners = persons.list().filter(({ role }) => role === 'owner');
      const who = names ?? owners.map(({ name }) => name);
      const places = who
        .flatMap((name) => persons.idsOf(name))
        .flatMap((id) => inbox.lastDirect(id) ?? [])
        .filter((place) => isConnected(place.address))
        .sort((a, b) => b.receivedAt - a.receivedAt);
      return places[0];
    },
  };
}
