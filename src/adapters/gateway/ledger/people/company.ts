// Who a thread is between: the bot and one person, or more. One short row a thread, written when it begins and when it is shared.
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface Company {
  /**
   * Notes that a person speaks in a thread; whether only the bot and this person talk there. They do not, and never again, once
   * someone else has spoken there, or a message there was addressed to someone else.
   */
  isAloneIn(event: Pick<MessageEvent, 'address' | 'actor' | 'toOthers'>, at: number): boolean;
  /** Others have spoken in the thread before the bot was called. */
  share(address: Address): void;
}

/** The table `company`: whether only one person talks with the bot in a thread, or others do too. */
export function createCompany(database: Sqlite): Company {
  const find = database.prepare<[string], { actor: string; is_shared: number }>(
    'SELECT actor, is_shared FROM company WHERE address = ?',
  );
  const insert = database.prepare(
    'INSERT INTO company (address, actor, is_shared, since_ms) VALUES (?, ?, ?, ?)',
  );
  const share = database.prepare('UPDATE company SET is_shared = 1 WHERE address = ?');
  return {
    isAloneIn({ address, actor, toOthers = false }, at) {
      const name = formatAddress(address);
      const known = find.get(name);
      if (known === undefined) insert.run(name, actor.id, toOthers ? 1 : 0, at);
      if (known?.is_shared === 1) return false;
      const isAlone = !toOthers && (known === undefined || known.actor === actor.id);
      if (!isAlone && known !== undefined) share.run(name);
      return isAlone;
    },
    share: (address) => void share.run(formatAddress(address)),
  };
}
