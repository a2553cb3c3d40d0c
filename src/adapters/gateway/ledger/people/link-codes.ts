// Codes by which people join their accounts: one for each account, used once.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

interface LinkCode {
  code: string;
  /** The account that made it. */
  person: string;
  expiresAtMs: number;
}

export interface LinkCodes {
  get(code: string): LinkCode | undefined;
  /** In the place of an earlier one of this account. */
  put(code: LinkCode): void;
  remove(person: string): void;
}

/** The table `link_codes`. */
export function createLinkCodes(database: Sqlite): LinkCodes {
  const get = database.prepare<[string], LinkCode>(
    'SELECT code, person, expires_at_ms AS expiresAtMs FROM link_codes WHERE code = ?',
  );
  const put = database.prepare(
    'INSERT OR REPLACE INTO link_codes (person, code, expires_at_ms) VALUES (?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM link_codes WHERE person = ?');
  return {
    get: (code) => get.get(code),
    put({ person, code, expiresAtMs }) {
      put.run(person, code, expiresAtMs);
    },
    remove(person) {
      remove.run(person);
    },
  };
}
