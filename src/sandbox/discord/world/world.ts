// The small world behind the sandbox's Discord: who and what exists, held in memory. It knows no payloads and no sockets.

import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { SandboxChat, SandboxFile, SandboxUser } from '#sandbox/contract.ts';
import type { rememberBlocks } from '#sandbox/shown.ts';
import type { AppCommand } from './app-command.ts';
import type { MessageExtras, Tagged } from './cards.ts';
import type { ComponentRows } from './component-rows.ts';
import type { Guild, GuildRole, Overwrite } from './guilds.ts';
import type { NewSnowflake } from './snowflake.ts';

/** What stands as the first answer to a command. */
export type Reply = { readers: 'everyone'; message: WorldMessage } | { readers: 'asker'; whisper: Whisper };

/** A command that someone ran. */
export interface Interaction {
  id: string;
  token: string;
  at: number;
  command: Pick<AppCommand, 'id' | 'name'>;
  /** What was put into its one option. */
  text: string | undefined;
  person: WorldPerson;
  channel: WorldChannel;
  /** By whom the application was installed where it was run; a person's own installation is good anywhere. */
  installed: 'guild' | 'person';
  /** Undefined before it was acknowledged; `gone` once its reply was deleted. */
  reply: Reply | 'gone' | undefined;
}

/** A press that the application received. */
export interface Press {
  id: string;
  token: string;
  at: number;
  person: WorldPerson;
  channel: WorldChannel;
  message: WorldMessage;
  customID: string;
  state: 'open' | 'acknowledged';
}

export interface WorldPerson {
  id: string;
  username: string;
  globalName: string | undefined;
  kind: 'person' | 'bot';
}

interface ChannelBase extends Tagged {
  id: string;
  lastMessageID: string | undefined;
}
export type RoomType = 'text' | 'voice' | 'stage' | 'announcement' | 'forum' | 'category';
export type Room = ChannelBase & {
  kind: 'room';
  guildID: string;
  type: RoomType;
  name: string;
  position: number;
  /** By the id of the role or the member. A channel has its own; a category's are copied, not inherited ("Permission Syncing"). */
  overwrites: Map<string, Overwrite>;
  /** Discord's `nsfw`: only for adults. */
  ageRestricted: 'yes' | 'no';
};
export type DirectChannel = ChannelBase & { kind: 'dm'; personID: string };
export type Thread = ChannelBase & {
  kind: 'thread';
  guildID: string;
  name: string;
  parentID: string;
  ownerID: string;
  privacy: 'public' | 'private';
  locked?: true | undefined;
  createdAt: number;
  /** Who was added or has written, and when. Of a public thread everyone who sees its parent may read. */
  members: Map<string, number>;
};
export type WorldChannel = Room | DirectChannel | Thread;

/** A file in a message, as the CDN holds it. */
export interface Attachment extends SandboxFile {
  id: string;
  /** Part of its path: the channel it was sent to. */
  channelID: string;
}

export interface WorldMessage extends MessageExtras {
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
  attachments: Attachment[];
  components: ComponentRows;
  /** The message answers a slash command; `thinking` until there is something to read. */
  reply: InteractionReply | undefined;
}

export interface InteractionReply {
  interactionID: string;
  /** Who ran the command. */
  personID: string;
  name: string;
  state: 'thinking' | 'said';
}

/** What only one person sees in a channel; their client forgets it. */
export interface Whisper {
  id: string;
  channelID: string;
  personID: string;
  content: string;
  at: number;
  state?: InteractionReply['state'] | undefined;
}

/** Something that was written or done in a channel. */
export type ChatEvent =
  | { type: 'posted'; message: WorldMessage }
  | { type: 'changed'; message: WorldMessage }
  | { type: 'removed'; message: WorldMessage }
  | { type: 'removed together'; channelID: string; ids: string[] }
  | { type: 'reacted' | 'unreacted'; message: WorldMessage; emoji: string; personID: string }
  | { type: 'typing'; channelID: string }
  | { type: 'command run'; interaction: Interaction }
  | { type: 'button pressed'; press: Press }
  | { type: 'whispered' | 'whisper gone'; whisper: Whisper };

/** A change of a room or a thread. */
export type ChannelEvent =
  | { type: 'thread opened' | 'thread changed' | 'thread deleted'; thread: Thread }
  | { type: 'threads shown'; room: Room; threads: Thread[] }
  | { type: 'thread members'; thread: Thread; added: string[]; removed: string[] }
  | { type: 'room opened' | 'room changed' | 'room deleted'; room: Room };

