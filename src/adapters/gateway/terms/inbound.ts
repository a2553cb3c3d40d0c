// What adapters hand in: one union of events, already free of platform shapes.
import type { PlaceNames } from '#engine/wire/channels/place-names.ts';
import type { Address } from './address.ts';

export interface Actor {
  /** The platform's own id of the account (for Slack `TEAM/USER`), never a display name. */
  id: string;
  name: string;
  isBot: boolean;
  /** The language of the account's own app, as its platform says it (`de`, `en-US`); absent where the event does not. */
  locale?: string | undefined;
  /** The time zone of the account, an IANA name; absent where the event does not say it. */
  zone?: string | undefined;
}

/** How a message turned to the bot, as far as the platform's payload says; threads are the gateway's knowledge. */
export type Addressed = 'dm' | 'mention' | 'reply' | 'none';

export interface FileRef {
  /** What the adapter needs to open it, without secrets; only its adapter reads it. */
  id: string;
  /** As the sender or the adapter calls it (`report.pdf`, `voice message.ogg`). */
  name?: string | undefined;
  mime?: string | undefined;
  size?: number | undefined;
  /** Spoken into the platform's own recorder: the words in it are the sender's. */
  voice?: true | undefined;
  /** Of audio: how long it is. */
  seconds?: number | undefined;
}

export interface Quoted {
  nativeID: string;
  author?: string | undefined;
  text?: string | undefined;
  fromBot: boolean;
  /** What came with it, where the platform sends it along; of what is passed on, the files are the message's own. */
  files?: readonly FileRef[] | undefined;
  /** The message passes this on instead of answering it. */
  forwarded?: true | undefined;
}

export interface MessageEvent {
  type: 'message';
  address: Address;
  /** The platform's id of the message inside its chat: the inbox is unique by it. */
  nativeID: string;
  /** The id of the message that this is, where it is one that is answered once more: `nativeID` is then the gateway's own. */
  retryOf?: string | undefined;
  /** Of a command that a reaction gives: the turn whose answer was reacted to. The gateway sets it; `nativeID` is then its own. */
  about?: string | undefined;
  /** It was written before, and is due now; of a hook, by a program outside of the chat and no person. `nativeID` is then the gateway's own. */
  due?: { by: 'schedule' } | { by: 'hook'; name: string } | undefined;
  /** When it was sent, in milliseconds since the epoch. */
  at: number;
  /**
   * How long it was on its way, in milliseconds by the platform's own clock, which dated it; the gateway sets it as the event comes in.
   * Absent where that clock is not known.
   */
  delayMs?: number | undefined;
  actor: Actor;
  addressed: Addressed;
  /** It is addressed to someone else: it mentions other people, or answers one. Never where it is addressed to the bot. */
  toOthers?: true | undefined;
  /** `reply` says no more than that its thread hangs under a message of the bot's: everything that is said there comes that way. */
  underBot?: true | undefined;
  /**
   * The bot takes part in its thread, as an instance has on record that led the account before: with this person `alone`, or `others` have
   * spoken there too.
   */
  takenPart?: 'alone' | 'others' | undefined;
  /** An answer stands next to it only if each of its messages is a reply: below a channel's post, in the group that discusses it. */
  inReplies?: true | undefined;
  /** As the person wrote it, mentions of others readable, the bot's own mention removed. */
  text: string;
  quoted?: Quoted | undefined;
  files: readonly FileRef[];
  /** What came in addition to text and files, each as text (`location: 52.5, 13.4`): places, contacts, polls, dice. */
  shared?: readonly string[] | undefined;
  /**
   * Id of a message of the bot's that is where the answer is expected, or soon will be (a slash command's deferred reply),
   * as `Channel.edit` takes it: the answer takes its place, or goes out again where it cannot. Commands only. It may hold
   * a secret, so it is stored in the ledger and never logged.
   */
  placeholder?: string | undefined;
  /** Where the platform takes answers to this very message for a while: only its adapter reads it. A secret, as a placeholder is. */
  answerAt?: string | undefined;
  /** The bot is not in this chat: nothing can be said there except to the sender. Commands only. */
  outside?: true | undefined;
  /** The same for all messages that the platform shows as one (a Telegram album): they are answered together. */
  album?: string | undefined;
  /**
   * A part of a text that the person's app split: it may go on in the next message, or goes on with the one before, and `after` is what
   * stands between the two. The gateway sets it as the event comes in.
   */
  paste?: { mayGoOn?: true | undefined; after?: '' | ' ' | '\n' | undefined } | undefined;
  /** Rooms only: what the platform calls it now, whether only some of the space may read it, and whether that holds only for the thread. */
  room?:
    | {
        names: PlaceNames;
        restricted: boolean;
        privateThread?: boolean | undefined;
        /** The name under which its thread was opened, where the platform says no later one: it counts while none is known. */
        openedAs?: string | undefined;
      }
    | undefined;
  /** Direct messages only: the thread is a topic, a conversation of its own, and not a reply within the one. */
  topic?: true | undefined;
}

export interface EditEvent {
  type: 'edit';
  address: Address;
  nativeID: string;
  at: number;
  actor: Actor;
  text: string;
}

/** What the platform hung on a message after it was posted (the preview of a link): no act of its author's, and no edit. */
export interface PreviewEvent {
  type: 'preview';
  address: Address;
  nativeID: string;
  /** As `MessageEvent.shared`. */
  shared: readonly string[];
}

export interface DeleteEvent {
  type: 'delete';
  address: Address;
  nativeID: string;
  at: number;
}

