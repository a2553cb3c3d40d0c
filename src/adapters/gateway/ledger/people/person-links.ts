// Changes of persons: by the config, by a code, by an operator. Each may make accounts one person or several.
import { type NamedPerson, unnamedKey } from '#adapters/gateway/terms/access-types.ts';
import type { Role } from '#adapters/gateway/terms/role.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Identities } from './identities.ts';
import type { Relink } from './relink.ts';

/** An account by the platform's own id. */
interface AccountID {
  platform: string;
  userID: string;
}

/** An account of a person. */
export interface Account extends AccountID {
  /** As memory knows it (`per_...`). */
  person: string;
  /** As the platform showed it last. */
  shownAs: string;
  /** The config, a code that was approved, or a code that the person sent from another account. */
  by: 'config' | 'approved' | 'link';
}

export interface PersonLinks {
  /**
   * Makes the config's persons exactly these; persons and accounts that were admitted since are kept. A person of that name whom a code
   * admitted, and who shares no account with the config's, is someone else, and then has no name. Returns, like everything
   * that changes whose an account is, the lanes that lost the session that they spoke to, since the accounts are no longer one person:
   * a run there must be stopped.
   */
  configure(named: Readonly<Record<string, NamedPerson>>, at: number): string[];
  /** Makes an account that person's, who is made when there is none; `role` is that of a person who is new or had none. */
  give(
    account: AccountID & { shownAs: string },
    to: { name: string; role: Role | undefined; by: 'approved' | 'link'; at: number },
  ): string[];
  /** The key of a person without a name whose first account this is. */
  unnamed(account: AccountID & { shownAs: string }): string;
  /** Of a person whom the config does not name. */
  setRole(name: string, role: Role): void;
  /** The person, and what made accounts theirs, as far as it is not the config. */
  remove(name: string): string[];
  /** One account of a person, which the config did not give them. */
  removeAccount(name: string, account: AccountID): string[];
}

/** Whether the config's person and one of the ledger have an account in common, which is what makes two persons of one name one. */
export function sharesAccount(named: NamedPerson, accounts: readonly AccountID[]): boolean {
  return accounts.some(({ platform, userID }) => named.accounts.includes(`${platform}:${userID}`));
}