/** A change of a guild, of its roles or members. */
export type GuildEvent =
  | { type: 'guild joined' | 'guild changed' | 'guild left' | 'guild unavailable'; guild: Guild }
  | { type: 'role made' | 'role changed' | 'role deleted'; guild: Guild; role: GuildRole }
  | {
      type: 'member joined' | 'member changed' | 'member left' | 'banned' | 'unbanned';
      guild: Guild;
      personID: string;
    };

/** Something that happened, for the gateway to report and the page to show. */
export type WorldEvent = ChatEvent | ChannelEvent | GuildEvent;

export interface World {
  clock: Clock;
  newID: NewSnowflake;
  guilds: Map<string, Guild>;
  /** The guild of the page, with `you` and `guest`, and its rooms. */
  home: Guild;
  rooms: Record<'room' | 'private' | 'hidden', Room>;
  bot: WorldPerson;
  /** The language of the apps of its people. */
  locale: string;
  people: Map<string, WorldPerson>;
  channels: Map<string, WorldChannel>;
  /** Direct messages by the person's id. */
  directs: Map<string, DirectChannel>;
  /** Threads by the id of their parent. */
  threads: Map<string, Set<string>>;
  /** Messages of each channel, oldest first. */
  messages: Map<string, WorldMessage[]>;
  /** The same messages by their id. */
  byID: Map<string, WorldMessage>;
  whispers: Map<string, Whisper[]>;
  you: WorldPerson;
  guest: WorldPerson;
  typingUntil: Map<string, number>;
  /** The link of an attachment; the CDN sets it. */
  urlOf(attachment: Attachment): string;
  /** Takes a message out of `byID` and of what outlasts the process. */
  forget(message: WorldMessage): void;
  /** What people see for a text in Markdown. */
  blocksOf: ReturnType<typeof rememberBlocks>;
  notify(happening: WorldEvent): void;
  /** Calls the listener after each happening; returns the way to stop. */
  listen(listener: (happening: WorldEvent) => void): () => void;
}

/** How many messages a channel holds at most; the oldest go first. */
export const maxMessages = 5000;

/** A room of a guild that is in no world yet. */
export function roomIn(guild: Guild, room: Pick<Room, 'id' | 'type' | 'name' | 'overwrites'>): Room {
  const position = guild.roomIDs.size;
  guild.roomIDs.add(room.id);
  return {
    kind: 'room',
    guildID: guild.id,
    lastMessageID: undefined,
    position,
    ageRestricted: 'no',
    ...room,
  };
}

/** The direct message of a person and the bot; opened where there is none. */
export function directOf(world: World, { id: personID }: WorldPerson): DirectChannel {
  const open = world.directs.get(personID);
  if (open !== undefined) return open;
  const direct: DirectChannel = { kind: 'dm', id: world.newID(), personID, lastMessageID: undefined };
  world.directs.set(personID, direct);
  world.channels.set(direct.id, direct);
  return direct;
}

/** The channel that a chat of the contract means for this user; a ParleyError `not_in_chat` where the user may not be. */
export function channelOf(world: World, chat: SandboxChat, user: SandboxUser): DirectChannel | Room {
  if (chat === 'dm') return directOf(world, world[user]);
  if (chat === 'room' || user === 'you') return world.rooms[chat];
  throw new ParleyError('not_in_chat', `Expected a chat that "${user}" is in, got "${chat}".`, {
    hint: 'Speak as "you" in the private room.',
  });
}

/** The room that a channel belongs to: a thread's parent, otherwise the channel itself. */
export function homeOf(world: World, channel: WorldChannel): Room | DirectChannel {
  if (channel.kind !== 'thread') return channel;
  const parent = world.channels.get(channel.parentID);
  if (parent === undefined || parent.kind === 'thread')
    throw new ParleyError('unknown_channel', `The thread ${channel.id} has no parent.`);
  return parent;
}

/** The guild of a room or thread, undefined for direct messages and for what is not there. */
export function guildOf(world: World, channelID: string): Guild | undefined {
  const channel = world.channels.get(channelID);
  return channel === undefined || channel.kind === 'dm' ? undefined : world.guilds.get(channel.guildID);
}

/** The threads below a room. */
export function threadsOf(world: World, roomID: string): Thread[] {
  return [...(world.threads.get(roomID) ?? [])].flatMap((id) => {
    const thread = world.channels.get(id);
    return thread?.kind === 'thread' ? thread : [];
  });
}

/** The account, or what is left of one that is gone. */
export function personOf(world: World, id: string): WorldPerson {
  return world.people.get(id) ?? { id, username: 'deleted_user', globalName: undefined, kind: 'person' };
}
