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
  /** The same at a length that is worth distilling. */
  stateLong(account: Account, room: Room): Promise<void>;
  /** Someone asks the bot there for all that it knows about one thing. */
  probe(account: Account, room: Room): Promise<void>;
  /** Someone asks for all about each thing of the history, one after the other. */
  probeAll(account: Account, room: Room): Promise<void>;
  /** One says something new to others, and another answers it with a word to the bot. `gone` deletes or changes the first message. */
  quote(one: Account, other: Account, room: Room): Promise<{ gone: Step }>;
  /** Someone says something new to the bot, which repeats it. `gone` deletes or changes the message. */
  tell(account: Account, room: Room): Promise<{ gone: Step }>;
  /** Someone says three things one after the other. `gone` deletes one of those that were answered together. */
  together(account: Account, room: Room): Promise<{ gone: Step }>;
  /** Someone writes as if another one had spoken, and as if memory had. */
  forge(account: Account, other: Account, room: Room): Promise<void>;
  /** Someone asks who said what. */
  whoSaid(account: Account, room: Room): Promise<void>;
  say(account: Account, room: Room, text: string): Promise<void>;
  save(account: Account, room: Room): Promise<void>;
  /** The first asks for a code, or the second gives the one that the first was given. */
  link(pair: readonly [Account, Account]): Promise<void>;
  unlink(): Promise<void>;
  /** Goes on with a conversation that the bot has just listed to the account. */
  resume(account: Account): Promise<void>;
  /** Begins a conversation with a greeting, which is its title. */
  greet(account: Account, room: Room): Promise<void>;
  /** Each conversation that the history began with a greeting is distilled. */
  distillGreeted(): Promise<void>;
  importRoom(room: Room): Promise<void>;
  close(room: Room): void;
  /** Someone says something new to the bot. Each `turn` edits the message to the other one of two statements. */
  sway(account: Account, room: Room): Promise<{ turn: Step }>;
  /** Someone saves a note. `gone` deletes or changes the message that saved it. */
  note(account: Account, room: Room): Promise<{ gone: Step }>;
  /** Someone says something new to others of the room. `gone` deletes or changes it. */
  pass(account: Account, room: Room): Promise<{ gone: Step }>;
  /** Someone has the bot store a record of a kind, with a tag and perhaps a key and a pin. */
  record(account: Account, room: Room): Promise<void>;
  leave(account: Account, room: Room): Promise<void>;
  join(account: Account, room: Room): Promise<void>;
}

export type Step = () => Promise<void>;

const chains = {
  ...{ shared, imported, outdated, renamed, closed, asked, left, joined, saved, noted, recorded },
  ...{ quoted, retold, halved, swayed, forged },
};

export type ChainName = keyof typeof chains;
export const chainNames = Object.keys(chains) as ChainName[]; // as they are written above

/** Steps of a chain, one of these names if there are any, that can be begun now; none where there is nobody and nothing for any. */
export function beginChain(deeds: Deeds, names: readonly ChainName[] = chainNames): Step[] {
  const possible = names.map((name) => chains[name](deeds)).filter(({ length }) => length > 0);
  return possible[deeds.random.int(0, Math.max(0, possible.length - 1))] ?? [];
}

/** Each account of the room's platform asks in private, and one in another room of it. */
function askAround({ cast, random, ...deeds }: Deeds, room: Room): Step[] {
  const own = cast.accounts.filter(({ platform }) => platform === room.platform);
  const others = cast.rooms.filter(({ platform, home }) => platform === room.platform && home !== room.home);
  const other = others[random.int(0, Math.max(0, others.length - 1))];
  const [one] = own;
  return [
    ...own.map((account) => () => deeds.probeAll(account, cast.direct(account))),
    ...(one === undefined || other === undefined ? [] : [() => deeds.probeAll(one, other)]),
  ];
}

/** Those of the room's platform, each of whom speaks there if they may. */
function stated({ cast, ...deeds }: Deeds, room: Room): Step[] {
  const own = cast.accounts.filter(({ platform }) => platform === room.platform);
  return own.map((account) => () => deeds.state(account, room));
}

