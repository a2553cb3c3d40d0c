// One random history of people in spaces and rooms of the three platforms: a step at a time. What the bot shows is judged elsewhere.
import type { SandboxPlatform } from '#adapters/sandbox/contract.ts';
import type { Membership, Places, RoomKind } from '#adapters/sandbox/places.ts';
import { codeOf } from '#base/errors.ts';
import type { ParleyClient } from '#engine/client/client.ts';
import type { Random } from '../stage/random.ts';
import { importOf } from './imports.ts';
import type { Account, Oracle, PlacedRoom } from './oracle.ts';
import { probeWord, searchWord } from './repeating-model.ts';

export interface Room extends PlacedRoom {
  kind: RoomKind;
  space: string;
  name: string;
  /** Of a thread, post or topic: the room that it is in. */
  parent?: string | undefined;
}

/** A message that a person wrote. */
interface Written {
  room: Room;
  id: string;
  text: string;
}

export interface Operator {
  client: () => ParleyClient;
  /** Takes one account away from the person that it was linked to; nothing where it is linked to nobody. */
  unlink(account: Account): Promise<void>;
  folder: string;
  /** The bot's account on Discord. */
  discordBot: string;
}

export interface HistoryOptions {
  index: number;
  random: Random;
  places: Readonly<Record<SandboxPlatform, Places>>;
  oracle: Oracle;
  operator: Operator;
  /** A word that was never said before. */
  newCanary: () => string;
}

const platforms = ['discord', 'telegram', 'slack'] as const;
const kindsOf: Readonly<Record<SandboxPlatform, readonly [RoomKind, ...RoomKind[]]>> = {
  discord: [
    'public',
    'private',
    'role',
    'denied',
    'no history',
    'voice',
    'announcement',
    'public thread',
    'forum post',
    'private thread',
  ],
  telegram: ['public group', 'private', 'basic group', 'topic', 'channel direct'],
  slack: ['public', 'private', 'group', 'shared', 'public thread'],
};
/** Rooms that share the memory of the room that they are in. */
const withinParent: readonly RoomKind[] = ['public thread', 'forum post', 'topic'];
const topics = ['heron', 'locker'] as const;
/** Somebody else tries to say it, so often, where one may not speak. */
const mostTries = 8;
const ways = ['left', 'kicked', 'banned'] as const;

/** The people, rooms and messages of one history. */
export class History {
  readonly #options: HistoryOptions;
  readonly accounts: Account[] = [];
  readonly rooms: Room[] = [];
  readonly outsiders = new Set<string>();
  readonly #written: Written[] = [];
  readonly #spaces = new Map<SandboxPlatform, string[]>();
  readonly #witnesses = new Map<string, string>();
  /** What was done, for whoever reads a leak. */
  readonly log: string[] = [];

  constructor(options: HistoryOptions) {
    this.#options = options;
    for (const platform of platforms) if (options.random.chance(0.75)) this.#begin(platform);
    if (this.rooms.length === 0) this.#begin('discord');
  }

  /** An account that may open all that is open in the room's space and is in no room. */
  witnessOf(room: PlacedRoom): string | undefined {
    const found = this.rooms.find(({ platform, id }) => platform === room.platform && id === room.id);
    return found && this.#witnesses.get(`${found.platform} ${found.space}`);
  }