/** The platform gave a chat another id (a Telegram group became a supergroup). */
export interface ChatMigratedEvent {
  type: 'moved';
  from: Address;
  to: Address;
}

/**
 * Who may read a room now. The platform said that it changed, or the adapter saw it. A room that may be read by everyone of its space
 * is open; every other room is restricted.
 */
export interface RoomEvent {
  type: 'room';
  /** The room; with its thread where the thread is a room of its own. */
  address: Address;
  restricted: boolean;
}

/** A space, a room or a thread has these names now; what is missing has not changed. */
export interface PlaceNamedEvent {
  type: 'named';
  /** The room or the thread; for a space any address that has it. */
  address: Address;
  names: PlaceNames;
}

/** Someone came to a room or a space, left it, or may read there more or less than before. */
export interface MemberEvent {
  type: 'member';
  /** The room; for a space any address that has it. */
  address: Address;
  of: 'room' | 'space';
  /** `Actor.id` of the account; undefined when the change may concern everyone there. */
  actorID: string | undefined;
  /** `left` also for who was kicked or banned; `rights` when only what the account may read has changed. */
  change: 'joined' | 'left' | 'rights';
  /** When it happened, in milliseconds since the epoch. */
  at: number;
}

/** Someone has pressed a button below a message of the bot's. */
export interface ButtonPressEvent {
  type: 'choice';
  address: Address;
  /** The platform's id of the press. */
  nativeID: string;
  at: number;
  actor: Actor;
  /** The `Choice.id` of the button. */
  choice: string;
  /** Called once it is stored: with the message for this person only, or undefined when the press was taken. */
  settle(words: string | undefined): void;
}

/** Someone has reacted to a message, or took a reaction back. */
export interface ReactionEvent {
  type: 'reaction';
  /** The chat; of its thread the platform may say nothing. */
  address: Address;
  /** The message that was reacted to. */
  nativeID: string;
  at: number;
  actor: Actor;
  /** Emoji as `emojiOf` writes them: characters where there are any, else the platform's name between colons. */
  added: readonly string[];
  removed: readonly string[];
}

export type InboundEvent =
  | MessageEvent
  | EditEvent
  | PreviewEvent
  | DeleteEvent
  | ChatMigratedEvent
  | RoomEvent
  | PlaceNamedEvent
  | MemberEvent
  | ButtonPressEvent
  | ReactionEvent;

/** The outcome of an event: stored, known already, or not meant for the bot. */
export type AcceptResult = 'accepted' | 'duplicate' | 'ignored';

/** A place in the platform's stream, committed together with the event (Telegram's offset, Slack's `ts` of a channel). */
export interface Cursor {
  name: string;
  value: string;
}

/** `standby`: connected to nothing, since another instance leads the account, or may. */
export type ConnectionState = 'connecting' | 'ready' | 'reconnecting' | 'standby' | 'stopped' | 'failed';

/** What tells a message from all others. */
export type MessageKey = Pick<MessageEvent, 'address' | 'nativeID'>;

/** A chat or a thread, as far as it says which messages are in it. */
export type MessagePlace = Pick<Address, 'account' | 'chat' | 'thread'>;

/** The gateway's side of a connection. */
export interface Sink {
  /**
   * Commits the event before it resolves; only then may the adapter acknowledge it or move on. `written` is called as soon as a commit has
   * taken place, before the disk is waited for.
   */
  accept(
    event: InboundEvent,
    cursor?: Cursor,
    written?: (accepted: AcceptResult) => void,
  ): Promise<AcceptResult>;
  /**
   * Does the work that takes in one thing of the platform, `accept` among it, and rejects as it does, so that it is tried again. What it
   * throws six times and for `gateway.giveUpMinutes` is passed by: `cursor` is committed, the owners and the status say so, and it resolves.
   * A failure of the disk, of the network, or of the platform that may pass, counts for nothing. `key` names the thing in each attempt.
   */
  take(what: { key: string; cursor?: Cursor | undefined }, work: () => Promise<void>): Promise<void>;
  /** Commits a cursor past events that were not worth handing in; it never moves backwards for numeric values. */
  advance(cursor: Cursor): Promise<void>;
  /** The same a moment later, with what else is written then: after a crash those events come again, and are passed over again. */
  pass(cursor: Cursor): void;
  cursor(name: string): Promise<string | undefined>;
  /** Chats of this account that have a session, to fetch what was missed. */
  chats(): Promise<Address[]>;
  /**
   * The platform's ids of the messages that were accepted in this very chat or thread and are not known as deleted: those after `from`, up to
   * `until`, compared as text. A message that opened a thread is in the chat, and slash commands are no messages.
   */
  accepted(place: MessagePlace, range: { from: string; until: string }): Promise<string[]>;
  /** Messages of this account that were taken in, and whose answer does not stand yet. */
  unanswered(): Promise<MessageKey[]>;
  /** Another instance has taken these in too, and answers them. */
  disown(messages: readonly MessageKey[]): Promise<void>;
  /**
   * Messages said earlier may still come in, in these chats (`Address.chat`) or in all: what is accepted there is
   * answered after them, if they come within some seconds. Replaces what was reported before; nothing is waited for that was not reported.
   */
  reportBacklog(chats: 'all' | readonly string[]): void;
  /** `ready` with words: connected, but what the words say stands in the way of some of it. */
  report(state: ConnectionState, detail?: string): void;
  /** Something came from the platform (a completed poll, a heartbeat): the sign of life that the status shows. */
  alive(): void;
}
