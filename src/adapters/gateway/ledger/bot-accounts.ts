// Which bot of the config each account on a platform is: written when the first event of a bot comes in.
import type { Platform } from '#adapters/gateway/terms/address.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface BotAccounts {
  /** The name of the bot that has the account (`Address.account`); undefined for the one without a name, and for an account of which nothing is known. */
  nameOf(platform: Platform, account: string): string | undefined;
  /** Call it in a transaction; undefined for the bot without a name. */
  learn(platform: Platform, account: string, name: string | undefined): void;
}

/** The table `bot_accounts`, read once, before the first message: one process alone writes it. */
export function createBotAccounts(database: Sqlite): BotAccounts {
  const all = database.prepare<[], { platform: string; account: string; name: string }>(
    'SELECT platform, account, name FROM bot_accounts',
  );
  const put = database.prepare(
    'INSERT INTO bot_accounts (platform, account, name) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET name = excluded.name',
  );
  const remove = database.prepare('DELETE FROM bot_accounts WHERE platform = ? AND account = ?');
  const keyOf = (platform: string, account: string): string => `${platform}:${account}`;
  const names = new Map(all.all().map(({ platform, account, name }) => [keyOf(platform, account), name]));
  return {
    nameOf: (platform, account) => names.get(keyOf(platform, account)),
    learn(platform, account, name) {
      if (name === undefined) {
        remove.run(platform, account);
        names.delete(keyOf(platform, account));
        return;
      }
      put.run(platform, account, name);
      names.set(keyOf(platform, account), name);
    },
  };
}
