// The contract of a platform account: what an adapter owns. Sessions, queues, retries, throttling and memory are the core's.
import type { MessagePart } from '#adapters/text/part.ts';
import type { MonotonicMs } from '#base/clock.ts';
import type { PlaceNames } from '#engine/wire/channels/place-names.ts';
import type { Address, ChatKind, Platform } from './address.ts';
import type { Ephemeral } from './ephemeral-part.ts';
import type { FileRef, MessageEvent, Sink } from './inbound.ts';

/** What a call does in a chat, as far as rates go. `live` is one step of a live surface. */
export type CallType = 'send' | 'edit' | 'remove' | 'live' | 'typing' | 'react';

/** At most `calls` of these acts within any `perMs`: what a platform asks for without saying it in headers. */
export interface DocumentedRate {
  acts: readonly CallType[];
  /** Counted for each chat on its own, or over all chats of the account. */
  per: 'chat' | 'account';
  /** Kinds of chat that it holds for; all when absent. */
  kinds?: readonly ChatKind[] | undefined;
  calls: number;
  perMs: number;
}

/** What an answer's headers said of one kind of call in one place. */
export interface RateLimitHeaders {
  /** The thread where the platform counts threads on their own, else the chat. */
  place: string;
  act: CallType;
  limit: number;
  remaining: number;
  /** Milliseconds from now until all of `limit` is free again. */
  resetAfterMs: number;
}

/** The name of the bot whose token has no name. */
export const mainAccount = 'main';

/** A channel as people and the status name it: `telegram`, or `telegram/counsel` for a further bot. */
export function channelName({ platform, accountName }: Pick<Channel, 'platform' | 'accountName'>): string {
  return accountName === undefined ? platform : `${platform}/${accountName}`;
}

export interface ChannelCapabilities {
  /** Least time between two steps of answers in progress, in one chat, by its kind; in milliseconds. */
  editGapMs: Record<ChatKind, number>;
  /** How long a typing indicator lasts on this platform, in milliseconds; it is refreshed before that. */
  typingMs: number;
  /** True when a repeated send with the same key cannot post twice. */
  idempotentSend: boolean;
  /** How long the platform knows the key of a send, in milliseconds; without end when absent. */
  idempotentForMs?: number | undefined;
  /** Characters at which the platform's apps split what is pasted into messages; absent where they do not. */
  splitsAt?: number | undefined;
  /** What may be sent as a file (see file-part.ts); absent where no files can be sent. */
  files?: { limitBytes: number } | undefined;
  /** The platform's documented rates; absent where its headers say all there is to know. */
  pace?: readonly DocumentedRate[] | undefined;
  /** True when a thread has rate limits of its own, as a chat has; otherwise its calls count with its chat's. */
  threadsLimitedAlone?: boolean | undefined;
}

export interface Receipt {
  /** The platform's id of the message that now stands. */
  nativeID: string;
}

export type FailureKind =
  | 'transient'
  | 'rate_limit'
  | 'auth'
  | 'permission'
  | 'gone'
  | 'invalid'
  | 'too_long'
  | 'conflict';

export interface ChannelFailure {
  kind: FailureKind;
  /** What happened and what to do, without secrets. */
  words: string;
  retryAfterMs?: number | undefined;
  /** A rate limit that counts for every chat of the account, not only for this one. */
  wholeAccount?: boolean | undefined;
  /** A rate limit on this kind of call only: other calls are free. */
  sameActOnly?: boolean | undefined;
  /** The platform may have carried out the call although no answer came. */
  maybeDelivered: boolean;
  /** Neither the platform nor the network failed: something has another form than expected, or it is a bug. */
  unexpected?: true | undefined;
}

