// The contract of a platform account: what an adapter owns. Sessions, queues, retries, throttling and memory are the core's.
import type { Part } from '#adapters/text/part.ts';
import type { MonotonicMs } from '#base/clock.ts';
import type { Address, ChatKind, Platform } from './address.ts';
import type { Ephemeral } from './ephemeral-part.ts';
import type { FileRef, MessageEvent, Sink } from './inbound.ts';

/** What a call does in a chat, as far as rates go. `live` is one step of a live surface. */
export type Act = 'send' | 'edit' | 'remove' | 'live' | 'typing' | 'react';

/** At most `calls` of these acts within any `perMs`: what a platform asks for without saying it in headers. */
export interface Pace {
  acts: readonly Act[];
  /** Counted in each chat by itself, or over all chats of the account. */
  per: 'chat' | 'account';
  /** Kinds of chat that it holds for; all when absent. */
  kinds?: readonly ChatKind[] | undefined;
  calls: number;
  perMs: number;
}

/** What an answer's headers said of one kind of call in one place. */
export interface Budget {
  /** The thread where the platform counts threads by themselves, else the chat. */
  place: string;
  act: Act;
  limit: number;
  remaining: number;
  /** Milliseconds from now until all of `limit` is free again. */
  resetAfterMs: number;
}

