// Everything a person could see in the sandbox at one moment, as JSON for the page. It comes from the servers.
import type {
  SandboxChat,
  SandboxPlatform,
  SandboxServer,
  SandboxUser,
  ShownAlert,
  ShownDraft,
  ShownMessage,
} from './contract.ts';

/** A message without the bytes of its files, which are under `/sandbox/PLATFORM/file/MESSAGE/INDEX`. */
export type StateMessage = Omit<ShownMessage, 'files'> & {
  files?: { name: string; mime: string; size: number }[];
};

export interface ChatState {
  chat: SandboxChat;
  /** Whose direct message it is; `you` for rooms. */
  user: SandboxUser;
  typing: boolean;
  /** Oldest first; the newest 300. */
  messages: StateMessage[];
  /** What the bot is writing, where that is no message yet. */
  draft?: ShownDraft | undefined;
}

export interface SandboxState extends About {
  /** Grows with every change; the `change` events name it. */
  revision: number;
  platforms: PlatformState[];
}

/** What is true of the whole page. */
export interface About {
  /** Which model answers, as text. */
  model: string;
  /** What the person at the page is called. */
  you: string;
}

interface PlatformState {
  platform: SandboxPlatform;
  chats: ChatState[];
  /** What the platform shows `you` on top of the chats. */
  alert?: ShownAlert | undefined;
}

const messagesShown = 300;

/** The chats that are shown, and whose they are. */
export const chats: readonly { chat: SandboxChat; user: SandboxUser }[] = [
  { chat: 'dm', user: 'you' },
  { chat: 'room', user: 'you' },
  { chat: 'private', user: 'you' },
  { chat: 'dm', user: 'guest' },
];

/** What every server shows now. */
export function snapshot(
  servers: readonly SandboxServer[],
  { revision, ...about }: About & Pick<SandboxState, 'revision'>,
): SandboxState {
  return {
    revision,
    ...about,
    platforms: servers.map((server) => ({
      platform: server.platform,
      alert: server.alert?.('you'),
      chats: chats.map(({ chat, user }) => ({
        chat,
        user,
        typing: server.typing(chat, user),
        messages: server.shown(chat, user).slice(-messagesShown).map(withoutBytes),
        draft: server.draft?.(chat, user),
      })),
    })),
  };
}

function withoutBytes({ files, ...message }: ShownMessage): StateMessage {
  if (files === undefined) return message;
  return {
    ...message,
    files: files.map(({ name, mime, bytes }) => ({ name, mime, size: bytes.length })),
  };
}
