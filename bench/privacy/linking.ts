// Accounts of a history that become one person, and that cease to be one: by codes in private, and by the operator.
import type { SandboxPlatform } from '#sandbox/contract.ts';
import type { PlaceMessage, Places } from '#sandbox/places.ts';
import type { Random } from '../harness/random.ts';
import type { Cast, Room } from './cast.ts';
import type { Operator } from './operator.ts';
import type { Account, Oracle } from './oracle.ts';

/** Says something to the bot. */
export type Say = (account: Account, room: Room, text: string) => Promise<void>;

export interface LinkingOptions {
  cast: Cast;
  random: Random;
  places: Readonly<Record<SandboxPlatform, Places>>;
  oracle: Pick<Oracle, 'linked' | 'personOf'>;
  operator: Pick<Operator, 'unlink'>;
  say: Say;
}

/** Which accounts are one person, as the history changes it. */
export class Linking {
  readonly #of: LinkingOptions;
  /** A code was given to the bot; `since` messages were in the taker's direct message then. */
  #linking: { giver: Account; taker: Account; since: number } | undefined;

  constructor(options: LinkingOptions) {
    this.#of = options;
  }

  #direct(account: Account): PlaceMessage[] {
    return this.#of.places[account.platform].messages(this.#of.cast.direct(account).id);
  }

  /** The bot's newest words in an account's direct message. */
  #answerTo(account: Account): string {
    return this.#direct(account).findLast(({ author }) => author !== account.id)?.text ?? '';
  }

  /** Asks for a code, or gives the one that another account was given in its last answer. Of a pair the first asks, and the second gives. */
  async link(pair?: readonly [Account, Account]): Promise<void> {
    const code = /[/!]link ([A-Z0-9-]{6,})/;
    const [first, second] = pair ?? [];
    const giver = (first === undefined ? this.#of.cast.accounts : [first]).find((one) =>
      code.test(this.#answerTo(one)),
    );
    const taker =
      second ?? this.#of.cast.accounts.find((one) => one !== giver && this.#of.random.chance(0.4));
    if (giver === undefined || taker === undefined) {
      const account = first ?? this.#of.cast.someone();
      await this.#of.say(account, this.#of.cast.direct(account), '/link');
      return;
    }
    const [, given = ''] = code.exec(this.#answerTo(giver)) ?? [];
    const since = this.#direct(taker).length;
    await this.#of.say(taker, this.#of.cast.direct(taker), `/link ${given} yes`);
    this.#linking = { giver, taker, since };
  }

  /** Takes in what became of the last step, once everything is answered. */
  settled(): void {
    const { oracle } = this.#of;
    if (this.#linking === undefined) return;
    const { giver, taker, since } = this.#linking;
    if (
      !this.#direct(taker)
        .slice(since)
        .some(({ text }) => text.startsWith('Done'))
    )
      return;
    this.#linking = undefined;
    oracle.linked([...new Set([...oracle.personOf(giver), ...oracle.personOf(taker)])]);
    this.#of.cast.log.push(`${giver.platform} ${giver.id} and ${taker.platform} ${taker.id} are linked`);
  }

  async unlink(): Promise<void> {
    const { oracle, operator } = this.#of;
    const account = this.#of.cast.accounts.find((one) => oracle.personOf(one).length > 1);
    if (account === undefined) return;
    await operator.unlink(account);
    oracle.linked(oracle.personOf(account).filter((one) => one !== account));
    oracle.linked([account]);
    this.#of.cast.log.push(`${account.platform} ${account.id} is un-linked`);
  }

  async resume(account: Account): Promise<void> {
    const ids = [...this.#answerTo(account).matchAll(/^[-•] `?(\w{6,})`? /gm)].map(([, id]) => id);
    const text = ids.length === 0 ? '/sessions' : `/resume ${ids[this.#of.random.int(0, ids.length - 1)]}`;
    await this.#of.say(account, this.#of.cast.direct(account), text);
  }
}