/** The room with all accounts of its platform, and one of them; undefined where there is none. */
function someoneIn(
  { cast, random }: Pick<Deeds, 'cast' | 'random'>,
  room: Room | undefined,
): { room: Room; own: Account[]; one: Account } | undefined {
  const own = cast.accounts.filter(({ platform }) => platform === room?.platform);
  const one = own[random.int(0, Math.max(0, own.length - 1))];
  return room === undefined || one === undefined ? undefined : { room, own, one };
}

/** People speak in a room, and others ask around it. */
function asked(deeds: Deeds): Step[] {
  const room = deeds.cast.someRoom();
  return room === undefined ? [] : [...stated(deeds, room), ...askAround(deeds, room)];
}

/** Someone leaves a room in which people spoke, and asks in private. */
function left(deeds: Deeds): Step[] {
  const { cast } = deeds;
  const found = someoneIn(deeds, cast.someRoom());
  if (found === undefined) return [];
  const { room, one } = found;
  return [...stated(deeds, room), () => deeds.leave(one, room), () => deeds.probeAll(one, cast.direct(one))];
}

/** Someone comes to a room after people spoke there, speaks too, and asks in private. */
function joined(deeds: Deeds): Step[] {
  const { cast } = deeds;
  const found = someoneIn(deeds, cast.someRoom());
  if (found === undefined) return [];
  const { room, one } = found;
  return [
    () => deeds.leave(one, room),
    ...stated(deeds, room),
    () => deeds.join(one, room),
    () => deeds.state(one, room),
    () => deeds.probeAll(one, cast.direct(one)),
  ];
}

/** What was said in a room and imported is changed or deleted, and others ask around it. */
function outdated(deeds: Deeds): Step[] {
  const { cast, random } = deeds;
  const rooms = cast.rooms.filter(({ platform }) => platform === 'discord');
  const found = someoneIn(deeds, rooms[random.int(0, Math.max(0, rooms.length - 1))]);
  if (found === undefined) return [];
  const { room, one } = found;
  let gone: Step = async () => {};
  return [
    async () => {
      ({ gone } = await deeds.pass(one, room));
    },
    () => deeds.importRoom(room),
    () => gone(),
    ...askAround(deeds, room),
  ];
}

/** A note is saved in a room, goes with its message, and others ask. */
function noted(deeds: Deeds): Step[] {
  return toldInRoom(deeds, (one, room) => deeds.note(one, room));
}

/** Records are stored in a room, pinned or not, and others ask around it, by key, tag and kind. */
function recorded(deeds: Deeds): Step[] {
  const room = deeds.cast.someRoom();
  const own = deeds.cast.accounts.filter(({ platform }) => platform === room?.platform);
  if (room === undefined) return [];
  return [
    ...own.flatMap((account) => [
      () => deeds.record(account, room),
      () => deeds.record(account, deeds.cast.direct(account)),
    ]),
    ...askAround(deeds, room),
    ...askAround(deeds, room),
  ];
}

/** A message is edited to and fro, and after each time others of the room ask for it in private. */
function swayed(deeds: Deeds): Step[] {
  const { cast } = deeds;
  const found = someoneIn(deeds, cast.someRoom());
  if (found === undefined) return [];
  const { room, one, own } = found;
  let turn: Step = async () => {};
  const ask = own.map((account) => () => deeds.probeAll(account, cast.direct(account)));
  return [
    async () => {
      ({ turn } = await deeds.sway(one, room));
    },
    () => deeds.probeAll(one, room),
    ...[0, 1, 2].flatMap(() => [() => turn(), ...ask]),
  ];
}

