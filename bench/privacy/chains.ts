// Things that follow on one another, so that their rare ends are met: each step is done in a separate round, with other things between.
import type { SandboxPlatform } from '#sandbox/contract.ts';
import type { Random } from '../harness/random.ts';
import type { Cast, Room } from './cast.ts';
import type { Account, Oracle } from './oracle.ts';

/** What the steps are made of. */
export interface Deeds {
  cast: Cast;
  random: Random;
  oracle: Pick<Oracle, 'personOf'>;
  /** Someone says something new there, to the bot. */
  state(account: Account, room: Room): Promise<void>;
  /** Someone asks the bot there for all that it knows. */
  probe(account: Account, room: Room): Promise<void>;
  say(account: Account, room: Room, text: string): Promise<void>;
  save(account: Account, room: Room): Promise<void>;
  /** Asks for a code, or gives the one that another account was given. */
  link(): Promise<void>;
  unlink(): Promise<void>;
  /** Goes on with a conversation that the bot has just listed to the account. */
  resume(account: Account): Promise<void>;
  /** Every conversation of the history is distilled. */
  distill(): Promise<void>;
  importRoom(room: Room): Promise<void>;
  close(room: Room): void;
}

export type Step = () => Promise<void>;

/** Steps of a chain that can be begun now; none where there is nobody and nothing for any. */
export function beginChain(deeds: Deeds): Step[] {
  const chains = [shared, imported, renamed, saved]
    .map((chain) => chain(deeds))
    .filter(({ length }) => length > 0);
  return chains[deeds.random.int(0, Math.max(0, chains.length - 1))] ?? [];
}

/** Two accounts become one person, speak in one conversation, which is distilled, and part. */
function shared({ cast, oracle, ...deeds }: Deeds): Step[] {
  // the accounts are known once they are linked, and both still after they have parted
  let pair: readonly [Account, Account] | undefined;
  const both = (): readonly [Account, Account] | undefined => {
    const one = cast.accounts.find((account) => oracle.personOf(account).length > 1);
    const other = one && oracle.personOf(one).find((account) => account !== one);
    if (one !== undefined && other !== undefined) pair ??= [one, other];
    return pair;
  };
  const step = (deed: (account: Account, room: Room) => Promise<void>, which: 0 | 1): Step => {
    return async () => {
      const account = both()?.[which];
      if (account !== undefined) await deed(account, cast.direct(account));
    };
  };
  const says =
    (text: string) =>
    (account: Account, room: Room): Promise<void> =>
      deeds.say(account, room, text);
  return [
    ...(both() === undefined ? [deeds.link, deeds.link, deeds.link, deeds.link] : []),
    step(says('/new'), 0),
    step(deeds.state, 0),
    step(says('/sessions'), 1),
    step((account) => deeds.resume(account), 1),
    step(deeds.state, 1),
    deeds.distill,
    deeds.unlink,
    step(says('/new'), 0),
    step(says('/new'), 1),
    step(deeds.probe, 0),
    step(deeds.probe, 1),
  ];
}

/** What is written in a private thread comes into memory by an import, and others ask around it. */
function imported({ cast, random, ...deeds }: Deeds): Step[] {
  const thread = cast.rooms.find(({ kind }) => kind === 'private thread');
  const around = cast.rooms.find(({ id }) => id === thread?.parent);
  if (thread === undefined || around === undefined) return [];
  const own = cast.accounts.filter(({ platform }) => platform === thread.platform);
  const ask = own.map((account) => () => deeds.probe(account, random.pick([around, cast.direct(account)])));
  return [
    ...own.map((account) => () => deeds.state(account, thread)),
    () => deeds.importRoom(thread),
    ...ask,
  ];
}

/** A group that everyone could open is closed, which nobody reports the bot, and others ask somewhere else. */
function renamed({ cast, ...deeds }: Deeds): Step[] {
  const group = cast.rooms.find(({ kind }) => kind === 'public group');
  if (group === undefined) return [];
  const members = cast.accounts.filter(({ platform }) => platform === group.platform);
  const ask = cast.accounts.map((account) => () => deeds.probe(account, cast.direct(account)));
  return [
    ...members.map((account) => () => deeds.state(account, group)),
    async () => deeds.close(group),
    ...ask,
  ];
}

/** A note is saved in a room, and others ask on another platform. */
function saved({ cast, random, ...deeds }: Deeds): Step[] {
  const room = cast.rooms[random.int(0, Math.max(0, cast.rooms.length - 1))];
  if (room === undefined) return [];
  const on = (platform: SandboxPlatform) => cast.accounts.filter((account) => account.platform === platform);
  const others = cast.accounts.filter(({ platform }) => platform !== room.platform);
  return [
    ...on(room.platform).map((account) => () => deeds.save(account, room)),
    ...others.map((account) => () => deeds.probe(account, cast.direct(account))),
  ];
}
