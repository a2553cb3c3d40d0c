// The small world behind the sandbox's Discord: who and what exists, kept in memory. It knows no payloads and no sockets.

import type { SandboxChat, SandboxFile, SandboxUser, ShownBlock } from '#adapters/sandbox/contract.ts';
import { rememberBlocks } from '#adapters/sandbox/shown.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { Interaction } from './interactions.ts';
import type { ComponentRows, Press } from './presses.ts';
import { createSnowflakes, type NewSnowflake } from './snowflake.ts';

export interface Person {
  id: string;
  username: string;
  globalName: string | undefined;
  kind: 'person' | 'bot';
}

interface ChannelBase {
  id: string;
  lastMessageID: string | undefined;
}
/** Who may read a room: everyone, only `you` and the bot, or everyone but the bot. */
export type Readers = 'everyone' | 'you and the bot' | 'people only';
export type Room = ChannelBase & { kind: 'room'; name: string; readers: Readers; position: number };
export type DirectChannel = ChannelBase & { kind: 'dm'; personID: string };
export type Thread = ChannelBase & {
  kind: 'thread';
  name: string;
  parentID: string;
  ownerID: string;
  privacy: 'public' | 'private';
  createdAt: number;
};
export type Channel = Room | DirectChannel | Thread;

/** A file in a message, as the CDN holds it. */
export interface Attachment extends SandboxFile {
  id: string;
  /** Part of its path: the channel it was sent to. */
  channelID: string;
}

export interface Message {
  id: string;
  channelID: string;
  authorID: string;
  content: string;
  at: number;
  editedAt: number | undefined;
  /** The message that is answered; `gone` when it was deleted since. */
  replyTo: { id: string; pings: 'author' | 'nobody' } | undefined;
  nonce: string | number | undefined;
  mentionIDs: string[];
  mentionRoleIDs: string[];
  mentionsEveryone: 'yes' | 'no';
  reactions: Map<string, Set<string>>;
  embeds: { type: 'link'; url: string; title: string }[];
  attachments: Attachment[];
  components: ComponentRows;
  /** The message answers a slash command; `thinking` until there is something to read. */
  reply: CommandReply | undefined;
}

export interface CommandReply {
  interactionID: string;
  /** Who ran the command. */
  personID: string;
  name: string;
  state: 'thinking' | 'said';
}

/** What one person alone is shown in a channel; their client forgets it. */
export interface Whisper {
  id: string;
  channelID: string;
  personID: string;
  content: string;
  at: number;
}

/** Something that happened, for the gateway to tell and the page to show. */
export type Happening =
  | { type: 'posted'; message: Message }
  | { type: 'changed'; message: Message }
  | { type: 'removed'; message: Message }
  | { type: 'thread opened'; thread: Thread }
  | { type: 'reacted' | 'unreacted'; message: Message; emoji: string; personID: string }
  | { type: 'typing'; channelID: string }
  | { type: 'command run'; interaction: Interaction }
  | { type: 'button pressed'; press: Press }
  | { type: 'whispered'; whisper: Whisper };

export interface World {
  clock: Clock;
  newID: NewSnowflake;
  guildID: string;
  guildName: string;
  bot: Person;
  botRoleID: string;
  people: Map<string, Person>;
  channels: Map<string, Channel>;
  /** Messages of each channel, oldest first. */
  messages: Map<string, Message[]>;
  whispers: Whisper[];
  you: Person;
  guest: Person;
  typingUntil: Map<string, number>;
  /** The link of an attachment; the CDN sets it. */
  urlOf(attachment: Attachment): string;
  /** What people see for a text in Markdown. */
  blocksOf(markdown: string): ShownBlock[];
  tell(happening: Happening): void;
  /** Calls the listener after each happening; returns the way to stop. */
  listen(listener: (happening: Happening) => void): () => void;
}

/** Most messages that a channel keeps; the oldest go first. */
export const keptMessages = 5000;

/** A guild with an open room, a private one and one that the bot may not see, the bot, `you`, `guest` and their direct messages. */
export function createWorld(clock: Clock): World {
  const newID = createSnowflakes(clock);
  const person = (username: string, globalName: string): Person => ({
    id: newID(),
    username,
    globalName,
    kind: 'person',
  });
  const guildID = newID();
  const bot: Person = { id: newID(), username: 'parley', globalName: undefined, kind: 'bot' };
  const you = person('you', 'You');
  const guest = person('guest', 'Guest');
  const channels: Channel[] = [
    room(newID(), { name: 'general', readers: 'everyone', position: 0 }),
    room(newID(), { name: 'private', readers: 'you and the bot', position: 1 }),
    room(newID(), { name: 'staff', readers: 'people only', position: 2 }),
    { kind: 'dm', id: newID(), personID: you.id, lastMessageID: undefined },
    { kind: 'dm', id: newID(), personID: guest.id, lastMessageID: undefined },
  ];
  const listeners = new Set<(happening: Happening) => void>();
  return {
    clock,
    newID,
    guildID,
    guildName: 'Sandbox',
    blocksOf: rememberBlocks(),
    bot,
    botRoleID: newID(),
    people: new Map([bot, you, guest].map((one) => [one.id, one])),
    channels: new Map(channels.map((channel) => [channel.id, channel])),
    messages: new Map(),
    whispers: [],
    you,
    guest,
    typingUntil: new Map(),
    urlOf: () => '',
    tell(happening) {
      for (const listener of [...listeners]) listener(happening);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function room(id: string, rest: { name: string; readers: Readers; position: number }): Room {
  return { kind: 'room', id, lastMessageID: undefined, ...rest };
}

/** The channel that a chat of the contract means for this user; a ParleyError `not_in_chat` where the user may not be. */
export function channelOf(world: World, chat: SandboxChat, user: SandboxUser): DirectChannel | Room {
  for (const channel of world.channels.values()) {
    if (chat === 'dm' && channel.kind === 'dm' && channel.personID === world[user].id) return channel;
    if (channel.kind !== 'room') continue;
    if (chat === 'room' && channel.readers === 'everyone') return channel;
    if (chat === 'private' && channel.readers === 'you and the bot' && user === 'you') return channel;
  }
  throw new ParleyError('not_in_chat', `Expected a chat that "${user}" is in, got "${chat}".`, {
    cure: 'Speak as "you" in the private room.',
  });
}

/** The room that a channel belongs to: a thread's parent, otherwise the channel itself. */
export function homeOf(world: World, channel: Channel): Room | DirectChannel {
  if (channel.kind !== 'thread') return channel;
  const parent = world.channels.get(channel.parentID);
  if (parent === undefined || parent.kind === 'thread')
    throw new ParleyError('unknown_channel', `The thread ${channel.id} has no parent.`);
  return parent;
}

/** The message with this id, wherever it stands. */
export function findMessage(world: World, id: string): Message | undefined {
  for (const messages of world.messages.values()) {
    const found = messages.find((message) => message.id === id);
    if (found !== undefined) return found;
  }
  return undefined;
}