/** The changes to `persons`, and to the columns of `identities` that name them. */
export function createPersonLinks(
  database: Sqlite,
  { people, relink }: { people: Pick<Identities, 'known' | 'meet'>; relink: Relink },
): PersonLinks {
  const all = database.prepare<[], { name: string; config_role: string | null }>(
    'SELECT name, config_role FROM persons ORDER BY name',
  );
  const accounts = database.prepare<[string], AccountID>(
    'SELECT platform, user_id AS userID FROM identities WHERE linked_as = ? ORDER BY person',
  );
  const ids = database.prepare<[string], { person: string }>(
    'SELECT person FROM identities WHERE linked_as = ? ORDER BY person',
  );
  const forgetConfig = [
    'UPDATE persons SET config_role = NULL WHERE config_role IS NOT NULL',
    "UPDATE identities SET linked_as = NULL, link_source = NULL WHERE link_source = 'config'",
  ].map((sql) => database.prepare(sql));
  /** A person with neither name nor role only links accounts. */
  const untie = database.prepare(
    `DELETE FROM persons WHERE substr(name, 1, 8) = 'unnamed:' AND config_role IS NULL
     AND (SELECT count(*) FROM identities WHERE linked_as = persons.name) < iif(assigned_role = 'stranger', 2, 1)`,
  );
  const tidy = [
    'DELETE FROM persons WHERE config_role IS NULL AND assigned_role IS NULL',
    'UPDATE identities SET linked_as = NULL, link_source = NULL WHERE linked_as IS NOT NULL AND linked_as NOT IN (SELECT name FROM persons)',
  ].map((sql) => database.prepare(sql));
  const keys = createUnnamedKeys(database);
  const tidyUp = (): void => {
    untie.run();
    for (const statement of tidy) statement.run();
    keys.correct();
  };
  const fromConfig = database.prepare(
    'INSERT INTO persons (name, config_role, since_ms) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET config_role = excluded.config_role',
  );
  const given = database.prepare(
    `INSERT INTO persons (name, assigned_role, since_ms) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET assigned_role = excluded.assigned_role
     WHERE excluded.assigned_role <> 'stranger' AND (assigned_role IS NULL OR assigned_role = 'stranger')`,
  );
  /** What the operator says of an account unblocks it, a code of its own does not. */
  const setLink = database.prepare<{ name: string; by: Account['by']; person: string }>(
    `UPDATE identities SET linked_as = @name, link_source = @by, blocked_at_ms = iif(@by = 'link', blocked_at_ms, NULL)
     WHERE person = @person`,
  );
  const setRole = database.prepare('UPDATE persons SET assigned_role = ? WHERE name = ?');
  const removeRow = database.prepare('DELETE FROM persons WHERE name = ? AND config_role IS NULL');
  const dropRole = database.prepare('UPDATE persons SET assigned_role = NULL WHERE name = ?');
  const unlinkOne = database.prepare(
    'UPDATE identities SET linked_as = NULL, link_source = NULL WHERE linked_as = ? AND platform = ? AND user_id = ?',
  );
  const unlink = database.prepare(
    "UPDATE identities SET linked_as = NULL, link_source = NULL WHERE linked_as = ? AND link_source <> 'config'",
  );

  /** The account as memory knows it; one that was never seen is kept for later. */
  const idOf = (platform: string, id: string, name: string): string =>
    people.known(platform, id) ?? people.meet(platform, { id, name });

  /** Persons whose name the config gives to other accounts go on without a name: a name makes nobody another person. */
  const makeRoom = (named: Readonly<Record<string, NamedPerson>>): void => {
    for (const row of all.all()) {
      const namesake = Object.hasOwn(named, row.name) ? named[row.name] : undefined;
      if (namesake === undefined || row.config_role !== null) continue;
      const [first] = ids.all(row.name);
      if (first === undefined) removeRow.run(row.name);
      else if (!sharesAccount(namesake, accounts.all(row.name))) keys.unname(row.name, first.person);
    }
  };

  return {
    configure: (named, at) =>
      relink(() => {
        makeRoom(named);
        for (const statement of forgetConfig) statement.run();
        for (const [name, { role, accounts: own }] of Object.entries(named)) {
          fromConfig.run(name, role, at);
          for (const account of own) {
            const colon = account.indexOf(':');
            const person = idOf(account.slice(0, colon), account.slice(colon + 1), name);
            setLink.run({ name, by: 'config', person });
          }
        }
        tidyUp();
      }),
    give: ({ platform, userID, shownAs }, { name, role, by, at }) =>
      relink(() => {
        given.run(name, role ?? 'stranger', at);
        setLink.run({ name, by, person: idOf(platform, userID, shownAs) });
        if (by === 'approved') tidyUp(); // a code joins two accounts one after the other
      }),
    unnamed: ({ platform, userID, shownAs }) => unnamedKey(idOf(platform, userID, shownAs)),
    setRole(name, role) {
      setRole.run(role, name);
    },
    remove: (name) =>
      relink(() => {
        dropRole.run(name);
        unlink.run(name);
        tidyUp();
      }),
    removeAccount: (name, { platform, userID }) =>
      relink(() => {
        unlinkOne.run(name, platform, userID);
        tidyUp();
      }),
  };
}

/** The keys of persons without a name: each is of an account that is theirs. */
function createUnnamedKeys(database: Sqlite) {
  const rename = [
    'UPDATE persons SET name = @now WHERE name = @name',
    'UPDATE identities SET linked_as = @now WHERE linked_as = @name',
  ].map((sql) => database.prepare<{ name: string; now: string }>(sql));
  const misnamed = database.prepare<[], { name: string; first: string }>(
    `SELECT linked_as AS name, min(person) AS first FROM identities
     WHERE substr(linked_as, 1, 8) = 'unnamed:' GROUP BY linked_as HAVING sum('unnamed:' || person = linked_as) = 0`,
  );
  const give = (name: string, now: string): void => {
    for (const statement of rename) statement.run({ name, now });
  };
  return {
    /** Takes the person's name away. */
    unname: (name: string, account: string): void => give(name, unnamedKey(account)),
    /** Gives another key to persons who lost the account that theirs is of: its next admission would make it theirs again. */
    correct(): void {
      const found = misnamed.all();
      // the key that one of them is to have may be another's still
      for (const { name } of found) give(name, `${name} `);
      for (const { name, first } of found) give(`${name} `, unnamedKey(first));
    },
  };
}
