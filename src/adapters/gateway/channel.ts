// The contract of a platform account: what an adapter owns. Sessions, queues, retries, throttling and memory are the core's.
import type { Part } from '#adapters/text/part.ts';
import type { Address, ChatKind, Platform } from './address.ts';
import type { FileRef, Sink } from './inbound.ts';

export interface Caps {
  /** Least time between two edits of one message, by kind of chat, in milliseconds. */
  editGapMs: Record<ChatKind, number>;
  /** How long a typing sign lasts on this platform, in milliseconds; it is refreshed before that. */
  typingMs: number;
  /** True when a repeated send with the same key cannot post twice. */
  idempotentSend: boolean;
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
   * Connects and stays pending while connected or reconnecting; resolves when the signal aborts, rejects on a fatal
   * error (a refused token). Awaits `sink.accept` before it acknowledges.
   */
  run(sink: Sink, signal: AbortSignal): Promise<void>;
  /** Markdown to native parts, each within the platform's limit; pure. Never empty for text that is not blank. */
  render(markdown: string): Part[];
  /** Posts exactly one platform message. */
  send(address: Address, part: Part, options: SendOptions): Promise<Receipt>;
  /** Replaces the content of one of the bot's messages; equal content is no error. */
  edit(address: Address, nativeID: string, part: Part): Promise<void>;
  remove(address: Address, nativeID: string): Promise<void>;
  /** Shows that the bot is at work, until it posts or `idle` is told. Failures are the caller's to ignore. */
  presence(address: Address, state: 'typing' | 'idle'): Promise<void>;
  react(address: Address, nativeID: string, emoji: string): Promise<void>;
  /** The message that an earlier attempt with this key posted, where the platform can tell. */
  find?(address: Address, key: string): Promise<Receipt | undefined>;
  /** The same part, marked as possibly a repeat: needed where sends are neither idempotent nor findable. Still within the limit. */
  markRepeat?(part: Part): Part;
  /** A capped stream of a file that came with a message. */
  open?(file: FileRef, limitBytes: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  explain(error: unknown): Failure;
  /** Findings for the doctor: token, intents, scopes, what stands in the way. */
  check(): Promise<Finding[]>;
}
