// What anyone who runs the program does in a history. Not when.

import { codeOf } from '#base/errors.ts';
import type { ParleyClient } from '#engine/client/client.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import type { Account } from './oracle.ts';
import type { Running } from './running.ts';

export interface Operator {
  client: () => ParleyClient;
  /** Takes one account away from the person that it was linked to. */
  unlink(account: Account): Promise<void>;
  /** Lets in one of these who waits for it, by a name that someone else may have. */
  letIn(accounts: readonly Account[], name: string): Promise<void>;
  folder: string;
  /** The bot's account on Discord. */
  discordBot: string;
}

/** The operator of a running program. */
export function operatorOf(running: Running): Operator {
  return {
    client: running.client,
    folder: running.folder,
    discordBot: running.sandbox.discord.botID,
    async unlink({ platform, id }: Account) {
      const { accessAdmin } = running.parley().gateway;
      const { people } = await accessAdmin.list();
      const account = `${platform}:${id}`;
      const person = people.find(({ accounts }) =>
        accounts.some(
          (one) => `${one.platform satisfies string as SandboxPlatform}:${one.userID}` === account,
        ),
      );
      if (person === undefined) throw new Error(`The program does not know ${account} as linked.`);
      await accessAdmin.removeAccount(person.name, account);
    },
    async letIn(accounts, name) {
      const { accessAdmin } = running.parley().gateway;
      const { pending } = await accessAdmin.list();
      const known = (one: (typeof pending)[number]): boolean =>
        accounts.some(({ platform, id }) => platform === one.platform && id === one.userID);
      const code = pending.find(known)?.code;
      if (code === undefined) return;
      await accessAdmin.approve(code, { name }).catch(async (error: unknown) => {
        if (codeOf(error) !== 'person_exists') throw error;
        await accessAdmin.approve(code, { name: undefined });
      });
    },
  };
}