export interface Caps {
  /** Least time between two steps of answers in the making, in one chat, by its kind; in milliseconds. */
  editGapMs: Record<ChatKind, number>;
  /** How long a typing sign lasts on this platform, in milliseconds; it is refreshed before that. */
  typingMs: number;
  /** True when a repeated send with the same key cannot post twice. */
  idempotentSend: boolean;
  /** What may be sent as a file (see file-part.ts); absent where no files can be sent. */
  files?: { limitBytes: number } | undefined;
  /** The platform's documented rates; absent where its headers say all there is to know. */
  pace?: readonly Pace[] | undefined;
  /** True when a thread has rate limits of its own, as a chat has; else its calls count with its chat's. */
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

export interface Failure {
  kind: FailureKind;
  /** What happened and what to do, without secrets. */
  words: string;
  retryAfterMs?: number | undefined;
  /** A rate limit that stands for every chat of the account, not for this one. */
  wholeAccount?: boolean | undefined;
  /** A rate limit on this kind of call alone: other calls are free. */
  sameActOnly?: boolean | undefined;
  /** The platform may have carried out the call although no answer came. */
  maybeDelivered: boolean;
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
 * not there may still come, and what stands may still be changed by it.
 */
export const settledMs = 3_000;

/** Where a live surface has its messages committed, so that a restart finds them. */
export interface LiveMessages {
  /** Commits that a message is about to be begun and resolves with its key (at most 25 characters); again the same until it was posted. */
  intend(): Promise<string>;
  /** Commits the platform's id of that message. */
  posted(nativeID: string): Promise<void>;
}

export interface LiveOptions {
  address: Address;
  /** Who is answered: the `Actor.id` of the message. */
  actor: string;
  /** The same for every attempt at one answer. */
  key: string;
  messages: LiveMessages;
  /** To be called when the person presses the surface's stop button, also while nothing is updated. */
  stopped(): void;
}

/** `more`: shown in part, to be called again at once; `refused`: the core goes on with post and edit. */
export type LiveOutcome = 'shown' | 'more' | 'refused' | 'stopped by user';

/** An answer in the making on a surface of the platform's own. Nothing shown here counts as delivered. */
export interface Live {
  /**
   * When it wants `update` even with the same text: a draft before it fades, a stream
   * before it expires. Undefined while it does not.
   */
  renewAt(): MonotonicMs | undefined;
  /** Shows the answer so far; at most one call to the platform. Throws what `explain` understands. */
  update(markdown: string): Promise<LiveOutcome>;
  /**
   * Ends the surface with the answer so far, whether or not one follows through the outbox; at most one call. Nothing is shown after
   * it. Absent where it ends by itself. Not called while the platform asks for a pause.
   */
  finish?(markdown: string): Promise<void>;
  /** Once it has finished: whether all that it left is one message that shows exactly this part. Absent where nothing is left. */
  stands?(part: Part): boolean;
  /** Lets go of all that the surface holds, without a call; called once, in any case, after everything else. Absent where it holds nothing. */
  close?(): void;
}

/** A button: what is said when it is pressed, and its words. */
export interface Choice {
  /** At most 64 bytes of ASCII. */
  id: string;
  label: string;
}

/** A message that stood in a room or thread before. */
export interface Earlier {
  nativeID: string;
  /** When it was sent, in milliseconds since the epoch. */
  at: number;
  author: string;
  fromBot: boolean;
  text: string;
}

/**
 * What an account may read of a room at this moment: everything that was ever said there, what was said since it joined, or nothing.
 * `since joining` also where the platform says that the history is hidden from newcomers, or does not say.
 */
export type ReadingRight = 'everything' | 'since joining' | 'nothing';

/** Who reads a room now. */
export interface RoomReaders {
  /** False when everyone of the space may read it. */
  restricted: boolean;
  /** True when somebody reads along who may not open all that is open in the space: a guest, or people of another workspace. */
  outsiders: boolean;
}

/**
 * Looks at the platform for who may read what. Each call asks the platform itself or state that the platform keeps current, never an
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
  /** The platform sends no event when a room closes; the core then asks before it shows to everybody what was said in an open room. */
  closesSilently?: true;
}

/** What the doctor knows of the account already: some things can only be told while it is connected, others only while it is not. */
export type Standing =
  /** Nothing of ours is connected; `probeSeconds` may be waited for somebody else who is. */
  | { connected: false; probeSeconds: number }
  | { connected: true; sinceMs: number; lastInboundMs: number | undefined };

export interface Finding {
  level: 'ok' | 'warning' | 'error';
  what: string;
  cure?: string | undefined;
}

/** One account on one platform. Every call makes exactly one attempt and throws what `explain` understands. */
export interface Channel {
  readonly platform: Platform;
  readonly caps: Caps;
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
  render(markdown: string): Part[];
  /** The same part with these buttons below it, or with none any more; absent where the platform has no buttons. Pure. */
  withChoices?(part: Part, choices: readonly Choice[]): Part;
  /**
   * How the sender of this message alone is shown something in its room; undefined where that cannot be. Absent where the platform has
   * no such way, or does not promise that it arrives (Telegram's ephemeral messages, Bot API 10.2). Pure.
   */
  ephemeralFor?(event: MessageEvent): Ephemeral | undefined;
  /** Posts exactly one platform message: the text of a part, or the file that it is (`fileIn`); a part with `ephemeralIn` to that person alone. */
  send(address: Address, part: Part, options: SendOptions): Promise<Receipt>;
  /**
   * Replaces the content of one of the bot's messages; equal content is no error. Of a placeholder (`MessageEvent.placeholder`) also
   * who sees it, as the part says.
   */
  edit(address: Address, nativeID: string, part: Part): Promise<void>;
  remove(address: Address, nativeID: string): Promise<void>;
  /**
   * Shows that the bot is at work, until it posts or `idle` is told: in the chat, or at `message`, which it answers, where the chat has no
   * such sign. Failures are the caller's to ignore.
   */
  presence(address: Address, state: 'typing' | 'idle', message?: string): Promise<void>;
  react(address: Address, nativeID: string, emoji: string): Promise<void>;
  /** A better surface for an answer in the making than post and edit; undefined where there is none for this chat. */
  live?(options: LiveOptions): Live | undefined;
  /** Tells every budget that the platform's headers name, as it is read; returns the way to stop. */
  budgets?(listener: (budget: Budget) => void): () => void;
  /**
   * The message that an earlier attempt with this key posted, where the platform can tell: the whole of a part, or a
   * preview, which may hold any piece of the answer and be found by other marks than its key.
   */
  find?(address: Address, key: string, what: 'part' | 'preview'): Promise<Receipt | undefined>;
  /** The same part, marked as possibly a repeat: needed where sends are neither idempotent nor findable. Still within the limit. */
  markRepeat?(part: Part): Part;
  /**
   * The direct message with the account (`Actor.id`), in which the bot may begin to talk; undefined where it may not. Absent where nobody
   * can be written to who has not written before.
   */
  direct?(from: Address, actorID: string): Promise<Address | undefined>;
  /**
   * What was said in the address's thread, or in the room where it names none, before this message, oldest first: at most `limit`
   * messages from one call. Where the platform tells bots no history, what this process has heard; absent where nothing is kept of that.
   */
  earlier?(
    address: Address,
    before: { nativeID: string; limit: number },
    signal: AbortSignal,
  ): Promise<Earlier[]>;
  /** Who may read what; absent where there are direct messages alone. */
  rights?: ReadingRights;
  /** A capped stream of a file that came with a message. */
  open?(file: FileRef, limitBytes: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  explain(error: unknown): Failure;
  /** Findings for the doctor: token, intents, scopes, what stands in the way, and whether it may write in these rooms. */
  check(standing?: Standing, rooms?: readonly Address[]): Promise<Finding[]>;
}
