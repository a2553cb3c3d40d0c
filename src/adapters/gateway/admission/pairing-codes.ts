// The codes of pairing requests: each admits or refuses the account that got it.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { PairingRequest } from '#adapters/gateway/ledger/people/pairing-requests.ts';
import type { Account } from '#adapters/gateway/ledger/people/person-links.ts';
import type { Person } from '#adapters/gateway/ledger/people/persons.ts';
import { codeIn } from '#adapters/gateway/terms/code.ts';
import { type Role, withArticle } from '#adapters/gateway/terms/role.ts';
import { ParleyError } from '#base/errors.ts';
import { looksLike, takenFor } from './look-alike.ts';

/** A stranger who waits; `looksLike` names persons that the display name looks like. */
export type WaitingStranger = PairingRequest & { looksLike: string[] };

/** Who is admitted, and how: see `approve`. */
export interface LetIn {
  /** Undefined admits someone without a name. */
  name?: string | undefined;
  /** A member when absent. */
  role?: Role | undefined;
  /** The explicit word that the account belongs to the person who has this name already. */
  samePerson?: boolean | undefined;
}

/** A name that someone has, or that looks like it. */
export class PersonExists extends ParleyError {
  /** Who has the name. */
  readonly person: Person;

  constructor(person: Person, wanted: string) {
    const { name, role, accounts } = person;
    // by what cannot be imitated
    const own = accounts.map((each) => `${idOf(each)} (shown as ${JSON.stringify(each.shownAs)})`).join(', ');
    const has = own === '' ? 'without an account' : `with ${own}`;
    const who = `${role === undefined ? 'without a role' : withArticle(role)}, ${has}`;
    const alike = name === wanted ? '' : `, which looks like ${JSON.stringify(wanted)},`;
    super('person_exists', `The name ${JSON.stringify(name)}${alike} already belongs to someone: ${who}.`, {
      hint: `If this is the same person, say so: --same-person on the command line, "samePerson": true over HTTP, and ${JSON.stringify(name)} as the name. If not, choose another name.`,
    });
    this.person = person;
  }
}

/** An account as the platform shows it. */
type Seen = Pick<Account, 'platform' | 'userID' | 'shownAs'>;

/** The lanes that lost the session that they spoke to, next to what was done. */
type ApprovedPairing = { person: Person; pairingRequest: WaitingStranger; lost: string[] };

interface PairingCodes {
  /** The requests of those who are not admitted and whose codes are valid now, oldest first. */
  waiting(): WaitingStranger[];
  /** Inside a transaction; see `AccessAdmin.approve`. */
  approve(code: string, as: LetIn): ApprovedPairing;
  /** Inside a transaction; see `AccessAdmin.admit`. */
  admit(account: string, as: LetIn): Pick<ApprovedPairing, 'person' | 'lost'>;
  /** Inside a transaction: turns away anyone who has the code. */
  deny(code: string): PairingRequest;
}

const nameForm = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u;

