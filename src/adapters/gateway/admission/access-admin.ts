// What an operator, or an owner in a chat, does about people: admit, refuse, name, remove.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { BlockedAccount, Person } from '#adapters/gateway/ledger/people/persons.ts';
import { parseAddress } from '#adapters/gateway/terms/address.ts';
import { isSharedName } from '#adapters/gateway/terms/shared-names.ts';
import { ParleyError } from '#base/errors.ts';
import type { AccessAdmin } from '#engine/wire/channels/channel-operations.ts';
import { type Limits, usedBy, usedOfAssistants } from './limits.ts';
import { createPairingCodes, idOf } from './pairing-codes.ts';

interface AccessAdminOptions {
  ledger: Pick<
    Ledger,
    | 'persons'
    | 'identities'
    | 'placeNames'
    | 'linkCodes'
    | 'pairingRequests'
    | 'inbox'
    | 'turnUsage'
    | 'commit'
  >;
  now: () => number;
  /** What who is no owner may use within a day. */
  limits: () => Limits;
  /** The names of the assistants, the usual one first. */
  assistants: () => readonly string[];
  /** Called when someone was admitted. */
  approved?: () => void;
  /** Called with the lanes that lost the session that they spoke to. */
  separated?: (lanes: readonly string[]) => void;
}

/** Rooms of one person that a list names. */
const maxSeenIn = 3;

/** Lists people and pairing requests, admits, denies, changes roles and removes, over a ledger. */
export function createAccessAdmin({
  ledger,
  now,
  limits,
  assistants,
  approved = () => {},
  separated = () => {},
}: AccessAdminOptions): AccessAdmin {
  const { persons, identities, placeNames } = ledger;

  const existing = (name: string): Person => {
    const person = persons.get(name);
    if (person !== undefined) return person;
    throw new ParleyError('unknown_person', `There is nobody of the name ${JSON.stringify(name)}.`, {
      hint: '"parley people list" names everyone.',
    });
  };

  const codes = createPairingCodes({ ledger, now, existing });

  const changeable = (name: string): Person => {
    const person = existing(name);
    if (!person.inConfig) return person;
    throw new ParleyError('person_in_config', `${name} is named in the config, under "people".`, {
      hint: 'Change it there; a Parley that runs reads it on its own. An account that a code brought can be removed on its own (--account).',
    });
  };

  /** Rooms by their titles, the latest first. */
  const seenIn = (accounts: readonly { person: string }[]): string[] =>
    identities
      .sightings(
        accounts.map(({ person }) => person),
        maxSeenIn,
      )
      .map(({ audience }) => placeNames.titleOf(parseAddress(audience.replace(/^room:/, ''))));

  return {
    async list() {
      const at = { ledger, now: now() };
      return {
        people: persons.list().map((each) => {
          const used = usedBy(
            each.accounts.map(({ person }) => person),
            at,
          );
          return { ...each, used, seenIn: seenIn(each.accounts) };
        }),
        pending: codes.waiting(),
        others: persons
          .unlinked()
          .map((each) => ({ ...each, used: usedBy([each.person], at), seenIn: seenIn([each]) })),
        blocked: persons.blocked(),
        limits: limits().person,
        assistants: usedOfAssistants(assistants(), { ...at, limits: limits() }),
      };
    },
    show: async ({ name }) => existing(name),
    async approve({ code, ...as }) {
      const { lost, ...done } = await ledger.commit(() => codes.approve(code, as));
      separated(lost);
      approved();
      return done;
    },
    async admit({ account, ...as }) {
      const { lost, person } = await ledger.commit(() => codes.admit(account, as));
      separated(lost);
      return person;
    },
    deny: ({ code }) => ledger.commit(() => codes.deny(code)),
    async remove({ name }) {
      const lost = await ledger.commit(() => {
        changeable(name);
        return persons.remove(name);
      });
      separated(lost);
    },
    async removeAccount({ name, account: typed }) {
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
    setRole: ({ name, role }) =>
      ledger.commit(() => {
        changeable(name);
        persons.setRole(name, role);
        return existing(name);
      }),
    ...createBlocking({ ledger, now }),
  };
}

/** Blocks accounts of nobody, and unblocks them. */
function createBlocking({
  ledger,
  now,
}: Pick<AccessAdminOptions, 'ledger' | 'now'>): Pick<AccessAdmin, 'block' | 'unblock'> {
  const { persons, identities, linkCodes, pairingRequests } = ledger;
  const blockedOf = (typed: string): BlockedAccount => {
    const account = persons.blocked().find((each) => idOf(each) === typed);
    if (account === undefined) throw noAccount(typed, 'is blocked');
    return account;
  };

  return {
    block: ({ account: typed }) =>
      ledger.commit(() => {
        const [platform = '', userID = ''] = typed.split(/:(.*)/s);
        const account = { platform, userID };
        const { key } = persons.standing(platform, userID);
        if (key !== undefined)
          throw new ParleyError('account_known', `${typed} is an account of ${key}.`, {
            hint: `Take it away first: "parley people remove ${key} --account ${typed}".`,
          });
        const asked = pairingRequests.removeOf(account);
        const person =
          identities.known(platform, userID) ??
          (asked === undefined ? undefined : identities.meet(platform, { id: userID, name: asked }));
        if (person === undefined || isSharedName(account)) throw noAccount(typed, 'has written to the bot');
        linkCodes.remove(person);
        persons.block(account, now());
        return blockedOf(typed);
      }),
    unblock: ({ account: typed }) =>
      ledger.commit(() => {
        const account = blockedOf(typed);
        persons.block(account, null);
        return account;
      }),
  };
}

function noAccount(typed: string, what: string): ParleyError {
  return new ParleyError('unknown_account', `No account ${JSON.stringify(typed)} ${what}.`, {
    hint: 'Name it as PLATFORM:ID; "parley people list" shows the accounts that were seen, and those that are blocked.',
  });
}
