// Who is an owner, by the config and by what was approved since; read next to a Parley that may run. Changes nothing.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sharesAccount } from '#adapters/gateway/ledger/people/person-links.ts';
import type { Person } from '#adapters/gateway/ledger/people/persons.ts';
import type { LoadedConfig } from '#app/config/load.ts';

/** It brings SQLite, which a home folder without a ledger does not need. */
const personsFile = () => import('#adapters/gateway/ledger/people/persons.ts');

interface Owner {
  name: string;
  /** Where they have an account. */
  platforms: string[];
}

/** The owners by name, of the config and the ledger. Throws SQLite's error when the ledger cannot be read. */
export async function ownersOf({ config, home }: Pick<LoadedConfig, 'config' | 'home'>): Promise<Owner[]> {
  const path = join(home, 'gateway.sqlite');
  const saved = existsSync(path) ? (await personsFile()).readPersons(path) : [];
  const { people } = config;
  // what the ledger has from the config is that of the last start; a name alone makes nobody the config's person
  const own = (person: Person): boolean => {
    const named = Object.hasOwn(people, person.name) ? people[person.name] : undefined;
    return named !== undefined && (person.inConfig || sharesAccount(named, person.accounts));
  };
  const named = Object.entries(people).map(([name, { role, accounts }]) => {
    const since = saved.filter((each) => each.name === name && own(each)).flatMap(sinceOf);
    return { name, role, accounts: [...accounts, ...since] };
  });
  const others = saved
    .filter((each) => !own(each) && !each.inConfig)
    .map((each) => ({ name: each.name, role: each.role, accounts: sinceOf(each) }));
  return [...named, ...others]
    .filter(({ role }) => role === 'owner')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, accounts }) => ({
      name,
      platforms: [...new Set(accounts.map((account) => account.slice(0, account.indexOf(':'))))],
    }));
}

/** The accounts that a code brought. */
function sinceOf({ accounts }: Person): string[] {
  return accounts.flatMap(({ by, platform, userID }) => (by === 'config' ? [] : `${platform}:${userID}`));
}