  /** All rooms, the direct messages of its accounts among them. */
  allRooms(): PlacedRoom[] {
    return [...this.rooms, ...this.accounts.map((account) => this.#direct(account))];
  }

  /** Accounts that are shown a message of the bot's. */
  readersOf(room: PlacedRoom, messageID: string, onlyTo: string | undefined): Account[] {
    const { places } = this.#options;
    return this.accounts.filter(
      ({ platform, id }) =>
        platform === room.platform &&
        (onlyTo === undefined ? places[platform].mayRead(id, room.id, messageID) : onlyTo === id),
    );
  }

  /** Does one random thing. What a platform forbids is not done. */
  async step(): Promise<void> {
    const { random } = this.#options;
    const acts: readonly [number, () => Promise<void>][] = [
      [40, () => this.#state()],
      [28, () => this.#probe()],
      [6, () => this.#command()],
      [4, () => this.#save()],
      [6, () => this.#edit()],
      [6, () => this.#remove()],
      [7, () => this.#come()],
      [9, () => this.#go()],
      [7, () => this.#open()],
      [2, () => this.#renameOrMove()],
      [5, () => this.#link()],
      [4, () => this.#unlink()],
      [3, () => this.#resume()],
      [2, () => this.#distil()],
      [2, () => this.#import()],
    ];
    let left = random.int(
      1,
      acts.reduce((sum, [weight]) => sum + weight, 0),
    );
    const act = acts.find(([weight]) => (left -= weight) <= 0)?.[1];
    try {
      await act?.();
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || code.startsWith('ERR_')) throw error;
      this.log.push(`(not possible: ${code})`);
    }
  }

  #begin(platform: SandboxPlatform): void {
    const { random, index } = this.#options;
    const places = this.#options.places[platform];
    const accounts = Array.from({ length: random.int(2, 3) }, (_, at) => ({
      platform,
      id: places.addAccount(`p${index}${platform[0]}${at}`),
    }));
    this.accounts.push(...accounts);
    const spaces = Array.from({ length: platform === 'discord' && random.chance(0.2) ? 2 : 1 }, (_, at) =>
      places.addSpace(`space ${index} ${at}`),
    );
    this.#spaces.set(platform, spaces);
    for (const space of spaces) {
      const witness = places.addAccount(`w${index}${platform[0]}`);
      places.joinSpace(witness, space);
      this.#witnesses.set(`${platform} ${space}`, witness);
      for (const account of accounts) this.#enterSpace(account, space);
    }
    const [first, ...others] = spaces;
    if (first === undefined) return;
    for (let count = random.int(2, 4); count > 0; count -= 1)
      this.#addRoom(platform, random.pick([first, ...others]), random.pick(kindsOf[platform]));
  }

  #enterSpace(account: Account, space: string): void {
    const { random, places } = this.#options;
    if (account.platform !== 'slack' && random.chance(0.25)) return;
    const as: Membership =
      account.platform === 'slack' && random.chance(0.35) ? random.pick(['guest', 'stranger']) : 'member';
    places[account.platform].joinSpace(account.id, space, as);
    if (as !== 'member') this.outsiders.add(account.id);
  }

  #addRoom(platform: SandboxPlatform, space: string, kind: RoomKind): void {
    const { random, places } = this.#options;
    const own = this.rooms.filter((room) => room.platform === platform && room.space === space);
    const isChild = /thread|post|topic/.test(kind);
    const parents = own.filter((room) => !/thread|post|topic|group$|direct/.test(room.kind));
    const parent = isChild ? parents[random.int(0, parents.length - 1)] : undefined;
    const members = this.accounts
      .filter((one) => one.platform === platform && random.chance(0.7))
      .map(({ id }) => id);
    const name = `${kind.replace(/\W/g, '')}-${this.#options.index}-${own.length}`;
    try {
      const id = places[platform].addRoom({ space, kind, name, parent: parent?.id, members });
      const home = parent !== undefined && withinParent.includes(kind) ? parent.home : id;
      this.rooms.push({ platform, id, home, kind, space, name, parent: parent?.id });
      this.log.push(
        `${platform}: room ${name} (${id}) with ${members.length}${parent === undefined ? '' : ` in ${parent.id}`}`,
      );
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      this.log.push(`(no room ${kind}: ${codeOf(error)})`);
    }
  }

  #someone(): Account {
    const [first, ...others] = this.accounts;
    if (first === undefined) throw new Error('A history has people.');
    return this.#options.random.pick([first, ...others]);
  }

  #direct(account: Account): Room {
    const id = this.#options.places[account.platform].direct(account.id);
    return {
      platform: account.platform,
      id,
      home: id,
      kind: 'private',
      space: '',
      name: `direct ${account.id}`,
    };
  }

  /** A place where the account could say something: in private or in a room of its platform. */
  #somewhere(account: Account, directs = 0.3): Room {
    const { random } = this.#options;
    const rooms = this.rooms.filter(({ platform }) => platform === account.platform);
    const [first, ...others] = rooms;
    return first === undefined || random.chance(directs)
      ? this.#direct(account)
      : random.pick([first, ...others]);
  }

  async #say(account: Account, room: Room, text: string, mention: boolean): Promise<void> {
    const { places, oracle } = this.#options;
    const isDirect = room.name.startsWith('direct');
    const id = await places[account.platform].say({
      account: account.id,
      room: room.id,
      text,
      mention: mention && !isDirect,
    });
    this.log.push(
      `${account.platform} ${account.id} in ${room.name}${mention ? ' (to the bot)' : ''}: ${text}`,
    );
    oracle.said(room, id);
    this.#written.push({ room, id, text });
  }

  /** A topic of this history alone. */
  #topic(): string {
    return `${this.#options.random.pick(topics)}${this.#options.index}`;
  }

  /** Lets somebody say something where they may, in private or in a room. */
  async #sayAnywhere(text: string, mention: boolean, directs?: number): Promise<void> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const account = this.#someone();
      try {
        await this.#say(account, this.#somewhere(account, directs), text, mention);
        return;
      } catch (error) {
        if (codeOf(error) === undefined) throw error;
      }
    }
  }

  #state(): Promise<void> {
    const { random, newCanary } = this.#options;
    return this.#sayAnywhere(`The ${this.#topic()} is near ${newCanary()}.`, random.chance(0.85));
  }

  #probe(): Promise<void> {
    const how = this.#options.random.chance(0.3) ? ` Please ${searchWord}.` : '';
    return this.#sayAnywhere(`Tell me ${probeWord}: where is the ${this.#topic()}?${how}`, true, 0.55);
  }

  #command(): Promise<void> {
    const command = this.#options.random.pick([
      '/memory recent',
      `/memory search ${this.#topic()}`,
      '/sessions',
      '/new',
      '/retry',
      '/status',
      '/who',
      '/usage',
    ]);
    return this.#sayAnywhere(command, true);
  }

  #save(): Promise<void> {
    const text = `/memory save The ${this.#topic()} moved to ${this.#options.newCanary()}.`;
    return this.#sayAnywhere(text, true);
  }

