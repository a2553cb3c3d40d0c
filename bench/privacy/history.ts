// One random history of people in spaces and rooms of the three platforms: a step at a time. What the bot shows is judged elsewhere.

import { codeOf } from '#base/errors.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import type { Places } from '#sandbox/places.ts';
import type { Random } from '../harness/random.ts';
import { Cast, type Room } from './cast.ts';
import { beginChain, type ChainName, type Deeds, type Step } from './chains.ts';
import { importOf } from './imports.ts';
import { Linking, type Say } from './linking.ts';
import { Messages } from './messages.ts';
import type { Operator } from './operator.ts';
import type { Account, Oracle } from './oracle.ts';

export interface HistoryOptions {
  index: number;
  random: Random;
  places: Readonly<Record<SandboxPlatform, Places>>;
  oracle: Oracle;
  operator: Operator;
  /** A word that was never said before. */
  newCanary: () => string;
  /** Chains that it begins in place of any other, and soon; any by chance when absent. */
  chains?: readonly ChainName[] | undefined;
  /**
   * Does this once nothing is in progress any more. An answer that was made while a room was open, or before a message was changed, may be
   * shown: of what happens at the same moment, no platform says which came first.
   */
  atRest: (act: () => void | Promise<void>) => void;
  /** Memory must still have the word of this room, once everything is at rest. */
  stays: (told: { word: string; room: Room }) => void;
}

const ways = ['left', 'kicked', 'banned'] as const;