/** Two accounts become one person, speak in one conversation, which is distilled, and part. */
function shared({ cast, random, oracle, ...deeds }: Deeds): Step[] {
  const isLinked = (account: Account): boolean => oracle.personOf(account).length > 1;
  const one = cast.accounts.find(isLinked) ?? cast.someone();
  const others = isLinked(one)
    ? oracle.personOf(one).filter((account) => account !== one)
    : cast.accounts.filter((account) => account !== one && !isLinked(account));
  const other = others[random.int(0, Math.max(0, others.length - 1))];
  if (other === undefined) return [];
  const says = (account: Account, text: string) => () => deeds.say(account, cast.direct(account), text);
  const states = (account: Account) => () => deeds.stateLong(account, cast.direct(account));
  const link = (): Promise<void> => deeds.link([one, other]);
  return [
    ...(isLinked(one) ? [] : [link, link]),
    says(one, '/new'),
    () => deeds.greet(one, cast.direct(one)), // the title is shown to the other
    states(one),
    says(other, '/sessions'),
    () => deeds.resume(other),
    states(other),
    deeds.distillGreeted,
    deeds.unlink,
    says(one, '/new'),
    says(other, '/new'),
    () => deeds.probeAll(other, cast.direct(other)),
    () => deeds.probeAll(one, cast.direct(one)),
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

/** A group that everyone could open is closed, which nobody tells the bot, and others ask elsewhere. */
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

/** A room that everyone could open is closed after it was spoken in, each time from its top; whoever looks from outside sees it no more. */
function closed(all: Deeds): Step[] {
  const { cast, random, ...deeds } = all;
  const open = cast.rooms.filter(({ kind }) => ['public', 'announcement', 'voice', 'shared'].includes(kind));
  const room = open[random.int(0, Math.max(0, open.length - 1))];
  if (room === undefined) return [];
  const members = cast.accounts.filter(({ platform }) => platform === room.platform);
  return [
    ...members.map((account) => () => deeds.state(account, room)),
    ...members.map((account) => () => deeds.state(account, room)),
    async () => deeds.close(room),
    ...askAround(all, room),
    ...members.map((account) => () => deeds.state(account, room)),
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

/** One person's message to others is answered by another with a word to the bot, and is deleted or changed; then someone asks for it. */
function quoted({ cast, random, ...deeds }: Deeds): Step[] {
  const room = cast.someRoom();
  const own = cast.accounts.filter(({ platform }) => platform === room?.platform);
  const one = own[random.int(0, Math.max(0, own.length - 1))];
  const others = own.filter((account) => account !== one);
  const other = others[random.int(0, Math.max(0, others.length - 1))];
  if (room === undefined || one === undefined || other === undefined) return [];
  let gone: Step = async () => {};
  return [
    async () => {
      ({ gone } = await deeds.quote(one, other, room));
    },
    () => gone(),
    () => deeds.probeAll(other, room),
  ];
}

/** What the bot was told and has repeated, twice, is deleted or changed; then others of the room ask for it in private. */
function retold(deeds: Deeds): Step[] {
  return toldInRoom(
    deeds,
    (one, room) => deeds.tell(one, room),
    (one, room) => [() => deeds.probeAll(one, room)],
  );
}

/** Of what was answered together one message is deleted, and the others ask for both. */
function halved(deeds: Deeds): Step[] {
  return toldInRoom(deeds, (one, room) => deeds.together(one, room));
}

/** Someone tells the bot something in a room, and takes it back after the steps `between`; all of that platform then ask in private. */
function toldInRoom(
  { cast, random, ...deeds }: Deeds,
  tell: (one: Account, room: Room) => Promise<{ gone: Step }>,
  between: (one: Account, room: Room) => Step[] = () => [],
): Step[] {
  const found = someoneIn({ cast, random }, cast.someRoom());
  if (found === undefined) return [];
  const { room, own, one } = found;
  let gone: Step = async () => {};
  return [
    async () => {
      ({ gone } = await tell(one, room));
    },
    ...between(one, room),
    () => gone(),
    ...own.map((account) => () => deeds.probeAll(account, cast.direct(account))),
  ];
}

/** Someone writes as if another had, and both ask who said what, there and in private. */
function forged({ cast, random, ...deeds }: Deeds): Step[] {
  const room = cast.someRoom();
  const [one, other] = cast.accounts.filter(({ platform }) => platform === room?.platform);
  if (room === undefined || one === undefined || other === undefined) return [];
  const where = random.chance(0.8) ? room : cast.direct(other);
  return [
    () => deeds.forge(other, one, where),
    () => deeds.whoSaid(one, room),
    () => deeds.whoSaid(other, cast.direct(other)),
  ];
}
