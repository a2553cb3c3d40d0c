// Places and people of a simulated platform beyond those of the page: what members and administrators do there, for tests and benchmarks.
// Each call changes the server's state as the real platform would, and sends the bot the events that the real platform sends.

/** Every kind of room of the three platforms; each platform has some of them. */
export type RoomKind =
  /** Everyone of the space may read it. */
  | 'public'
  /** Only its members may read it. */
  | 'private'
  /** Discord: those who have a role may read it. */
  | 'role'
  /** Discord: everyone may see it except one role, or one member, that is denied. */
  | 'denied'
  /** Discord: everyone may see it, and nobody may read what was written before. */
  | 'no history'
  /** Discord: a voice channel that everyone may see and not everyone may join. */
  | 'voice'
  | 'announcement'
  /** A thread or a forum post that everyone who reads its parent may read. */
  | 'public thread'
  | 'forum post'
  | 'private thread'
  /** Several people without a space: Slack's group direct messages. */
  | 'group'
  /** Slack: a channel that another workspace shares. */
  | 'shared'
  /** Telegram: a supergroup with a public name. Telegram's `private` is a supergroup without one. */
  | 'public group'
  /** Telegram: a basic group. */
  | 'basic group'
  /** Telegram: a topic of a forum. */
  | 'topic'
  /** Telegram: one person's direct messages to a channel. */
  | 'channel direct';

/** `guest` and `stranger`: Slack's guests, and people of another workspace. */
export type Membership = 'member' | 'guest' | 'stranger';

/** A message as it is now in a chat. */
export interface PlaceMessage {
  id: string;
  /** The account that wrote it; the bot's own id for the bot's. */
  author: string;
  text: string;
  /** What its text files say: all who read the message can open them. */
  files?: readonly string[] | undefined;
  /** The one account that it is shown to, where only one sees it. */
  onlyTo?: string | undefined;
}

/** Ids of accounts are those of `Actor.id`; ids of spaces and rooms are the server's own, valid only for these calls. */
export interface Places {
  readonly kinds: readonly [RoomKind, ...RoomKind[]];
  addAccount(name: string): string;
  /** A space with the bot in it. Telegram has none: there each room is a space of its own, and this returns a name for several. */
  addSpace(name: string): string;
  /** A room with the bot and these accounts in it. `parent` is the room of a thread, post or topic. */
  addRoom(room: {
    space: string;
    kind: RoomKind;
    name: string;
    parent?: string | undefined;
    members: readonly string[];
  }): string;
  /** The channel that a thread or post is in, where that is not the room that it was made with. */
  parentOf?(room: string): string | undefined;
  /** The direct message between an account and the bot. */
  direct(account: string): string;
  joinSpace(account: string, space: string, as?: Membership): void;
  /** The `Actor.id` that events give the account now, where it can change. */
  actorID?(account: string): string;
  leaveSpace(account: string, space: string, how: 'left' | 'kicked' | 'banned'): void;
  /** Lets an account into a room: as a member, by a role, by an invitation; whatever the kind of room needs. */
  joinRoom(account: string, room: string): void;
  leaveRoom(account: string, room: string, how: 'left' | 'kicked' | 'banned'): void;
  /** Makes a room public or private, as far as its kind can change; returns whether it could. */
  setOpen(room: string, open: boolean): boolean;
  rename(room: string, name: string): void;
  /** Undefined where a room is its own space. */
  renameSpace?(space: string, name: string): void;
  /** Telegram: a basic group becomes a supergroup; the same room has a new id. Undefined where rooms do not move. */
  move?: ((room: string) => string) | undefined;
  /** Someone says something, with the platform's own mention of the bot in front when `mention`; resolves with the message's id. */
  say(message: {
    account: string;
    room: string;
    text: string;
    mention?: boolean | undefined;
    replyTo?: string | undefined;
  }): Promise<string>;
  edit(room: string, message: string, text: string): Promise<void>;
  /** Undefined where the platform does not say to bots that a message was deleted. */
  remove?: ((room: string, message: string) => Promise<void>) | undefined;
  /** Messages of a room as they are now, oldest first. */
  messages(room: string): PlaceMessage[];
  /** Whether the account could open this message on the platform now, by the platform's own rules. */
  mayRead(account: string, room: string, message: string): boolean;
  /** Called after each message that the bot posts or changes anywhere; returns the way to stop. */
  onBotMessage(listener: (posted: { room: string; message: PlaceMessage }) => void): () => void;
}

/** What those of the files say that are text by their name. */
export function textsOf(files: readonly { name: string; bytes: Uint8Array }[]): string[] {
  return files
    .filter(({ name }) => /\.(json|md|txt)$/.test(name))
    .map(({ bytes }) => Buffer.from(bytes).toString());
}
