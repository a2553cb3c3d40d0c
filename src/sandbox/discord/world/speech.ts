// What changes the sandbox's world: posting, editing, deleting, reacting, threads. Rules of the API are the routes' business.

import { ParleyError } from '#base/errors.ts';
import type { SandboxFile } from '#sandbox/contract.ts';
import type { MessageExtras } from './cards.ts';
import type { ComponentRows } from './component-rows.ts';
import {
  guildOf,
  maxMessages,
  type Thread,
  type World,
  type WorldChannel,
  type WorldMessage,
} from './world.ts';

/** What of a text may reach people: everything it names, or only what is listed. */
export interface Pings {
  people: 'all' | readonly string[];
  roles: 'all' | readonly string[];
  everyone: 'yes' | 'no';
  repliedUser: 'yes' | 'no';
}

/** As the client posts when nothing is said about mentions. */
export const allPings: Pings = { people: 'all', roles: 'all', everyone: 'yes', repliedUser: 'yes' };

interface NewMessage {
  channel: WorldChannel;
  authorID: string;
  content: string;
  pings: Pings;
  replyTo?: string | undefined;
  nonce?: string | number | undefined;
  files?: readonly SandboxFile[] | undefined;
  components?: ComponentRows | undefined;
  /** The slash command that it answers. */
  reply?: WorldMessage['reply'];
  extras?: MessageExtras | undefined;
}

/** A forum post and its first message have one id ("Start Thread in Forum or Media Channel"). */
function isFirstOfPost(world: World, channel: WorldChannel): boolean {
  if (channel.kind !== 'thread' || (world.messages.get(channel.id)?.length ?? 0) > 0) return false;
  const parent = world.channels.get(channel.parentID);
  return parent?.kind === 'room' && parent.type === 'forum';
}

/** Posts the message and lets the world report it. */
export function post(world: World, draft: NewMessage): WorldMessage {
  const answered = draft.replyTo === undefined ? undefined : world.byID.get(draft.replyTo);
  const message: WorldMessage = {
    ...(draft.extras ?? { embeds: [] }),
    id: isFirstOfPost(world, draft.channel) ? draft.channel.id : world.newID(),
    channelID: draft.channel.id,
    authorID: draft.authorID,
    at: world.clock.now(),
    editedAt: undefined,
    replyTo:
      draft.replyTo === undefined
        ? undefined
        : { id: draft.replyTo, pings: draft.pings.repliedUser === 'yes' ? 'author' : 'nobody' },
    nonce: draft.nonce,
    reactions: new Map(),
    components: draft.components ?? [],
    reply: draft.reply,
    attachments: (draft.files ?? []).map((file) => ({
      ...file,
      id: world.newID(),
      channelID: draft.channel.id,
    })),
    ...named(world, { ...draft, channelID: draft.channel.id }, answered),
  };
  const all = world.messages.get(draft.channel.id) ?? [];
  all.push(message);
  world.byID.set(message.id, message);
  const oldest = all.length > maxMessages ? all.shift() : undefined;
  if (oldest !== undefined) world.forget(oldest);
  world.messages.set(draft.channel.id, all);
  draft.channel.lastMessageID = message.id;
  if (draft.authorID === world.bot.id) world.typingUntil.delete(draft.channel.id);
  world.notify({ type: 'posted', message });
  return message;
}

/** Replaces the text and marks the message as edited; a text in the place of a command's sign is the first one. */
export function rewrite(
  world: World,
  message: WorldMessage,
  change: { content: string; pings: Pings; components?: ComponentRows | undefined },
): void {
  const answered = message.replyTo === undefined ? undefined : world.byID.get(message.replyTo.id);
  Object.assign(message, named(world, { ...change, channelID: message.channelID }, answered));
  if (change.components !== undefined) message.components = change.components;
  if (message.reply?.state === 'thinking') message.reply.state = 'said';
  else message.editedAt = world.clock.now();
  world.notify({ type: 'changed', message });
}

/** Adds a link's preview some time after the post, as Discord does: the text and `edited_timestamp` stay. */
export function unfurl(world: World, message: WorldMessage): void {
  message.embeds = [{ type: 'link', url: 'https://example.com/', title: 'Example' }];
  world.notify({ type: 'changed', message });
}

