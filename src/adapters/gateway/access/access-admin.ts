// What an operator, or an owner in a chat, does about people: admitted, turn away, name, remove.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { PairingRequest } from '#adapters/gateway/ledger/pairing-requests.ts';
import type { Account, Person, Persons } from '#adapters/gateway/ledger/persons.ts';
import { ParleyError } from '#base/errors.ts';
import { codeIn } from './code.ts';
import { type Limit, type Used, usedBy } from './limits.ts';
import { looksLike, takenFor } from './look-alike.ts';
import { type Role, withArticle } from './role.ts';

/** A stranger who waits; `looksLike` names persons for one of whom the display name could be taken. */
export type Waiting = PairingRequest & { looksLike: string[] };

/** Who is admitted, and how: see `approve`. */
export interface LetIn {
  /** Undefined admits someone without a name. */
  name: string | undefined;
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

export interface AccessAdmin {
  /**
   * Everyone who has a name or a role or more than one account, the codes that are good now, oldest first, and other accounts that
   * were met; with what each used within the last day, and what each may use.
   */
  list(): Promise<{
    people: (Person & { used: Used })[];
    pending: Waiting[];
    others: (ReturnType<Persons['unlinked']>[number] & { used: Used })[];
    limits: Limit;
  }>;
  /** A ParleyError `unknown_person` when there is none of this name. */
  show(name: string): Promise<Person>;
  /**
   * Admits the person who has the code, as a new person of that name, or with `samePerson` as the person who has that name. A ParleyError
   * `unknown_code` for a code that is not good (any more), `person_exists` for a name that someone has, or that looks like one,
   * `unknown_person` for `samePerson` with a name that nobody has, `account_known` for an account of someone else who is admitted,
   * `role_differs` for a person who has another role.
   */
  approve(code: string, as: LetIn): Promise<{ person: Person; pairingRequest: Waiting }>;
  /** Turns away the person who has the code. */
  deny(code: string): Promise<PairingRequest>;
  /** Takes a person's roles and accounts away; their accounts are strangers' accounts then. */
  remove(name: string): Promise<void>;
  /**
   * Takes one account (`platform:id`) away from a person, also from one of the config as far as the config does not list the account.
   * A ParleyError `unknown_account` for one that is not theirs, `person_in_config` for one that the config lists.
   */
  removeAccount(name: string, account: string): Promise<void>;
  setRole(name: string, role: Role): Promise<Person>;
}

export interface AccessAdminOptions {
  ledger: Pick<Ledger, 'persons' | 'pairingRequests' | 'inbox' | 'turnUsage' | 'commit'>;
  now: () => number;
  /** What a person who is no owner may use within a day. */
  limits: () => Limit;
  /** Called when someone was admitted. */
  approved?: () => void;
  /** Called with the lanes that lost the session that they spoke to. */
  separated?: (lanes: readonly string[]) => void;
}

const nameForm = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u;

/** The access admin over a ledger. */
export function createAccessAdmin({
  ledger,
  now,
  limits,
  approved = () => {},
  separated = () => {},
}: AccessAdminOptions): AccessAdmin {
  const { persons, pairingRequests } = ledger;

  const existing = (name: string): Person => {
    const person = persons.get(name);
    if (person !== undefined) return person;
    throw new ParleyError('unknown_person', `There is nobody of the name ${JSON.stringify(name)}.`, {
      hint: '"parley people list" names everyone.',
    });
  };

  const changeable = (name: string): Person => {
    const person = existing(name);
    if (!person.inConfig) return person;
    throw new ParleyError('person_in_config', `${name} is named in the config, under "people".`, {
      hint: 'Change it there; a Parley that runs reads it on its own. An account that a code brought can be removed on its own (--account).',
    });
  };

  const knockOf = (typed: string): PairingRequest => {
    const code = codeIn(typed);
    const pairingRequest = code === undefined ? undefined : pairingRequests.byCode(code);
    if (pairingRequest !== undefined && (pairingRequest.expiresAtMs ?? 0) > now()) return pairingRequest;
    const what =
      pairingRequest === undefined ? 'is not a code that waits' : 'has expired: codes are valid for one hour';
    throw new ParleyError('unknown_code', `${JSON.stringify(typed)} ${what}.`, {
      hint: 'Anyone who wants to be admitted writes to the bot again and is given a new one; "parley people list" shows those that wait.',
    });
  };

  /** Persons other than the one behind the account for whom someone of that display name could be taken. */
  const withLooks = (pairingRequest: PairingRequest): Waiting => {
    const { key } = persons.standing(pairingRequest.platform, pairingRequest.userID);
    return { ...pairingRequest, looksLike: takenFor(pairingRequest.name, key, persons.list()) };
  };

  /** The person whose account it becomes: `name`, `key` (whose account it is now), or someone new without a name. */
  const wanted = (pairingRequest: PairingRequest, { name, samePerson = false }: LetIn): string => {
    const known = persons.standing(pairingRequest.platform, pairingRequest.userID);
    const account = {
      platform: pairingRequest.platform,
      userID: pairingRequest.userID,
      shownAs: pairingRequest.name,
    };
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

  return {
    async list() {
      const at = { ledger, now: now() };
      return {
        people: persons.list().map((each) => {
          const used = usedBy(
            each.accounts.map(({ person }) => person),
            at,
          );
          return { ...each, used };
        }),
        pending: pairingRequests.pending(at.now).map(withLooks),
        others: persons.unlinked().map((each) => ({ ...each, used: usedBy([each.person], at) })),
        limits: limits(),
      };
    },
    show: async (name) => existing(name),
    async approve(code, as) {
      const { lost, ...done } = await ledger.commit(() => {
        const pairingRequest = knockOf(code);
        const name = wanted(pairingRequest, as);
        const known = persons.get(name)?.role;
        const { role } = as;
        if (known !== undefined && role !== undefined && known !== role)
          throw new ParleyError('role_differs', `${name} is known as ${known} already.`, {
            hint: `Leave the role out, or change it first with "parley people role ${name} ${role}".`,
          });
        const looks = withLooks(pairingRequest);
        const account = {
          platform: pairingRequest.platform,
          userID: pairingRequest.userID,
          shownAs: pairingRequest.name,
        };
        const to = { name, role: role ?? 'member', by: 'approved' as const, at: now() };
        // who is admitted already, and has a code of another bot, stays what they are by whatever made them so
        const isIn =
          known !== undefined &&
          persons.standing(pairingRequest.platform, pairingRequest.userID).key === name;
        const gone = isIn ? [] : persons.give(account, to);
        pairingRequests.put({
          ...pairingRequest,
          state: 'approved',
          code: undefined,
          expiresAtMs: undefined,
        });
        const person = existing(name);
        return {
          person,
          pairingRequest: { ...looks, looksLike: without(looks.looksLike, name) },
          lost: gone,
        };
      });
      separated(lost);
      approved();
      return done;
    },
    deny: (code) =>
      ledger.commit(() => {
        const pairingRequest = knockOf(code);
        pairingRequests.put({
          ...pairingRequest,
          state: 'denied',
          code: undefined,
          expiresAtMs: undefined,
          toldAtMs: now(),
        });
        return pairingRequest;
      }),
    async remove(name) {
      const lost = await ledger.commit(() => {
        changeable(name);
        return persons.remove(name);
      });
      separated(lost);
    },
    async removeAccount(name, typed) {
      const lost = await ledger.commit(() => {
        const { accounts } = existing(name);
        const account = accounts.find((each) => idOf(each) === typed);
        if (account === undefined)
          throw new ParleyError('unknown_account', `${name} has no account ${JSON.stringify(typed)}.`, {
            hint: `Choose one of ${accounts.map(idOf).join(', ') || 'none'}.`,
          });
        if (account.by === 'config')
          throw new ParleyError(
            'person_in_config',
            `The config lists ${typed} under "people", for ${name}.`,
            {
              hint: 'Take it out there; a Parley that runs reads it on its own.',
            },
          );
        return persons.removeAccount(name, account);
      });
      separated(lost);
    },
    setRole: (name, role) =>
      ledger.commit(() => {
        changeable(name);
        persons.setRole(name, role);
        return existing(name);
      }),
  };
}

const idOf = ({ platform, userID }: Pick<Account, 'platform' | 'userID'>): string => `${platform}:${userID}`;

const without = (names: readonly string[], name: string): string[] => names.filter((each) => each !== name);
