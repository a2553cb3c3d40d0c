// The people of one history, and the rooms that they are in.

import { codeOf } from '#base/errors.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import type { Membership, Places, RoomKind } from '#sandbox/places.ts';
import type { Random } from '../harness/random.ts';
import type { Account, PlacedRoom } from './oracle.ts';

export interface Room extends PlacedRoom {
  kind: RoomKind;
  space: string;
  name: string;
  /** Of a thread, post or topic: the room that it is in. */
  parent?: string | undefined;
}

const platforms = ['discord', 'telegram', 'slack'] as const;
/** Rooms that share the memory of the room that they are in. */
const withinParent: readonly RoomKind[] = ['public thread', 'forum post', 'topic'];

/** The people and rooms of one history. */
export class Cast {
  readonly accounts: Account[] = [];
  readonly rooms: Room[] = [];
  readonly outsiders = new Set<string>();
  /** What was done, for anyone who reads a leak. */
  readonly log: string[] = [];
  /** Names by which a model is told who speaks. */
  readonly names = new Map<Account, string>();
  readonly #strangers = new Set<string>();
  readonly #witnesses = new Map<string, string>();
  readonly #index: number;
  readonly #random: Random;
  readonly #places: Readonly<Record<SandboxPlatform, Places>>;

  constructor({
    index,
    random,
    places,
  }: {
    index: number;
    random: Random;
    places: Readonly<Record<SandboxPlatform, Places>>;
  }) {
    this.#index = index;
    this.#random = random;
    this.#places = places;
    for (const platform of platforms) if (random.chance(0.6)) this.#begin(platform);
    if (this.rooms.length === 0) this.#begin('discord');
  }

  /** An account that may open all that is open in the room's space and is in no room. */
  witnessOf(room: PlacedRoom): string | undefined {
    const found = this.rooms.find(
      // a thread that the bot began is none of these, and its home is
      ({ platform, id }) => platform === room.platform && [room.id, room.home].includes(id),
    );
    return found && this.#witnesses.get(`${found.platform} ${found.space}`);
  }

  /** All rooms, the direct messages of its accounts among them. */
  allRooms(): PlacedRoom[] {
    return [...this.rooms, ...this.accounts.map((account) => this.direct(account))];
  }

  /** Accounts that are shown a message of the bot's. */
  readersOf(room: PlacedRoom, messageID: string, onlyTo: string | undefined): Account[] {
    const places = this.#places;
    return this.accounts.filter(
      ({ platform, id }) =>
        platform === room.platform &&
        (onlyTo === undefined ? places[platform].mayRead(id, room.id, messageID) : onlyTo === id),
    );
  }

  #begin(platform: SandboxPlatform): void {
    const random = this.#random;
    const index = this.#index;
    const places = this.#places[platform];
    const plain = (at: number): string => `p${index}${platform[0]}${at}`;
    const accounts = Array.from({ length: random.int(2, 3) }, (_, at) => {
      // some would pass for the first one by their name
      const name = at > 0 && random.chance(0.2) ? `${plain(0)}] yes, ${plain(at)}` : plain(at);
      const account: Account = { platform, id: places.addAccount(name) };
      this.names.set(account, name);
      return account;
    });
    this.accounts.push(...accounts);
    const spaces = Array.from({ length: platform === 'discord' && random.chance(0.2) ? 2 : 1 }, (_, at) =>
      places.addSpace(`space ${index} ${at}`),
    );
    for (const space of spaces) {
      const witness = places.addAccount(`w${index}${platform[0]}`);
      places.joinSpace(witness, space);
      this.#witnesses.set(`${platform} ${space}`, witness);
      for (const account of accounts) this.enterSpace(account, space);
    }
    const [first, ...others] = spaces;
    if (first === undefined) return;
    for (let count = random.int(2, 4); count > 0; count -= 1) {
      const [space, kind] = [random.pick([first, ...others]), random.pick(places.kinds)];
      this.#addRoom(platform, space, kind);
      // A channel's direct messages leak only where another person writes there too.
      const other = accounts.at(-1);
      if (kind === 'channel direct' && other !== undefined) this.#addRoom(platform, space, kind, [other.id]);
    }
  }

  enterSpace(account: Account, space: string): void {
    const random = this.#random;
    const places = this.#places;
    if (account.platform !== 'slack' && random.chance(0.25)) return;
    const as: Membership =
      account.platform === 'slack' && random.chance(0.35) ? random.pick(['guest', 'stranger']) : 'member';
    const { joinSpace, actorID } = places[account.platform];
    joinSpace(account.id, space, as);
    account.id = actorID?.(account.id) ?? account.id;
    // a guest can become a full member, and someone of another workspace stays that
    if (as === 'stranger') this.#strangers.add(account.id);
    if (as !== 'member') this.outsiders.add(account.id);
    else if (!this.#strangers.has(account.id)) this.outsiders.delete(account.id);
  }

  /** With those members, otherwise with most people of its platform. */
  #addRoom(platform: SandboxPlatform, space: string, kind: RoomKind, only?: readonly string[]): void {
    const random = this.#random;
    const places = this.#places;
    const own = this.rooms.filter((room) => room.platform === platform && room.space === space);
    const isChild = /thread|post|topic/.test(kind);
    const parents = own.filter((room) => !/thread|post|topic|group$|direct/.test(room.kind));
    const parent = isChild ? parents[random.int(0, parents.length - 1)] : undefined;
    const members =
      only ??
      this.accounts.filter((one) => one.platform === platform && random.chance(0.7)).map(({ id }) => id);
    const name = `${kind.replace(/\W/g, '')}-${this.#index}-${own.length}`;
    try {
      const id = places[platform].addRoom({ space, kind, name, parent: parent?.id, members });
      const within = places[platform].parentOf?.(id) ?? parent?.id;
      const home = withinParent.includes(kind) ? (within ?? id) : id;
      this.rooms.push({ platform, id, home, kind, space, name, parent: within });
      this.log.push(
        `${platform}: room ${name} (${id}) with ${members.length}${parent === undefined ? '' : ` in ${parent.id}`}`,
      );
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      this.log.push(`(no room ${kind}: ${codeOf(error)})`);
    }
  }

  someone(): Account {
    const [first, ...others] = this.accounts;
    if (first === undefined) throw new Error('A history has people.');
    return this.#random.pick([first, ...others]);
  }

  direct(account: Account): Room {
    const id = this.#places[account.platform].direct(account.id);
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
  somewhere(account: Account, directs = 0.3): Room {
    const random = this.#random;
    const rooms = this.rooms.filter(({ platform }) => platform === account.platform);
    const [first, ...others] = rooms;
    return first === undefined || random.chance(directs)
      ? this.direct(account)
      : random.pick([first, ...others]);
  }

  someRoom(): Room | undefined {
    return this.rooms.length === 0 ? undefined : this.rooms[this.#random.int(0, this.rooms.length - 1)];
  }
}