export function remove(world: World, message: WorldMessage): void {
  drop(world, message.channelID, [message]);
  world.notify({ type: 'removed', message });
}

/** Removes several at once, as a moderator's bulk delete does, and a ban that takes what was written along. */
export function removeTogether(world: World, channelID: string, messages: readonly WorldMessage[]): void {
  drop(world, channelID, messages);
  world.notify({ type: 'removed together', channelID, ids: messages.map(({ id }) => id) });
}

function drop(world: World, channelID: string, messages: readonly WorldMessage[]): void {
  const gone = new Set(messages);
  for (const message of messages) world.forget(message);
  const all = world.messages.get(channelID) ?? [];
  world.messages.set(
    channelID,
    all.filter((message) => !gone.has(message)),
  );
}

export function react(world: World, message: WorldMessage, emoji: string): void {
  const people = message.reactions.get(emoji) ?? new Set();
  if (people.has(world.bot.id)) return;
  message.reactions.set(emoji, people.add(world.bot.id));
  world.notify({ type: 'reacted', message, emoji, personID: world.bot.id });
}

export function unreact(world: World, message: WorldMessage, emoji: string): void {
  const people = message.reactions.get(emoji);
  if (people?.delete(world.bot.id) !== true) return;
  if (people.size === 0) message.reactions.delete(emoji);
  world.notify({ type: 'unreacted', message, emoji, personID: world.bot.id });
}

/** Opens a thread; one that starts at a message has that message's id. */
export function openThread(
  world: World,
  thread: Pick<Thread, 'name' | 'parentID' | 'ownerID' | 'privacy'> & {
    from?: WorldMessage | undefined;
    /** Who is in it from the beginning, next to its owner. */
    members?: readonly string[] | undefined;
  },
): Thread {
  const { from, members = [], ...rest } = thread;
  const guild = guildOf(world, thread.parentID);
  if (guild === undefined)
    throw new ParleyError('unknown_channel', `Expected a room of a guild, got ${thread.parentID}.`);
  const id = from?.id ?? world.newID();
  if (world.channels.has(id)) throw new ParleyError('thread_exists', `There is a thread at ${id} already.`);
  const opened: Thread = {
    kind: 'thread',
    id,
    guildID: guild.id,
    lastMessageID: undefined,
    createdAt: world.clock.now(),
    members: new Map([thread.ownerID, ...members].map((personID) => [personID, world.clock.now()])),
    ...rest,
  };
  world.channels.set(id, opened);
  const siblings = world.threads.get(thread.parentID) ?? new Set();
  world.threads.set(thread.parentID, siblings.add(id));
  world.notify({ type: 'thread opened', thread: opened });
  if (from !== undefined) world.notify({ type: 'changed', message: from });
  return opened;
}

/** The text as it is stored, with which person it names: Discord trims it and resolves mentions outside of code. */
function named(
  world: World,
  message: { channelID: string; content: string; pings: Pings },
  answered: WorldMessage | undefined,
): Pick<WorldMessage, 'content' | 'mentionIDs' | 'mentionRoleIDs' | 'mentionsEveryone'> {
  const content = message.content.trim();
  const botRoleID = guildOf(world, message.channelID)?.botRoleID;
  const spoken = content.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  const { pings } = message;
  const ids = [...spoken.matchAll(/<@!?(\d+)>/g)].map((match) => match[1] ?? '');
  const mentionIDs = ids.filter(
    (id) => world.people.has(id) && (pings.people === 'all' || pings.people.includes(id)),
  );
  if (answered !== undefined && pings.repliedUser === 'yes') mentionIDs.push(answered.authorID);
  const roles = [...spoken.matchAll(/<@&(\d+)>/g)].map((match) => match[1] ?? '');
  const mentionRoleIDs = roles.filter(
    (id) =>
      botRoleID !== undefined && id === botRoleID && (pings.roles === 'all' || pings.roles.includes(id)),
  );
  return {
    content,
    mentionIDs: [...new Set(mentionIDs)],
    mentionRoleIDs: [...new Set(mentionRoleIDs)],
    mentionsEveryone: pings.everyone === 'yes' && /@(everyone|here)\b/.test(spoken) ? 'yes' : 'no',
  };
}
