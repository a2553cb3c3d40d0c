// Whose tokens are, through every change of who is whose: a token follows the accounts of its person, not the name.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** Runs a change of persons inside the caller's transaction, and then says of each token of a person whose it is. */
type TokenOwners = (change: () => void) => void;

interface Held {
  id: string;
  person: string;
  left: string | null;
}

/**
 * Over the tables `access_tokens`, `persons` and `identities`. The token of a person who is gone is switched off, and is valid again once
 * the accounts that the person had are one person's, by whatever name. Another person of the same name never gets it.
 */
export function createTokenOwners(database: Sqlite): TokenOwners {
  const held = database.prepare<[], Held>(
    'SELECT id, person, left_accounts AS left FROM access_tokens WHERE person IS NOT NULL AND revoked_at_ms IS NULL',
  );
  const accountsOf = database
    .prepare<[string], string>('SELECT person FROM identities WHERE linked_as = ? ORDER BY person')
    .pluck();
  const isThere = database.prepare<[string]>('SELECT 1 FROM persons WHERE name = ?');
  const ownersOf = database
    .prepare<[string], string>(
      `SELECT DISTINCT linked_as FROM identities WHERE linked_as IS NOT NULL AND person IN (SELECT value FROM json_each(?))`,
    )
    .pluck();
  const set = database.prepare<[object]>(
    'UPDATE access_tokens SET person = @person, left_accounts = @accounts WHERE id = @id',
  );
  return (change) => {
    const before = held.all().map(({ id, person, left }) => ({
      ...{ id, person },
      accounts: left ?? JSON.stringify(accountsOf.all(person)),
    }));
    change();
    for (const { id, person, accounts } of before) {
      const owners = ownersOf.all(accounts);
      const isNameless = accounts === '[]' && isThere.get(person) !== undefined;
      const owner =
        isNameless || owners.includes(person) ? person : owners.length === 1 ? owners[0] : undefined;
      set.run({ id, person: owner ?? person, accounts: owner === undefined ? accounts : null });
    }
  };
}
