// Who has an account in the sandbox's Slack, which conversations exist and who is in them.

import { ParleyError } from '#base/errors.ts';
import { displayNames, type SandboxUser } from '#sandbox/contract.ts';

export const team = { id: 'T0SANDBOX', name: 'Sandbox', domain: 'sandbox' };
/** The workspace of people who come through a shared channel. */
export const otherTeam = { id: 'T0ELSEWHERE', name: 'Elsewhere' };
/** The organisation of both workspaces, where the app is installed in one (Enterprise Grid); `sister` is its second workspace. */
export const organisation = { id: 'E0SANDBOX', name: 'Sandbox Group' };
export const sister = { id: 'T0SISTER0', name: 'Sister', room: 'C0SISTER0' };
export const app = { id: 'A0PARLEY0', name: 'parley' };
export const bot = { user: 'U0PARLEY0', bot: 'B0PARLEY0', name: 'parley' };

/** `none`: has never been in the workspace; `gone`: deactivated, or of another workspace and disconnected. */
type Standing = 'member' | 'guest' | 'stranger' | 'none' | 'gone';

export interface SlackAccount {
  id: string;
  name: string;
  /** The workspace that the account belongs to, once it has one: an account never changes it. */
  home: string;
  standing: Standing;
  /** Workspaces of the organisation that it is in besides its home. */
  teams: Set<string>;
  /** Conversations that it is in, by id. */
  rooms: Set<string>;
}

export interface Room {
  id: string;
  /** `group` is a private channel. */
  kind: 'channel' | 'group' | 'mpim' | 'im';
  /** Empty in direct messages. */
  name: string;
  members: Set<string>;
  /** The workspace that it belongs to. */
  team: string;
  /** Whether the channel is shared with the other workspace (Slack Connect). */
  shared: boolean;
  /** Nobody writes there any more. */
  archived?: true | undefined;
  /** Messages here are never dropped to make space. */
  lasting: boolean;
}

export interface Workspace {
  /** What the page's workspace is called now. */
  name: string;
  account(id: string): SlackAccount | undefined;
  /** An account that exists; a ParleyError `unknown_account` otherwise. */
  known(id: string): SlackAccount;
  accounts(): readonly SlackAccount[];
  /** The conversation with this id, whether or not the bot is in it. */
  room(id: string): Room | undefined;
  rooms(): readonly Room[];
  addAccount(name: string): SlackAccount;
  addRoom(room: { kind: Room['kind']; name: string; members: readonly string[] }): Room;
  /** The direct message between an account and the bot. */
  directOf(account: SlackAccount): Room;
  enter(room: Room, account: SlackAccount): void;
  leave(room: Room, account: SlackAccount): void;
}

interface Given {
  id: string;
  kind: Room['kind'];
  name: string;
  members: readonly string[];
  team?: string;
}

/** The page's people and rooms: their ids are known to its tests. */
export const pagePeople: Record<SandboxUser, { id: string; name: string }> = {
  you: { id: 'U0YOU0000', name: displayNames.you },
  guest: { id: 'U0GUEST00', name: displayNames.guest },
};
const { you, guest } = pagePeople;
const rooms: readonly Given[] = [
  { id: 'C0ROOM000', kind: 'channel', name: 'room', members: [you.id, guest.id, bot.user] },
  { id: 'C0PRIVATE', kind: 'group', name: 'private', members: [you.id, bot.user] },
  { id: 'D0YOU0000', kind: 'im', name: '', members: [you.id, bot.user] },
  { id: 'D0GUEST00', kind: 'im', name: '', members: [guest.id, bot.user] },
  { id: 'D0BETWEEN', kind: 'im', name: '', members: [you.id, guest.id] },
];

/** A workspace with the page's people and rooms. */
export function createWorkspace(install: 'workspace' | 'organisation' = 'workspace'): Workspace {
  const accounts = new Map<string, SlackAccount>();
  const all = new Map<string, Room>();
  const direct = new Map<string, Room>();
  let count = 0;

  function put(given: Given, lasting: boolean): Room {
    const room: Room = { team: team.id, ...given, members: new Set(given.members), shared: false, lasting };
    all.set(room.id, room);
    for (const id of room.members) {
      accounts.get(id)?.rooms.add(room.id);
      if (room.kind === 'im' && room.members.has(bot.user) && id !== bot.user) direct.set(id, room);
    }
    return room;
  }

  const next = (prefix: string): string => {
    count += 1;
    return `${prefix}0P${String(count).padStart(7, '0')}`;
  };
  for (const { id, name } of [you, guest, { id: bot.user, name: bot.name }])
    accounts.set(id, { id, name, home: team.id, standing: 'member', teams: new Set(), rooms: new Set() });
  for (const room of rooms) put(room, false);
  if (install === 'organisation') {
    accounts.get(guest.id)?.teams.add(sister.id);
    const members = [guest.id, bot.user];
    put({ id: sister.room, kind: 'channel', name: 'sister', members, team: sister.id }, false);
  }

  const workspace: Workspace = {
    name: team.name,
    account: (id) => accounts.get(id) ?? crowdAccount(id),
    known(id) {
      const account = workspace.account(id.split('/').at(-1) ?? '');
      if (account === undefined)
        throw new ParleyError('unknown_account', `Expected the id of an account of this Slack, got ${id}.`);
      return account;
    },
    accounts: () => [...accounts.values()],
    room: (id) => all.get(id) ?? crowdRoomOf(id),
    rooms: () => [...all.values()],
    addAccount(name) {
      const account: SlackAccount = {
        id: next('U'),
        name,
        home: team.id,
        standing: 'none',
        teams: new Set(),
        rooms: new Set(),
      };
      accounts.set(account.id, account);
      return account;
    },
    // private channels made since March 2021 have ids with a C, as group direct messages have (docs.slack.dev, group object)
    addRoom: (room) => put({ ...room, id: next(room.kind === 'im' ? 'D' : 'C') }, true),
    directOf(account) {
      const present = direct.get(account.id);
      return present ?? workspace.addRoom({ kind: 'im', name: '', members: [account.id, bot.user] });
    },
    enter(room, account) {
      room.members.add(account.id);
      account.rooms.add(room.id);
    },
    leave(room, account) {
      room.members.delete(account.id);
      account.rooms.delete(room.id);
    },
  };
  return workspace;
}

/** The direct message of a load user: both exist as soon as they are named. */
export function crowdRoom(person: number): Room {
  const number = String(person).padStart(4, '0');
  const members = new Set([`U0CROWD${number}`, bot.user]);
  return {
    id: `D0CROWD${number}`,
    kind: 'im',
    name: '',
    members,
    team: team.id,
    shared: false,
    lasting: false,
  };
}

/** The number in the id of a load user, or of their direct message. */
export function crowdNumber(id: string): number | undefined {
  const [, number] = /^[DU]0CROWD(\d{4,})$/.exec(id) ?? [];
  return number === undefined ? undefined : Number(number);
}

function crowdRoomOf(id: string): Room | undefined {
  const person = crowdNumber(id);
  return person === undefined ? undefined : crowdRoom(person);
}

function crowdAccount(id: string): SlackAccount | undefined {
  const person = crowdNumber(id);
  if (person === undefined) return undefined;
  return {
    id,
    name: `load${person}`,
    home: team.id,
    standing: 'member',
    teams: new Set(),
    rooms: new Set(),
  };
}