/** The people, rooms and messages of one history. */
export class History {
  readonly cast: Cast;
  readonly #options: HistoryOptions;
  readonly #messages: Messages;
  /** What is to follow on what was done. */
  #chain: Step[] = [];
  readonly #accounts: Linking;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.cast = new Cast(options);
    this.#messages = new Messages({ ...options, cast: this.cast });
    const say: Say = async (account, room, text) => {
      await this.#messages.say(account, room, text, true);
    };
    this.#accounts = new Linking({ ...options, cast: this.cast, say });
  }

  /** Does one random thing. What a platform forbids is not done. */
  async step(): Promise<void> {
    const { random, chains } = this.#options;
    const acts: readonly [number, () => Promise<void>][] = [
      [40, () => this.#state()],
      [28, () => this.#probe()],
      [6, () => this.#command()],
      [4, () => this.#save()],
      [6, () => this.#record()],
      [5, () => this.#govern()],
      [6, () => this.#messages.edit()],
      [6, () => this.#messages.remove()],
      [7, () => this.#come()],
      [9, () => this.#go()],
      [7, () => this.#open()],
      [2, () => this.#renameOrMove()],
      [5, () => this.#accounts.link()],
      [4, () => this.#accounts.unlink()],
      [3, () => this.#accounts.resume(this.cast.someone())],
      [4, () => this.#distill()],
      [3, () => this.#import(this.cast.someRoom())],
      [this.#chain.length > 0 ? 0 : chains === undefined ? 24 : 400, () => this.#beginChain()],
      [this.#chain.length === 0 ? 0 : 400, () => this.#goOn()],
    ];
    const each = acts.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));
    try {
      await each[random.int(0, each.length - 1)]?.();
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || code.startsWith('ERR_')) throw error;
      this.cast.log.push(`(not possible: ${code})`);
    }
  }

  async #beginChain(): Promise<void> {
    const { random, oracle } = this.#options;
    const messages = this.#messages;
    const say: Deeds['say'] = async (account, room, text) => {
      await messages.say(account, room, text, true);
    };
    const deeds: Deeds = {
      cast: this.cast,
      random,
      oracle,
      say,
      state: (account, room) => say(account, room, messages.statement()),
      stateLong: (account, room) => say(account, room, messages.longStatement()),
      probe: (account, room) => say(account, room, messages.question()),
      probeAll: async (account, room) => {
        for (const question of messages.questions()) await say(account, room, question);
      },
      quote: (one, other, room) => messages.quote(one, other, room),
      tell: (account, room) => messages.tell(account, room),
      together: (account, room) => this.#together(account, room),
      forge: (account, other, room) => say(account, room, messages.forgery(this.cast.names.get(other) ?? '')),
      whoSaid: (account, room) => say(account, room, messages.whoSaid()),
      save: (account, room) => say(account, room, messages.note()),
      link: (pair) => this.#accounts.link(pair),
      unlink: () => this.#accounts.unlink(),
      resume: (account) => this.#accounts.resume(account),
      greet: (account, room) => say(account, room, messages.greeting),
      distillGreeted: () => this.#distill(messages.greeting),
      importRoom: (room) => this.#import(room),
      close: (room) => this.#setOpen(room, false),
      sway: (account, room) => this.#sway(account, room),
      note: (account, room) => messages.take(account, room, messages.note()),
      pass: (account, room) => messages.take(account, room, messages.statement(), false),
      record: (account, room) => say(account, room, messages.record()),
      leave: async (account, room) => this.#leave(account, room, random.pick(ways)),
      join: async (account, room) => this.#join(account, room),
    };
    this.#chain = beginChain(deeds, this.#options.chains);
    await this.#goOn();
  }

  async #together(account: Account, room: Room): Promise<{ gone: Step }> {
    const { operator, stays } = this.#options;
    const said = await this.#messages.together(account, room);
    return {
      gone: async () => {
        if (said === undefined) return;
        const had = await operator.remembers(said.stays);
        await said.gone();
        if (had) stays({ word: said.stays, room });
      },
    };
  }

  /** What the message says at each moment stays in memory, if memory had its first words. */
  async #sway(account: Account, room: Room): Promise<{ turn: Step }> {
    const { operator, stays, atRest } = this.#options;
    const said = await this.#messages.sway(account, room);
    let had: boolean | undefined;
    return {
      turn: async () => {
        had ??= await operator.remembers(said.word() ?? '');
        await said.turn();
        atRest(() => {
          const word = said.word();
          if (had === true && word !== undefined) stays({ word, room });
        });
      },
    };
  }

  async #goOn(): Promise<void> {
    await this.#chain.shift()?.();
  }

  async #state(): Promise<void> {
    await this.#messages.sayAnywhere(this.#messages.statement(), this.#options.random.chance(0.85));
  }

  async #probe(): Promise<void> {
    await this.#messages.sayAnywhere(this.#messages.question(), true, 0.55);
  }

  async #command(): Promise<void> {
    const command = this.#options.random.pick([
      '/memory recent',
      `/memory search ${this.#messages.topic()}`,
      '/memory pinned',
      `/memory tag ${this.#messages.topic()}`,
      `/memory key ${this.#messages.topic()}`,
      '/memory budget',
      `/memory forget tag ${this.#messages.topic()}`,
      `/memory forget yes kind procedure`,
      '/sessions',
      '/export me',
      '/export',
      '/new',
      '/retry',
      '/status',
      '/who',
      '/usage',
    ]);
    await this.#messages.sayAnywhere(command, true);
  }

  async #save(): Promise<void> {
    await this.#messages.sayAnywhere(this.#messages.note(), true);
  }

  async #record(): Promise<void> {
    await this.#messages.sayAnywhere(this.#messages.record(), true);
  }

  /** The operator changes a record of anyone over HTTP: as another version of another kind, by a pin, by a report, or by forgetting. */
  async #govern(): Promise<void> {
    const { operator, random } = this.#options;
    const did = await operator.govern(random, this.#messages.topic());
    if (did !== undefined) this.cast.log.push(did);
  }

  async #come(): Promise<void> {
    const account = this.cast.someone();
    const room = this.cast.somewhere(account, 0);
    if (room.space === '') return;
    if (this.#options.random.chance(0.3)) {
      this.cast.enterSpace(account, room.space);
      this.cast.log.push(`${account.platform} ${account.id} comes to ${room.name}`);
    } else this.#join(account, room);
  }

  #join(account: Account, room: Room): void {
    this.#options.places[account.platform].joinRoom(account.id, room.id);
    this.cast.log.push(`${account.platform} ${account.id} comes to ${room.name}`);
  }

  async #go(): Promise<void> {
    const { random, places } = this.#options;
    const account = this.cast.someone();
    const room = this.cast.somewhere(account, 0);
    if (room.space === '') return;
    const how = random.pick(ways);
    // Slack's one workspace has everyone of all histories, and who left it stays out of it
    if (account.platform === 'discord' && random.chance(0.3)) {
      places.discord.leaveSpace(account.id, room.space, how);
      this.cast.log.push(`${account.platform} ${account.id} ${how} ${room.space}`);
    } else this.#leave(account, room, how);
  }

  #leave(account: Account, room: Room, how: (typeof ways)[number]): void {
    this.#options.places[account.platform].leaveRoom(account.id, room.id, how);
    this.cast.log.push(`${account.platform} ${account.id} ${how} ${room.name}`);
  }

  async #open(): Promise<void> {
    const room = this.cast.someRoom();
    if (room === undefined) return;
    this.#setOpen(room, this.#options.random.chance(0.4));
  }

  #setOpen(room: Room, open: boolean): void {
    this.#options.atRest(() => this.#setOpenNow(room, open));
  }

  #setOpenNow(room: Room, open: boolean): void {
    const could = this.#options.places[room.platform].setOpen(room.id, open);
    if (could) this.cast.log.push(`${room.platform}: ${room.name} ${open ? 'opened' : 'closed'}`);
  }

  /** What happens between a backup of the program and the time at which that is put back: a room is closed, and someone leaves one. */
  meanwhile(): void {
    const { random } = this.#options;
    const room = this.cast.someRoom();
    const account = this.cast.someone();
    const from = this.cast.somewhere(account, 0);
    if (room !== undefined && random.chance(0.5)) this.#setOpenNow(room, false);
    try {
      if (from.space !== '' && random.chance(0.5)) this.#leave(account, from, random.pick(ways));
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || code.startsWith('ERR_')) throw error;
      this.cast.log.push(`(not possible: ${code})`);
    }
  }

  async #renameOrMove(): Promise<void> {
    const room = this.cast.someRoom();
    if (room === undefined) return;
    const places = this.#options.places[room.platform];
    if (room.kind === 'basic group' && places.move !== undefined) {
      const id = places.move(room.id);
      if (room.home === room.id) room.home = id;
      room.id = id;
      this.cast.log.push(`${room.platform}: ${room.name} moved to ${id}`);
      return;
    }
    places.rename(room.id, `${room.name}-again`);
    this.cast.log.push(`${room.platform}: ${room.name} renamed`);
  }

  /** Takes in what became of the last step, once everything is answered. */
  settled(): void {
    this.#accounts.settled();
  }

  /** A conversation of any history is distilled; with a title, all conversations of that title. */
  async #distill(title?: string): Promise<void> {
    const { operator, random } = this.#options;
    const sessions = await operator.client().sessions.list({ page_size: 100 });
    const picked = sessions[random.int(0, sessions.length - 1)];
    const meant = title === undefined ? [picked] : sessions.filter((session) => session.title === title);
    for (const session of meant) {
      if (session === undefined) continue;
      await operator.client().memory.contextDistill(session.id);
      this.cast.log.push(`${session.id} distilled`);
    }
  }

  /** Most of those who wait are admitted, soon under a name that another one has. */
  async letIn(): Promise<void> {
    const { operator, random, index } = this.#options;
    for (const account of this.cast.accounts)
      if (random.chance(0.6)) await operator.letIn(account, `${random.pick(['Anna', 'Ben'])} ${index}`);
  }

  async #import(room: Room | undefined): Promise<void> {
    const { operator, places } = this.#options;
    if (room?.platform !== 'discord') return;
    const count = await importOf({ room, places: places.discord, accounts: this.cast.accounts, operator });
    this.cast.log.push(`discord: ${room.name} imported, ${count} messages`);
  }
}
