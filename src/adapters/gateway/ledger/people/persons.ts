// Persons by the name that the operator gave them, or by a key: their roles, and the accounts that are theirs. Accounts are the platforms' own ids, never display names.
import { type AccountRole, isUnnamed } from '#adapters/gateway/terms/access-types.ts';
import type { Role } from '#adapters/gateway/terms/role.ts';
import { isSharedName } from '#adapters/gateway/terms/shared-names.ts';
import { openSqliteReader, type Sqlite } from '#base/sqlite/sqlite.ts';
import { createIdentities, type Identities } from './identities.ts';
import { type Account, createPersonLinks, type PersonLinks } from './person-links.ts';
import { isPerson, type PersonRow, roleIn } from './person-row.ts';
import type { Relink } from './relink.ts';

export interface Person {
  /** The name, or the key of a person without a name (`unnamed:per_...`): what commands take. */
  name: string;
  /** Undefined for one that nobody admitted: who has only linked their own accounts. */
  role: Role | undefined;
  /** Whether the config names the person, who is then changed there. */
  inConfig: boolean;
  sinceMs: number;
  accounts: Account[];
}

/** An account that the operator blocked. */
export type BlockedAccount = Omit<Account, 'by'> & { blockedAtMs: number };

export interface Persons extends PersonLinks {
  /** Nobody's for a name that several people write under. */
  standing(platform: string, userID: string): AccountRole;
  /** By the account as memory knows it (`per_...`). */
  standingOf(person: string): AccountRole & { platform: string; userID: string; shownAs: string };
  get(name: string): Person | undefined;
  /** By name. */
  list(): Person[];
  /** Accounts that nobody has named, the newest first, at most 50. */
  unlinked(): Omit<Account, 'by'>[];
  /** Accounts that are answered nothing, those that were blocked last first. */
  blocked(): BlockedAccount[];
  /** Blocks an account that was met, at a time; null unblocks it. */
  block(account: { platform: string; userID: string }, at: number | null): void;
  /** The account as memory knows it (`per_...`), of each account of the person. */
  idsOf(name: string): string[];
}

/** Everyone in a ledger that others may have open; throws SQLite's own error. */
export function readPersons(path: string): Person[] {
  const database = openSqliteReader({ path });
  try {
    const refuse = (): never => {
      throw new Error('a ledger that is only read is not changed');
    };
    return createPersons(database, { people: createIdentities(database, refuse), relink: refuse }).list();
  } finally {
    database.close();
  }
}

/** The table `persons`, and the columns of `identities` that name them. */
export function createPersons(
  database: Sqlite,
  links: { people: Pick<Identities, 'known' | 'meet'>; relink: Relink },
): Persons {
  const columns = 'p.name, p.config_role, p.assigned_role, p.since_ms';
  const joined = 'FROM identities i JOIN persons p ON p.name = i.linked_as';
  const byAccount = database.prepare<
    [string, string],
    { [Key in keyof PersonRow]: PersonRow[Key] | null } & { blocked_at_ms: number | null }
  >(
    `SELECT ${columns}, i.blocked_at_ms FROM identities i LEFT JOIN persons p ON p.name = i.linked_as
     WHERE i.platform = ? AND i.user_id = ?`,
  );
  const byID = database.prepare<[string], PersonRow>(`SELECT ${columns} ${joined} WHERE i.person = ?`);
  const identity = database.prepare<[string], { platform: string; userID: string; shownAs: string }>(
    'SELECT platform, user_id AS userID, name AS shownAs FROM identities WHERE person = ?',
  );
  const one = database.prepare<[string], PersonRow>(`SELECT ${columns} FROM persons p WHERE p.name = ?`);
  const all = database.prepare<[], PersonRow>(`SELECT ${columns} FROM persons p ORDER BY p.name`);
  const accounts = database.prepare<[string], Account>(
    `SELECT person, platform, user_id AS userID, name AS shownAs, link_source AS by FROM identities WHERE linked_as = ? ORDER BY person`,
  );
  const unlinked = database.prepare<[], Omit<Account, 'by'>>(
    `SELECT person, platform, user_id AS userID, name AS shownAs FROM identities
     WHERE linked_as IS NULL AND blocked_at_ms IS NULL ORDER BY person DESC LIMIT 50`,
  );
  const blocked = database.prepare<[], BlockedAccount>(
    `SELECT person, platform, user_id AS userID, name AS shownAs, blocked_at_ms AS blockedAtMs FROM identities
     WHERE blocked_at_ms IS NOT NULL ORDER BY blocked_at_ms DESC, person`,
  );
  const block = database.prepare(
    'UPDATE identities SET blocked_at_ms = ? WHERE platform = ? AND user_id = ?',
  );
  const ids = database.prepare<[string], { person: string }>(
    'SELECT person FROM identities WHERE linked_as = ? ORDER BY person',
  );
  const standing = (row: PersonRow | undefined): AccountRole => ({
    key: row?.name,
    name: row === undefined || isUnnamed(row.name) ? undefined : row.name,
    role: row === undefined ? undefined : roleIn(row),
  });
  const personOf = (row: PersonRow): Person => ({
    name: row.name,
    role: roleIn(row),
    inConfig: row.config_role !== null,
    sinceMs: row.since_ms,
    accounts: accounts.all(row.name),
  });

  return {
    ...createPersonLinks(database, links),
    standing(platform, userID) {
      const row = isSharedName({ platform, userID }) ? undefined : byAccount.get(platform, userID);
      const isBlocked = row !== undefined && row.blocked_at_ms !== null;
      return { ...standing(isPerson(row) ? row : undefined), ...(isBlocked && { blocked: true }) };
    },
    standingOf(person) {
      const account = identity.get(person) ?? { platform: '', userID: '', shownAs: '' };
      return { ...account, ...standing(isSharedName(account) ? undefined : byID.get(person)) };
    },
    unlinked: () => unlinked.all().filter((account) => !isSharedName(account)),
    blocked: () => blocked.all(),
    block: ({ platform, userID }, at) => void block.run(at, platform, userID),
    get(name) {
      const row = one.get(name);
      return row && personOf(row);
    },
    list: () => all.all().map(personOf),
    idsOf: (name) => ids.all(name).map(({ person }) => person),
  };
}
