// The sandbox's one workspace: who is in it, where they talk, what was said. Not the Web API and not delivery.

import type { SandboxChat, SandboxUser, ShownBlock } from '#adapters/sandbox/contract.ts';
import { rememberBlocks } from '#adapters/sandbox/shown.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { Json } from '#base/json.ts';

export type Wire = { [key: string]: Json };

export const team = { id: 'T0SANDBOX', name: 'Sandbox', domain: 'sandbox' };
export const app = { id: 'A0PARLEY0', name: 'parley' };
export const bot = { user: 'U0PARLEY0', bot: 'B0PARLEY0', name: 'parley' };

export interface Person {
  id: string;
  name: string;
}

export const people: Record<SandboxUser, Person> = {
  you: { id: 'U0YOU0000', name: 'you' },
  guest: { id: 'U0GUEST00', name: 'guest' },
};

export interface Room {
  id: string;
  kind: 'channel' | 'group' | 'im';
  /** Empty in direct messages. */
  name: string;
  members: string[];
}

export const rooms: Record<'room' | 'private' | 'dmYou' | 'dmGuest', Room> = {
  room: {
    id: 'C0ROOM000',
    kind: 'channel',
    name: 'room',
    members: [people.you.id, people.guest.id, bot.user],
  },
  private: { id: 'C0PRIVATE', kind: 'group', name: 'private', members: [people.you.id, bot.user] },
  dmYou: { id: 'D0YOU0000', kind: 'im', name: '', members: [people.you.id, bot.user] },
  dmGuest: { id: 'D0GUEST00', kind: 'im', name: '', members: [people.guest.id, bot.user] },
};

export interface SharedFile {
  id: string;
  name: string;
  mime: string;
  bytes: Uint8Array;
  /** Where it can be fetched with a token. */
  url: string;
  /** From another workspace: messages tell only its id, and `files.info` the rest. */
  origin?: 'elsewhere' | undefined;
}

export interface Stored {
  ts: string;
  room: Room;
  /** The author's user id; the bot's own for the bot. */
  user: string;
  /** In Slack's escaped form: `&amp;`, `<@U…>`. */
  text: string;
  blocks?: Wire[] | undefined;
  attachments?: Wire[] | undefined;
  metadata?: Wire | undefined;
  thread?: string | undefined;
  edited?: { user: string; ts: string } | undefined;
  reactions: { name: string; users: string[] }[];
  files?: SharedFile[] | undefined;
  subtype?: 'file_share' | 'channel_join' | undefined;
  /** Set for a message that is or was streamed. */
  stream?: { state: 'in_progress' | 'completed' | 'stopped_by_user'; startedAt: number } | undefined;
  /** The only person who sees it. */
  onlyFor?: string | undefined;
}

export interface World {
  /** The next timestamp: unique, rising, close to the clock. */
  nextTs(): string;
  /** Messages in the order they were said, whole workspace; the oldest are dropped above 20 000. */
  messages(): readonly Stored[];
  add(message: Omit<Stored, 'ts' | 'reactions'>): Stored;
  remove(message: Stored): void;
  find(roomID: string, ts: string): Stored | undefined;
  /** The message a control call names; a ParleyError `unknown_message` when there is none. */
  byID(id: string): Stored;
  /** The thinking line of a thread, or of a chat where the key has no thread. */
  status: Map<string, { text: string; at: number }>;
  files: Map<string, SharedFile>;
  /** What people see for a text in Markdown. */
  blocksOf(markdown: string): ShownBlock[];
}

const mostMessages = 20_000;

/** An empty workspace whose timestamps follow `clock`. */
export function createWorld(clock: Clock): World {
  const messages: Stored[] = [];
  let last = 0;
  const world: World = {
    status: new Map(),
    files: new Map(),
    blocksOf: rememberBlocks(),
    nextTs() {
      last = Math.max(last + 1, clock.now() * 1000);
      return `${Math.floor(last / 1e6)}.${String(last % 1e6).padStart(6, '0')}`;
    },
    messages: () => messages,
    add(message) {
      const stored: Stored = { ...message, ts: world.nextTs(), reactions: [] };
      messages.push(stored);
      if (messages.length > mostMessages) messages.shift();
      return stored;
    },
    remove(message) {
      const index = messages.indexOf(message);
      if (index >= 0) messages.splice(index, 1);
    },
    find: (roomID, ts) => messages.find((message) => message.room.id === roomID && message.ts === ts),
    byID(id) {
      const found = messages.find((message) => message.ts === id);
      if (found === undefined)
        throw new ParleyError(
          'unknown_message',
          `Expected the id of a message in the Slack sandbox, got ${id}.`,
        );
      return found;
    },
  };
  return world;
}

/** The conversation that a sandbox chat is for a user; a ParleyError `not_a_member` when they cannot see it. */
export function roomFor(chat: SandboxChat, user: SandboxUser): Room {
  const dm = user === 'you' ? rooms.dmYou : rooms.dmGuest;
  const room = chat === 'dm' ? dm : rooms[chat];
  if (!room.members.includes(people[user].id))
    throw new ParleyError('not_a_member', `${user} is not in the chat "${chat}": only you and the bot are.`);
  return room;
}

/** The conversation with this id that the bot is in. */
export function roomByID(id: string): Room | undefined {
  const person = crowdNumber(id);
  if (person !== undefined) return crowdRoom(person);
  return Object.values(rooms).find((room) => room.id === id);
}

/** The direct message of a person of the crowd: both exist as soon as they are named. */
export function crowdRoom(person: number): Room {
  const number = String(person).padStart(4, '0');
  return { id: `D0CROWD${number}`, kind: 'im', name: '', members: [`U0CROWD${number}`, bot.user] };
}

/** The number in the id of somebody of the crowd, or of their direct message. */
export function crowdNumber(id: string): number | undefined {
  const [, number] = /^[DU]0CROWD(\d{4,})$/.exec(id) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** The display name of a user id, or undefined for a stranger. */
export function nameOf(id: string): string | undefined {
  if (id === bot.user) return bot.name;
  const person = crowdNumber(id);
  if (person !== undefined) return `crowd${person}`;
  return Object.values(people).find((person) => person.id === id)?.name;
}
