// What all three sandbox servers have in common: a small world, a way to act in it as a user, and faults on demand.
// Nothing here is known to the gateway: it meets the sandbox only through the platforms' own protocols.

export type SandboxPlatform = 'discord' | 'telegram' | 'slack';

/** A person in the sandbox. `you` is the newcomer at the page; `guest` is someone else. */
export type SandboxUser = 'you' | 'guest';

/** What they are called everywhere. */
export const displayNames: Readonly<Record<SandboxUser, string>> = { you: 'Robin', guest: 'Guest' };

/** The words above the link of the page where it is printed; who opens the page without its key is shown them. */
export const linkWords = 'Open this link and talk to the bot; everyone who has it speaks as the owner:';

/** `dm` is the user's direct message with the bot, `room` a room that everyone may read, `private` one that only `you` and the bot are in. */
export type SandboxChat = 'dm' | 'room' | 'private';

/** A file that someone sends, or that is in a message. */
export interface SandboxFile {
  name: string;
  mime: string;
  bytes: Uint8Array;
  /** Spoken into the client's own recorder, which marks it as a voice message. */
  voice?: true | undefined;
  /** How long the client says that it lasts; 3 seconds when absent. */
  seconds?: number | undefined;
}

export interface Say {
  chat: SandboxChat;
  user: SandboxUser;
  text: string;
  /** Puts the platform's own mention of the bot in front. */
  mention?: boolean | undefined;
  /** Id of the message that is answered. */
  replyTo?: string | undefined;
  thread?: string | undefined;
  /** Sent along; `text` is their caption and may be empty. */
  files?: readonly SandboxFile[] | undefined;
}

/** A message as the platform's client would show it. */
export interface ShownMessage {
  id: string;
  chat: SandboxChat;
  /** Whose direct message it is in; `you` for rooms. */
  user: SandboxUser;
  author: 'bot' | SandboxUser;
  /** Plain text, markup removed as the client would render it. */
  text: string;
  blocks: ShownBlock[];
  edited: boolean;
  reactions: string[];
  /** Those of them that the person who looks has given. */
  ownReactions: string[];
  replyTo?: string | undefined;
  thread?: string | undefined;
  /** Files in the message, in the order in which they stand. */
  files?: readonly SandboxFile[] | undefined;
  /** Labels of the buttons below it, in order; absent where there are none. */
  buttons?: readonly string[] | undefined;
  /** True: shown to this person alone, and marked so by the client. */
  onlyYou?: boolean | undefined;
  at: number;
}

/** What a client shows on top of its chats for a moment; no message. */
export interface ShownAlert {
  /** Grows with each. */
  id: number;
  text: string;
}

/** What the bot is writing and has not sent: shown apart, gone on its own, no message. */
export interface ShownDraft {
  text: string;
  blocks: ShownBlock[];
}

export type ShownStyle = 'bold' | 'italic' | 'strike' | 'code' | 'underline' | 'spoiler' | 'mention';

export interface ShownRun {
  text: string;
  styles: ShownStyle[];
  url?: string | undefined;
}

/** The rendered form, for the page: what a person sees, by block. */
export type ShownBlock =
  | { kind: 'paragraph' | 'quote'; runs: ShownRun[] }
  | { kind: 'heading'; level: number; runs: ShownRun[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'item'; depth: number; marker: string; runs: ShownRun[] };

/**
 * `acknowledge`: Discord's answer to an interaction within three seconds; nothing elsewhere. `file`: a send with a file; on Slack the call
 * that ends an upload, which is no `send` there.
 */
export type FaultTarget = 'send' | 'file' | 'edit' | 'typing' | 'receive' | 'acknowledge' | 'any';

/** Something that goes wrong for the next `times` calls that fit `target`. */
export type Fault =
  | { kind: 'rate_limit'; target: FaultTarget; times: number; retryAfterMs: number }
  | { kind: 'server_error'; target: FaultTarget; times: number }
  /** The call takes effect, but its answer never arrives: the connection is closed instead. */
  | { kind: 'lost_response'; target: FaultTarget; times: number }
  | { kind: 'slow'; target: FaultTarget; times: number; delayMs: number }
  /** Closes the live connection (gateway, long poll, Socket Mode) now. */
  | { kind: 'drop_socket' }
  /** Discord: the session cannot be resumed. Elsewhere the same as `drop_socket`. */
  | { kind: 'invalid_session' };

/** A person presses a button: the one at this place (from 0) below the bot's message. */
export interface PressButton {
  id: string;
  user: SandboxUser;
  at: number;
}

/** A person puts a reaction to a message, or takes it back; `emoji` as the platform's events write it (on Slack a name). */
export interface React {
  id: string;
  user: SandboxUser;
  emoji: string;
  taken?: 'back' | undefined;
}

export interface SandboxServer {
  readonly platform: SandboxPlatform;
  /** Base URL for the client library: Discord `apiUrl`, Telegram `apiUrl`, Slack `apiUrl`. */
  readonly url: string;
  /** Tokens that this server takes. */
  readonly tokens: { bot: string; app?: string | undefined };
  /** The platform's id of a user, as an adapter will report it in `actor.id`. */
  userID(user: SandboxUser): string;
  /** Posts as a user and delivers it to connected clients; resolves with the message's id at once. */
  say(say: Say): Promise<{ id: string }>;
  editMessage(id: string, text: string): Promise<void>;
  deleteMessage(id: string): Promise<void>;
  /** Delivers the event of an earlier message again, as the platform does after a missed acknowledgement. */
  redeliver(id: string): Promise<void>;
  /** Messages of a chat, oldest first. */
  shown(chat: SandboxChat, user: SandboxUser): ShownMessage[];
  /** Presses one and sends that to the bot; a ParleyError `no_such_button` where there is none. */
  pressButton(press: PressButton): void;
  /** Puts a reaction or takes it back, and sends that to the bot; what is there already changes nothing. */
  react(reaction: React): void;
  /** What only this person was shown: the bot's answers to presses. */
  whispers(user: SandboxUser): string[];
  /** The newest of them, where the client shows it as no message. */
  alert?(user: SandboxUser): ShownAlert | undefined;
  /** Whether a person sees the bot at work there. */
  typing(chat: SandboxChat, user: SandboxUser): boolean;
  /** What the bot is writing there, where the platform shows that without a message. */
  draft?(chat: SandboxChat, user: SandboxUser): ShownDraft | undefined;
  inject(fault: Fault): void;
  /** Called after anything that a person would see changes; returns the way to stop. */
  onChange(listener: () => void): () => void;
  /** Every API call so far, for tests: method or route, status, time. */
  calls(): { name: string; status: number; at: number }[];
  close(): Promise<void>;
}
