// The person who says a command, with all of their linked accounts.
import type { CommandCall } from '#adapters/gateway/commands/command-context.ts';

interface Self {
  /** As memory knows the accounts (`per_...`). */
  persons: string[];
  /** These, and the accounts as imported histories name them (`platform:ID`). */
  keys: string[];
  accounts: { account: string; shown_as: string; name: string | undefined; role: string | undefined }[];
}

/** The person who gave a command, with the ids of all their accounts. */
export function selfOf({ ledger, row }: Pick<CommandCall, 'ledger' | 'row'>): Self {
  const { name } = ledger.persons.standingOf(row.person);
  const persons = [...new Set([row.person, ...(name === undefined ? [] : ledger.persons.idsOf(name))])];
  const accounts = persons.map((person) => {
    const standing = ledger.persons.standingOf(person);
    return {
      account: `${standing.platform}:${standing.userID}`,
      shown_as: standing.shownAs,
      name: standing.name,
      role: standing.role,
    };
  });
  return { persons, keys: [...persons, ...accounts.map(({ account }) => account)], accounts };
}