/** Makes, approves and denies pairing codes over a ledger; `existing` returns the person of a name, or throws. */
export function createPairingCodes({
  ledger: { persons, pairingRequests },
  now,
  existing,
}: {
  ledger: Pick<Ledger, 'persons' | 'pairingRequests'>;
  now: () => number;
  existing: (name: string) => Person;
}): PairingCodes {
  const byCode = (typed: string): PairingRequest => {
    const code = codeIn(typed);
    const pairingRequest = code === undefined ? undefined : pairingRequests.byCode(code);
    if (pairingRequest !== undefined && (pairingRequest.expiresAtMs ?? 0) > now()) return pairingRequest;
    const what =
      pairingRequest === undefined ? 'is not a code that waits' : 'has expired: codes are valid for one hour';
    throw new ParleyError('unknown_code', `${JSON.stringify(typed)} ${what}.`, {
      hint: 'Anyone who wants to be admitted writes to the bot again and is given a new one; "parley people list" shows those that wait.',
    });
  };

  /** Persons, except the one behind the account, that the display name looks like. */
  const withLooks = (pairingRequest: PairingRequest): WaitingStranger => {
    const { key } = persons.standing(pairingRequest.platform, pairingRequest.userID);
    return { ...pairingRequest, looksLike: takenFor(pairingRequest.name, key, persons.list()) };
  };

  /** The person whose account it becomes: `name`, `key` (whose account it is now), or someone new without a name. */
  const wanted = (account: Seen, { name, samePerson = false }: LetIn): string => {
    const known = persons.standing(account.platform, account.userID);
    if (known.role !== undefined && name !== undefined && name !== known.key)
      throw new ParleyError('account_known', `${idOf(account)} is an account of ${known.key} already.`, {
        hint: `Leave the name out, or take the account away first: "parley people remove ${known.key} --account ${idOf(account)}".`,
      });
    if (name === undefined) return known.key ?? persons.unnamed(account);
    if (name === known.key) return name;
    if (samePerson) return existing(name).name;
    const taken = persons.get(name) ?? persons.list().find((each) => looksLike(each.name, name));
    if (taken !== undefined) throw new PersonExists(taken, name);
    if (nameForm.test(name)) return name;
    throw new ParleyError(
      'invalid_name',
      `Expected a name of at most 40 letters, digits, spaces and . _ -, got ${JSON.stringify(name)}.`,
    );
  };

  const letIn = (account: Seen, as: LetIn): { person: Person; lost: string[] } => {
    const name = wanted(account, as);
    const known = persons.get(name)?.role;
    const { role } = as;
    if (known !== undefined && role !== undefined && known !== role)
      throw new ParleyError('role_differs', `${name} is known as ${known} already.`, {
        hint: `Leave the role out, or change it first with "parley people role ${name} ${role}".`,
      });
    const { platform, userID, shownAs } = account;
    const to = { name, role: role ?? 'member', by: 'approved' as const, at: now() };
    // someone who is admitted already, and has a code of another bot, stays what they are, by whatever made them so
    const isIn = known !== undefined && persons.standing(platform, userID).key === name;
    const lost = isIn ? [] : persons.give({ platform, userID, shownAs }, to);
    return { person: existing(name), lost };
  };

  const settle = (request: PairingRequest, state: 'approved' | 'denied'): void =>
    pairingRequests.put({
      ...request,
      ...{ state, code: undefined, expiresAtMs: undefined },
      ...(state === 'denied' ? { notifiedAtMs: now() } : {}),
    });

  return {
    waiting: () =>
      pairingRequests
        .pending(now())
        // who was joined to someone in the meantime is admitted, and so is who has a code of another bot too
        .filter(({ platform, userID }) => persons.standing(platform, userID).role === undefined)
        .map(withLooks),
    approve(code, as) {
      const pairingRequest = byCode(code);
      const looks = withLooks(pairingRequest);
      const { platform, userID, name: shownAs } = pairingRequest;
      const { person, lost } = letIn({ platform, userID, shownAs }, as);
      settle(pairingRequest, 'approved');
      return {
        person,
        pairingRequest: { ...looks, looksLike: without(looks.looksLike, person.name) },
        lost,
      };
    },
    admit(typed, as) {
      const account = persons.unlinked().find((each) => idOf(each) === typed);
      if (account === undefined)
        throw new ParleyError('unknown_account', `No account without a name is ${JSON.stringify(typed)}.`, {
          hint: 'Only an account that wrote to the bot and belongs to nobody is admitted so: one of the "others" in the list of people.',
        });
      return letIn(account, as);
    },
    deny(code) {
      const pairingRequest = byCode(code);
      settle(pairingRequest, 'denied');
      return pairingRequest;
    },
  };
}

/** An account as people type it: `discord:ID`. */
export const idOf = ({ platform, userID }: Pick<Account, 'platform' | 'userID'>): string =>
  `${platform}:${userID}`;

const without = (names: readonly string[], name: string): string[] => names.filter((each) => each !== name);
