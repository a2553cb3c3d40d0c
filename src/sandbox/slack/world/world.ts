// What was written in the sandbox's one workspace.

import { ParleyError } from '#base/errors.ts';
import type { Json } from '#base/json.ts';
import type { SandboxChat, SandboxUser, ShownBlock } from '#sandbox/contract.ts';
import { pagePeople, type Room, type Workspace } from './workspace.ts';

/** Files by their ids, each with a link below `origin`. */
export interface SlackFiles {
  get(id: string): SharedFile | undefined;
  add(file: Pick<SharedFile, 'name' | 'mime' | 'bytes'>): SharedFile;
  /** Is told when the bytes of a file have come. */
  changed(file: SharedFile): void;
  delete(id: string): void;
}

export type Wire = { [key: string]: Json };

export interface SharedFile {
  id: string;
  name: string;
  mime: string;
  bytes: Uint8Array;
  /** Recorded in Slack. */
  voice?: true | undefined;
  seconds?: number | undefined;
  /** Where it can be fetched with a token. */
  url: string;
  /** From another workspace: messages report only its id, and `files.info` the rest. Deleted: only its id is left in its message. */
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
  /** All messages in the order they were written; above 20,000 the oldest that may be dropped are dropped. */
  messages(): Iterable<Stored>;
  /** A conversation's messages, oldest first. */
  messagesIn(roomID: string): readonly Stored[];
  /** Replies of a thread's first message, oldest first. */
  repliesTo(roomID: string, ts: string): readonly Stored[];
  add(message: Omit<Stored, 'ts' | 'reactions'>): Stored;
  /** Called at each change of a message, so that a restart finds it as it is. */
  changed(message: Stored): void;
  remove(message: Stored): void;
  find(roomID: string, ts: string): Stored | undefined;
  /** The message a control call names; a ParleyError `unknown_message` when there is none. */
  byID(id: string): Stored;
  /** The thinking line of a thread, or of a chat where the key has no thread. */
  status: Map<string, { text: string; at: number }>;
  files: SlackFiles;
  /** What people see for a text in Markdown. */
  blocksOf(markdown: string): ShownBlock[];
}

const pageRooms = { room: 'C0ROOM000', private: 'C0PRIVATE' } as const;
const pageDirects = { you: 'D0YOU0000', guest: 'D0GUEST00' } as const;

/** The conversation that a sandbox chat is for a user; a ParleyError `not_a_member` when they cannot see it. */
export function roomFor(world: World, chat: SandboxChat, user: SandboxUser): Room {
  const room = world.workspace.room(chat === 'dm' ? pageDirects[user] : pageRooms[chat]);
  if (room === undefined || !room.members.has(pagePeople[user].id))
    throw new ParleyError('not_a_member', `${user} is not in the chat "${chat}": only you and the bot are.`);
  return room;
}