export interface SendOptions {
  /** At most 25 characters, the same for every attempt at one part: nonce, metadata or nothing, as the platform can. */
  key: string;
  /** The message that is answered, where the platform shows replies. */
  replyTo?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * How long a platform may still be at work on a call whose connection was lost, in milliseconds: before that is over, what is
 * not there may still appear, and what is there may still be changed by it.
 */
export const settledMs = 3_000;

/** Where a live surface has its messages committed, so that a restart finds them. */
export interface StreamingMessages {
  /** Commits that a message is about to be begun and resolves with its key (at most 25 characters); again the same until it was posted. */
  intend(): Promise<string>;
  /** Commits the platform's id of that message. */
  posted(nativeID: string): Promise<void>;
}

export interface StreamingOptions {
  address: Address;
  /** Who is answered: the `Actor.id` of the message. */
  actor: string;
  /** The same for every attempt at one answer. */
  key: string;
  messages: StreamingMessages;
  /** To be called when the person presses the surface's stop button, also while nothing is updated. */
  stopped(): void;
}

/** `more`: shown in part, to be called again at once; `refused`: the core continues with post and edit. */
export type StreamingOutcome = 'shown' | 'more' | 'refused' | 'stopped by user';

/** An answer in progress on a surface of the platform's own. Nothing shown here counts as delivered. */
export interface StreamingSurface {
  /**
   * When it wants `update` even with the same text: a draft before it fades, a stream
   * before it expires. Undefined while it does not.
   */
  renewAt(): MonotonicMs | undefined;
  /** Shows the answer so far; at most one call to the platform. Throws what `explain` understands. */
  update(markdown: string): Promise<StreamingOutcome>;
  /**
   * Ends the surface with the answer so far, whether or not one follows through the outbox; at most one call. Nothing is shown after
   * it. Absent where it ends on its own. Not called while the platform asks for a pause.
   */
  finish?(markdown: string): Promise<void>;
  /** Once it has finished: whether all that it left is one message that shows exactly this part. Absent where nothing is left. */
  exists?(part: MessagePart): boolean;
  /** Lets go of all that the surface holds, without a call; called once, in any case, after everything else. Absent where it holds nothing. */
  close?(): void;
}

/** A button: what is written when it is pressed, and its words. */
export interface Button {
  /** At most 64 bytes of ASCII. */
  id: string;
  label: string;
}

/** A message that was already in a room or thread. */
export interface ThreadMessage {
  nativeID: string;
  /** When it was sent, in milliseconds since the epoch. */
  at: number;
  author: string;
  fromBot: boolean;
  /** Its words, with what embeds, attachments and blocks say. */
  text: string;
  files?: readonly FileRef[] | undefined;
}

/** Some of the messages of a thread. Pages may come from either end. */
export interface ThreadPage {
  messages: readonly ThreadMessage[];
  /** There is more of the thread than this page and those before it, as far as is known now. */
  more: boolean;
  /** What the thread is called, with its tags; said once. */
  title?: string | undefined;
}

/**
 * What an account may read of a room at this moment: everything that was ever said there, what was written since it joined, or nothing.
 * `since joining` also where the platform says that the history is hidden from newcomers, or does not say.
 */
export type ReadingRight = 'everything' | 'since joining' | 'nothing';

/** Who reads a room now. */
export interface RoomReaders {
  /** False when everyone of the space may read it. */
  restricted: boolean;
  /** True when someone reads along who may not open all that is open in the space: a guest, or people of another workspace. */
  outsiders: boolean;
}

/**
 * Looks at the platform for who may read what. Each call asks the platform itself, or state that the platform's events update, never an
 * older answer of its own: the core caches them for some minutes. Rejects with what `explain` understands when it cannot be known; the
 * core then shows nothing.
 */
export interface ReadingRights {
  /** What the account (`Actor.id`) may read of this room; of a private thread, with the thread in the address. */
  ofRoom(room: Address, actorID: string, signal: AbortSignal): Promise<ReadingRight>;
  /** Whether the account may open every room that is open in the space of this address: false for guests and for those who are not in it. */
  ofSpace(space: Address, actorID: string, signal: AbortSignal): Promise<boolean>;
  /**
   * Whether the account is no full member of the space that the bot's account belongs to: a guest, or of another workspace. Absent where
   * there are no such accounts.
   */
  isOutsider?(bot: Address, actorID: string, signal: AbortSignal): Promise<boolean>;
  /** Who reads the room. A room that is not there any more is restricted. */
  readers(room: Address, signal: AbortSignal): Promise<RoomReaders>;
  /** The platform sends no event when a room closes; the core then asks before it shows to everyone what was written in an open room. */
  closesSilently?: true;
}

/** What the doctor knows of the account already: some things can only be found while it is connected, others only while it is not. */
export type ConnectionInfo =
  /** Nothing of Parley is connected; `probeSeconds` may be waited for someone else who is. */
  | { connected: false; probeSeconds: number }
  | { connected: true; sinceMs: number; lastInboundMs: number | undefined };

export interface Finding {
  level: 'ok' | 'warning' | 'error';
  what: string;
  hint?: string | undefined;
}

/** One account on one platform. Every call makes exactly one attempt and throws what `explain` understands. */
export interface Channel {
  readonly platform: Platform;
  /** The name of the bot in the config; `mainAccount` when absent. */
  accountName?: string | undefined;
  readonly caps: ChannelCapabilities;
  /**
   * The platform's own time, which dates its messages, in milliseconds since the epoch; undefined before it has said it, absent where
   * its messages are dated by our clock.
   */
  now?(): number | undefined;
  /**
   * Connects and stays pending while connected or reconnecting; resolves when the signal aborts, rejects on a fatal
   * error (a refused token). Awaits `sink.accept` before it acknowledges.
   */
  run(sink: Sink, signal: AbortSignal): Promise<void>;
  /** Markdown to native parts, each within the platform's limit; pure. Never empty for text that is not blank. */
  render(markdown: string): MessagePart[];
  /** The same part with these buttons below it, or with none any more; absent where the platform has no buttons. Pure. */
  withChoices?(part: MessagePart, choices: readonly Button[]): MessagePart;
  /**
   * How something is shown in a room to the sender of this message alone; undefined where that cannot be. Absent where the platform has
   * no such way, or does not promise that it arrives (Telegram's ephemeral messages, Bot API 10.2). Pure.
   */
  ephemeralFor?(event: MessageEvent): Ephemeral | undefined;
  /** Posts exactly one platform message: the text of a part, or the file that it is (`fileIn`); a part with `ephemeralIn` only to that person. */
  send(address: Address, part: MessagePart, options: SendOptions): Promise<Receipt>;
  /**
   * Replaces the content of one of the bot's messages; equal content is no error. Of a placeholder (`MessageEvent.placeholder`) also
   * who sees it, as the part says.
   */
  edit(address: Address, nativeID: string, part: MessagePart): Promise<void>;
  remove(address: Address, nativeID: string): Promise<void>;
  /**
   * Shows that the bot is at work, until it posts or `idle` is called: in the chat, or at `message`, which it answers, where the chat has no
   * such sign. Failures are the caller's to ignore.
   */
  presence(address: Address, state: 'typing' | 'idle', message?: string): Promise<void>;
  react(address: Address, nativeID: string, emoji: string): Promise<void>;
  /** Gives the topic of a direct message this title; absent where the platform has none. Failures are the caller's to ignore. */
  retitle?(address: Address, title: string): Promise<void>;
  /** A better surface for an answer in progress than post and edit; undefined where there is none for this chat. */
  live?(options: StreamingOptions): StreamingSurface | undefined;
  /** Tells the listener every budget that the platform's headers name, as it is read; returns the function that stops it. */
  budgets?(listener: (budget: RateLimitHeaders) => void): () => void;
  /**
   * The message that an earlier attempt with this key posted, where the platform can know: the whole of a part, or a
   * preview, which may hold any piece of the answer and be found by other marks than its key.
   */
  find?(address: Address, key: string, what: 'part' | 'preview'): Promise<Receipt | undefined>;
  /** The same part with the sentence `mark`: needed where sends are neither idempotent (for as long as it takes) nor findable. Still within the limit. */
  markRepeat?(part: MessagePart, mark: string): MessagePart;
  /**
   * The direct message with the account (`Actor.id`), in which the bot may begin to talk; undefined where it may not. Absent where nobody
   * can be written to who has not written before.
   */
  direct?(from: Address, actorID: string): Promise<Address | undefined>;
  /**
   * The newest of what was written in the address's thread, or in the room where it names none, before this message, oldest first: at
   * most `limit` messages from one call. Where the platform gives bots no history, what this process has received; absent where nothing of that is held.
   */
  earlier?(
    address: Address,
    before: { nativeID: string; limit: number },
    signal: AbortSignal,
  ): Promise<ThreadMessage[]>;
  /**
   * The address's thread before this message, in pages until there are about `limit` messages, the newest among them as far as
   * the platform lets them be reached; absent where the platform gives bots no history.
   */
  thread?(
    address: Address,
    before: { nativeID: string; limit: number },
    signal: AbortSignal,
  ): AsyncIterable<ThreadPage>;
  /** Who may read what; absent where there are only direct messages. */
  rights?: ReadingRights;
  /** A capped stream of a file that came with a message. */
  open?(file: FileRef, limitBytes: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /**
   * What a room is called now, by at most two calls; absent where names only come with events. With `threads` also a thread, as its
   * address says. Rejects with what `explain` understands.
   */
  placeNames?: { threads: boolean; of(address: Address, signal: AbortSignal): Promise<PlaceNames> };
  /** The time zone that the account (`Actor.id`) has set on the platform, as an IANA name; absent where it says none. */
  zoneOf?(actorID: string, signal: AbortSignal): Promise<string | undefined>;
  explain(error: unknown): ChannelFailure;
  /** Findings for the doctor: token, intents, scopes, what stands in the way, and whether it may write in these rooms. */
  check(standing?: ConnectionInfo, rooms?: readonly Address[]): Promise<Finding[]>;
}
