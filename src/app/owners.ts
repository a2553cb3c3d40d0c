// Who is an owner, by the config and by what was approved since; read beside a Parley that may run. Changes nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Person, readPersons } from '#adapters/gateway/ledger/persons.ts';
import type { Loaded } from './config/load.ts';

export interface Owner {
  name: string;
  /** Where they have an account. */
  platforms: string[];
}

/** The owners by name; a ledger that cannot be read throws as SQLite does. */
export function ownersOf({ config, home }: Pick<Loaded, 'config' | 'home'>): Owner[] {
  const path = join(home, 'gateway.sqlite');
  const kept = existsSync(path) ? readPersons(path) : [];
  const names = new Set([...Object.keys(config.people), ...kept.map(({ name }) => name)]);
  return [...names].sort().flatMap(
    (name) =>
      ownerOf(
        name,
        config,
        kept.find((each) => each.name === name),
      ) ?? [],
  );
}

function ownerOf(name: string, { people }: Loaded['config'], kept: Person | undefined): Owner | undefined {
  const named = Object.hasOwn(people, name) ? people[name] : undefined;
  // what the ledger has from the config is that of the last start
  const since = kept?.accounts.filter(({ by }) => by !== 'config') ?? [];
  const role = named?.role ?? (kept?.inConfig === true ? undefined : kept?.role);
  if (role !== 'owner') return undefined;
  const platforms = [
    ...(named?.accounts ?? []).map((account) => account.slice(0, account.indexOf(':'))),
    ...since.map(({ platform }) => platform),
  ];
  return { name, platforms: [...new Set(platforms)] };
}
