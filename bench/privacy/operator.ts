// What the person who runs the program does in a history. Not when.

import { codeOf } from '#base/errors.ts';
import type { ParleyClient } from '#engine/client/client.ts';
import { writtenKinds } from '#engine/wire/memory/memory.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import type { Random } from '../harness/random.ts';
import type { Account } from './oracle.ts';
import type { Running } from './running.ts';

export interface Operator {
  client: () => ParleyClient;
  /** Takes one account away from the person that it was linked to. */
  unlink(account: Account): Promise<void>;
  /** Admits the account, if it waits for that, by a name that someone else may have. */
  letIn(account: Account, name: string): Promise<void>;
  /** Changes a record over HTTP; what was done, or undefined where there was none. */
  govern(random: Random, tag: string): Promise<string | undefined>;
  /** Whether memory has the word, in whichever audience. */
  remembers(word: string): Promise<boolean>;
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
    async govern(random, tag) {
      const { memory } = running.client();
      const { audiences } = await memory.audiences();
      const audience = audiences[random.int(0, Math.max(0, audiences.length - 1))]?.audience;
      if (audience === undefined) return undefined;
      const records = (await memory.list({ audience, limit: 100 })).items.filter(({ source_type: kind }) =>
        (writtenKinds as readonly string[]).includes(kind),
      );
      const record = records[random.int(0, Math.max(0, records.length - 1))];
      if (record === undefined) return undefined;
      const { id, content } = record;
      const act = random.pick(['pin', 'version', 'report', 'forget'] as const);
      if (act === 'pin') await memory.pin({ id, audience, pinned: random.chance(0.7) });
      if (act === 'version') {
        const { kind = 'note' } = { kind: writtenKinds.find((each) => each === record.source_type) };
        const now = { kind, tags: [tag], pinned: random.chance(0.5), supersedes: id };
        await memory.put(`${content} It is so.`, { audience, ...now });
      }
      if (act === 'report' && record.source_type === 'procedure')
        await memory.signal({ id, audience, outcome: random.pick(['success', 'failure']) });
      if (act === 'forget') await memory.forget({ audience, tag, apply: true });
      return `the operator: ${act} of ${id} in ${audience}, tag ${tag}`;
    },
    async remembers(word) {
      const { memory } = running.client();
      for (const { audience } of (await memory.audiences()).audiences)
        if ((await memory.list({ audience, q: word, limit: 1 })).items.length > 0) return true;
      return false;
    },
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
      await accessAdmin.removeAccount({ name: person.name, account });
    },
    async letIn(account, name) {
      const { accessAdmin } = running.parley().gateway;
      const { pending } = await accessAdmin.list();
      const code = pending.find(
        ({ platform, userID }) => platform === account.platform && userID === account.id,
      )?.code;
      if (code === undefined) return;
      await accessAdmin.approve({ code, name }).catch(async (error: unknown) => {
        if (codeOf(error) !== 'person_exists') throw error;
        await accessAdmin.approve({ code });
      });
    },
  };
}
