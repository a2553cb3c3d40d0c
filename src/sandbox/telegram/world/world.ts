// The sandbox's small world: a bot, two people, their chats and what was written there. No HTTP and no updates.

import type { SandboxChat, SandboxUser } from '#sandbox/contract.ts';
import type { TgChat, TgEntity, TgMessage, TgUser } from './wire.ts';

export interface MemberStanding {
  status: 'creator' | 'administrator' | 'member' | 'left' | 'kicked';
  /** The newest message id of the world when the account last joined. */
  since: number;
}

/** A message and what surrounds it but is not on the wire. */
export interface Stored {
  message: TgMessage;
  author: 'bot' | SandboxUser | 'service';
  reactions: string[];
  /** The account that wrote it, where the message itself names another sender (a channel). */
  writtenBy?: number | undefined;
}

interface Draft {
  id: number;
  text: string;
  entities: readonly TgEntity[];
  /** When it fades, in milliseconds since the epoch. */
  until: number;
  /** It has a stop button, and whether the text stays when it is pressed. */
  stop: { save: boolean } | undefined;
}

/** One chat with its history; direct messages have one for each person. */
export interface SandboxChatState {
  key: SandboxChat;
  /** Whose direct message it is; `you` for groups. */
  owner: SandboxUser;
  chat: TgChat;
  /** What each account is there, also those who left; the bot is not among them. */
  standings: Map<number, MemberStanding>;
  /** The bot is an administrator. */
  botAdmin: boolean;
  /** Newcomers see what was written before they came, where the kind of chat leaves a choice. */
  visibleHistory: boolean;
  /** The channel whose posts are discussed in this supergroup. */
  discusses?: number | undefined;
  /** The supergroup in which this channel's posts are discussed. */
  discussedIn?: number | undefined;
  /** Only administrators may ask about its members. */
  hiddenMembers: boolean;
  /** The channel whose direct messages these are, and who writes in each topic. */
  directTo?: { channel: SandboxChatState; topics: Map<number, TgUser> } | undefined;
  messages: Stored[];
  /** Ids of forum topics. */
  topics: Set<number>;
  /** Set when the person blocked the bot, or the bot was removed from the group. */
  closedTo?: 'blocked' | 'kicked' | undefined;
  /** Only administrators may write. */
  readOnly?: true | undefined;
  typingUntil: number;
  draft?: Draft | undefined;
  /** The last draft whose stop button was pressed. */
  stoppedDraft?: number | undefined;
}

export interface World {
  readonly bot: TgUser;
  readonly people: Readonly<Record<SandboxUser, TgUser>>;
  /** Everyone, by id; the bot is not among them. */
  readonly accounts: Map<number, TgUser>;
  readonly rooms: readonly SandboxChatState[];
  /** Former ids of groups that became supergroups, with the id they have now and the group as it was then. */
  readonly migrated: Map<number, { to: number; left: SandboxChatState }>;
  room(key: SandboxChat, user: SandboxUser): SandboxChatState;
  /** Adds a chat; those of the contract come first, so that none of these is found under their names. */
  add(room: SandboxChatState): SandboxChatState;
  byChatID(id: number): SandboxChatState | undefined;
  /** Gives a basic group the id and type of a supergroup; its former id leads nowhere but to `migrated`. */
  upgrade(room: SandboxChatState, id: number): void;
  /** The next message id; ids are unique in the whole sandbox and rise. */
  nextID(): number;
  /** The newest message id. */
  lastID(): number;
  /** Adds to the chat's history, forgetting its oldest message beyond the limit. */
  save(room: SandboxChatState, stored: Stored): void;
  /** Called at each change of a message, so that a restart finds it as it is. */
  changed(room: SandboxChatState, stored: Stored): void;
  /** Takes a message out of its chat. */
  drop(room: SandboxChatState, stored: Stored): void;
  /** Unix time in seconds, as messages carry it. */
  seconds(): number;
  /** The chat and the message with this id; a ParleyError `unknown_message` when nobody said it. */
  find(id: string): { room: SandboxChatState; stored: Stored };
}

/** The message of this chat with that id; the newest are looked at first. */
export function messageAt(room: SandboxChatState, id: number): Stored | undefined {
  return room.messages.findLast(({ message }) => message.message_id === id);
}

/** A chat in which nothing was written yet. */
export function emptyChat(
  room: Pick<SandboxChatState, 'key' | 'owner' | 'chat'> & {
    members: Iterable<readonly [number, MemberStanding]>;
  },
): SandboxChatState {
  const { members, ...rest } = room;
  return {
    ...rest,
    standings: new Map(members),
    botAdmin: false,
    visibleHistory: false,
    hiddenMembers: false,
    messages: [],
    topics: new Set(),
    typingUntil: 0,
  };
}