  #some(of: readonly Written[]): Written | undefined {
    return of.length === 0 ? undefined : of[this.#options.random.int(0, of.length - 1)];
  }

  async #edit(): Promise<void> {
    const { places, newCanary, oracle } = this.#options;
    const written = this.#some(this.#written.filter(({ text }) => text.startsWith('The ')));
    if (written === undefined) return;
    const text = `The ${this.#topic()} is near ${newCanary()}.`;
    await places[written.room.platform].edit(written.room.id, written.id, text);
    written.text = text;
    oracle.said(written.room, written.id);
    this.log.push(`${written.room.platform}: ${written.id} in ${written.room.name} edited: ${text}`);
  }

  async #remove(): Promise<void> {
    const { places } = this.#options;
    const written = this.#some(
      this.#written.filter(({ room }) => places[room.platform].remove !== undefined),
    );
    if (written === undefined) return;
    await places[written.room.platform].remove?.(written.room.id, written.id);
    this.#written.splice(this.#written.indexOf(written), 1);
    this.log.push(`${written.room.platform}: ${written.id} in ${written.room.name} deleted`);
  }

  #someRoom(): Room | undefined {
    return this.rooms.length === 0
      ? undefined
      : this.rooms[this.#options.random.int(0, this.rooms.length - 1)];
  }

  async #come(): Promise<void> {
    const { random, places } = this.#options;
    const account = this.#someone();
    const rooms = this.rooms.filter(({ platform }) => platform === account.platform);
    const [first, ...others] = rooms;
    if (first === undefined) return;
    const room = random.pick([first, ...others]);
    if (random.chance(0.3)) this.#enterSpace(account, room.space);
    else places[account.platform].joinRoom(account.id, room.id);
    this.log.push(`${account.platform} ${account.id} comes to ${room.name}`);
  }

  async #go(): Promise<void> {
    const { random, places } = this.#options;
    const account = this.#someone();
    const rooms = this.rooms.filter(({ platform }) => platform === account.platform);
    const [first, ...others] = rooms;
    if (first === undefined) return;
    const room = random.pick([first, ...others]);
    const how = random.pick(ways);
    // Slack's one workspace has everybody of all histories, and who left it stays out of it
    if (account.platform === 'discord' && random.chance(0.3))
      places.discord.leaveSpace(account.id, room.space, how);
    else places[account.platform].leaveRoom(account.id, room.id, how);
    this.log.push(`${account.platform} ${account.id} ${how} ${room.name}`);
  }

  async #open(): Promise<void> {
    const room = this.#someRoom();
    if (room === undefined) return;
    const open = this.#options.random.chance(0.4);
    const could = this.#options.places[room.platform].setOpen(room.id, open);
    if (could) this.log.push(`${room.platform}: ${room.name} ${open ? 'opened' : 'closed'}`);
  }

  async #renameOrMove(): Promise<void> {
    const room = this.#someRoom();
    if (room === undefined) return;
    const places = this.#options.places[room.platform];
    if (room.kind === 'basic group' && places.move !== undefined) {
      const id = places.move(room.id);
      if (room.home === room.id) room.home = id;
      room.id = id;
      this.log.push(`${room.platform}: ${room.name} moved to ${id}`);
      return;
    }
    places.rename(room.id, `${room.name}-again`);
    this.log.push(`${room.platform}: ${room.name} renamed`);
  }

  /** The bot's newest words in an account's direct message. */
  #answerTo(account: Account): string {
    const messages = this.#options.places[account.platform].messages(this.#direct(account).id);
    return messages.findLast(({ author }) => author !== account.id)?.text ?? '';
  }

  /** Asks for a code, or gives the one that another account was given in its last answer. */
  async #link(): Promise<void> {
    const code = /\/link ([A-Z0-9-]{6,})/;
    const giver = this.accounts.find((one) => code.test(this.#answerTo(one)));
    const taker = this.accounts.find((one) => one !== giver && this.#options.random.chance(0.4));
    if (giver === undefined || taker === undefined) {
      const account = this.#someone();
      await this.#say(account, this.#direct(account), '/link', true);
      return;
    }
    const [, given = ''] = code.exec(this.#answerTo(giver)) ?? [];
    await this.#say(taker, this.#direct(taker), `/link ${given} yes`, true);
    this.#linking = { giver, taker };
  }

  #linking: { giver: Account; taker: Account } | undefined;

  /** Takes in what became of the last step, once everything is answered. */
  settled(): void {
    const { oracle } = this.#options;
    const linking = this.#linking;
    this.#linking = undefined;
    if (linking === undefined || !this.#answerTo(linking.taker).startsWith('Done')) return;
    const { giver, taker } = linking;
    oracle.linked([...new Set([...oracle.personOf(giver), ...oracle.personOf(taker)])]);
    this.log.push(`${giver.platform} ${giver.id} and ${taker.platform} ${taker.id} are linked`);
  }

  async #unlink(): Promise<void> {
    const { oracle, operator } = this.#options;
    const account = this.accounts.find((one) => oracle.personOf(one).length > 1);
    if (account === undefined) return;
    await operator.unlink(account);
    oracle.linked(oracle.personOf(account).filter((one) => one !== account));
    oracle.linked([account]);
    this.log.push(`${account.platform} ${account.id} is un-linked`);
  }

  async #resume(): Promise<void> {
    const account = this.#someone();
    const ids = [...this.#answerTo(account).matchAll(/^- `?(\w{6,})`? /gm)].map(([, id]) => id);
    const text =
      ids.length === 0 ? '/sessions' : `/resume ${ids[this.#options.random.int(0, ids.length - 1)]}`;
    await this.#say(account, this.#direct(account), text, true);
  }

  async #distil(): Promise<void> {
    const { operator, random } = this.#options;
    const sessions = await operator.client().sessions.list({ page_size: 30 });
    const own = sessions.filter(({ title }) => title.includes(String(this.#options.index)));
    const session = own[random.int(0, own.length - 1)];
    if (session === undefined) return;
    await operator.client().memory.contextDistill(session.id);
    this.log.push(`${session.id} distilled`);
  }

  async #import(): Promise<void> {
    const { operator, places } = this.#options;
    const room = this.#someRoom();
    if (room?.platform !== 'discord') return;
    const messages = places.discord
      .messages(room.id)
      .filter(({ author }) => this.accounts.some(({ id }) => id === author));
    if (messages.length > 0) await importOf({ room, messages, operator });
    this.log.push(`discord: ${room.name} imported, ${messages.length} messages`);
  }
}
