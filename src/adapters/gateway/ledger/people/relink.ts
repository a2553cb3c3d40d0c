// What goes with a link between accounts: when accounts cease to be one person, sessions that are not an account's own, and codes.

import type { Bindings } from '#adapters/gateway/ledger/bindings.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { LinkCodes } from './link-codes.ts';

/**
 * Runs a change of who is whose, and in the same transaction takes away what ended with it: the sessions that are not an account's
 * own any more (see `Bindings.separate`), and the unused link codes of each person that lost an account. Returns the lanes that lost
 * the session that they spoke to. It looks at what is, not at what changed, so that it also finds a link that ended while an earlier
 * version of the program ran.
 */
export type Relink = (change: () => void) => string[];

/** Changes which accounts are one person, over the tables `identities` and `link_codes` and the bindings. */
export function createRelink(
  database: Sqlite,
  { bindings, linkCodes }: { bindings: Pick<Bindings, 'separate'>; linkCodes: Pick<LinkCodes, 'remove'> },
): Relink {
  const links = database.prepare<[], { account: string; owner: string }>(
    'SELECT person AS account, linked_as AS owner FROM identities WHERE linked_as IS NOT NULL',
  );
  return (change) => {
    const before = links.all();
    change();
    const after = new Map(links.all().map(({ account, owner }) => [account, owner]));
    const ended = new Set(
      before.filter(({ account, owner }) => after.get(account) !== owner).map(({ owner }) => owner),
    );
    for (const { account, owner } of before) if (ended.has(owner)) linkCodes.remove(account);
    return bindings.separate();
  };
}
