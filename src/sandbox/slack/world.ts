// What was written in the sandbox's one workspace.

import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { Json } from '#base/json.ts';
import type { SandboxChat, SandboxUser, ShownBlock } from '#sandbox/contract.ts';
import { rememberBlocks } from '#sandbox/shown.ts';
import type { Shelf } from '#sandbox/store.ts';
import { createFiles, createSaid, type Files } from './saved-world.ts';
import { createWorkspace, people, type Room, type Workspace } from './workspace.ts';

export type Wire = { [key: string]: Json };

export interface SharedFile {
  id: string;
  name: string;
  mime: string;
  bytes: Uint8Array;
  /** Recorded in Slack. */
  voice?: true | undefined;
  /** Where it can be fetched with a token. */
  url: string;
  /** From another workspace: messages report only its id, and `files.info` the rest. Deleted: its id only is in its message. */
  origin?: 'external' | 'deleted' | undefined;
}

/** Messages that are not plain words of someone: a shared file, the channel's notices, the place of a deleted message with replies. */
export type Subtype =
  | 'file_share'
  | 'bot_message'
  | `${'channel' | 'group'}_${'join' | 'leave' | 'name'}`
  | `channel_convert_to_${'private' | 'public'}`
  | 'tombstone';

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
  /** Of the thread that it begins. */
  title?: string | undefined;
  edited?: { user: string; ts: string } | undefined;
  reactions: { name: string; users: string[] }[];
  files?: SharedFile[] | undefined;
  subtype?: Subtype | undefined;
  /** Set for a message that is or was streamed. */
  stream?: { state: 'in_progress' | 'completed' | 'stopped_by_user'; startedAt: number } | undefined;
  /** The only person who sees it. */
  onlyFor?: string | undefined;
  /** The name that another app posted it under; `user` is then that app's id. */
  username?: string | undefined;
}

export interface World {
  readonly install: 'workspace' | 'organisation';
  /** The language of the apps of its people. */
  readonly locale: string;
  readonly workspace: Workspace;
  /** The next timestamp: unique, rising, close to the clock. */
  nextTs(): string;
  /** All messages in the order they were written; the oldest that may be dropped are, above 20 000. */
  messages(): Iterable<Stored>;
  /** A conversation's messages, oldest first. */
  messagesIn(roomID: string): readonly Stored[];
  /** Replies of a thread's first message, oldest first. */
  repliesTo(roomID: string, ts: string): readonly Stored[];
  add(message: Omit<Stored, 'ts' | 'reactions'>): Stored;
  /** Is notified of each change of a message, so that a restart finds it so. */
  changed(message: Stored): void;
  remove(message: Stored): void;
  find(roomID: string, ts: string): Stored | undefined;
  /** The message a control call names; a ParleyError `unknown_message` when there is none. */
  byID(id: string): Stored;
  /** The thinking line of a thread, or of a chat where the key has no thread. */
  status: Map<string, { text: string; at: number }>;
  files: Files;
  /** What people see for a text in Markdown. */
  blocksOf(markdown: string): ShownBlock[];
}

const maxMessages = 20_000;

/** The workspace with what its shelf stored; timestamps follow `clock`, and links to files are below `origin`. */
export function createWorld(options: {
  clock: Clock;
  shelf: Shelf;
  origin: string;
  /** Where the app is installed: in the one workspace unless set otherwise. */
  install?: 'workspace' | 'organisation' | undefined;
  locale?: string | undefined;
}): World {
  const { clock, shelf } = options;
  const workspace = createWorkspace(options.install);
  const files = createFiles(options);
  const said = createSaid({ shelf, workspace, files });
  const messages = new Map<string, Stored>();
  const byRoom = new Map<string, Set<Stored>>();
  const byThread = new Map<string, Set<Stored>>();
  /** Those that may be dropped, oldest first. */
  const passing = new Set<Stored>();
  let last = 0;
  const world: World = {
    install: options.install ?? 'workspace',
    locale: options.locale ?? 'en-US',
    workspace,
    status: new Map(),
    files,
    blocksOf: rememberBlocks(),
    nextTs() {
      last = Math.max(last + 1, clock.now() * 1000);
      return `${Math.floor(last / 1e6)}.${String(last % 1e6).padStart(6, '0')}`;
    },
    messages: () => messages.values(),
    messagesIn: (roomID) => [...(byRoom.get(roomID) ?? [])],
    repliesTo: (roomID, ts) => [...(byThread.get(`${roomID}:${ts}`) ?? [])],
    add(message) {
      const stored: Stored = { ...message, ts: world.nextTs(), reactions: [] };
      said.put(stored);
      index(stored);
      const [oldest] = passing;
      if (oldest !== undefined && passing.size > maxMessages) world.remove(oldest);
      return stored;
    },
    changed: said.put,
    remove(message) {
      said.remove(message);
      messages.delete(message.ts);
      passing.delete(message);
      outOf(byRoom, message.room.id, message);
      if (message.thread !== undefined) outOf(byThread, `${message.room.id}:${message.thread}`, message);
    },
    find(roomID, ts) {
      const message = messages.get(ts);
      return message?.room.id === roomID ? message : undefined;
    },
    byID(id) {
      const found = messages.get(id);
      if (found === undefined)
        throw new ParleyError(
          'unknown_message',
          `Expected the id of a message in the Slack sandbox, got ${id}.`,
        );
      return found;
    },
  };
  function index(stored: Stored): void {
    messages.set(stored.ts, stored);
    into(byRoom, stored.room.id, stored);
    if (stored.thread !== undefined) into(byThread, `${stored.room.id}:${stored.thread}`, stored);
    if (!stored.room.lasting) passing.add(stored);
  }
  for (const stored of said.all()) {
    index(stored);
    last = Math.max(last, Math.round(Number(stored.ts) * 1e6));
  }
  return world;
}

function into(index: Map<string, Set<Stored>>, key: string, message: Stored): void {
  const present = index.get(key);
  if (present === undefined) index.set(key, new Set([message]));
  else present.add(message);
}

function outOf(index: Map<string, Set<Stored>>, key: string, message: Stored): void {
  const present = index.get(key);
  present?.delete(message);
  if (present?.size === 0) index.delete(key);
}

const pageRooms = { room: 'C0ROOM000', private: 'C0PRIVATE' } as const;
const pageDirects = { you: 'D0YOU0000', guest: 'D0GUEST00' } as const;

/** The conversation that a sandbox chat is for a user; a ParleyError `not_a_member` when they cannot see it. */
export function roomFor(world: World, chat: SandboxChat, user: SandboxUser): Room {
  const room = world.workspace.room(chat === 'dm' ? pageDirects[user] : pageRooms[chat]);
  if (room === undefined || !room.members.has(people[user].id))
    throw new ParleyError('not_a_member', `${user} is not in the chat "${chat}": only you and the bot are.`);
  return room;
}
