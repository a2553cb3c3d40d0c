// Messages and channels as Discord's API and gateway write them. Pure; who gets to see what is the gateway's business.
import { defined } from '#base/json.ts';
import { partialMember, permissionBits, userPayload } from './people-payload.ts';
import {
  type Attachment,
  type Channel,
  type CommandReply,
  findMessage,
  type Message,
  type Person,
  type Thread,
  type World,
} from './world.ts';

const viewChannel = permissionBits.viewChannel.toString();
const hasThread = 1 << 5;
const loading = 1 << 7;

/** A time as Discord writes it, with microseconds and an offset. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00');
}

/** The message with the one that it answers, one level deep. */
export function messagePayload(world: World, message: Message) {
  if (message.replyTo === undefined) return basicMessage(world, message);
  const answered = findMessage(world, message.replyTo.id);
  return {
    ...basicMessage(world, message),
    referenced_message: answered === undefined ? null : basicMessage(world, answered),
  };
}

export type MessagePayload = ReturnType<typeof messagePayload>;

function basicMessage(world: World, message: Message) {
  const thread = world.channels.get(message.id);
  return {
    id: message.id,
    channel_id: message.channelID,
    type: typeOf(message),
    content: message.content,
    author: userPayload(personOf(world, message.authorID)),
    mentions: message.mentionIDs.map((id) => userPayload(personOf(world, id))),
    mention_roles: message.mentionRoleIDs,
    mention_everyone: message.mentionsEveryone === 'yes',
    attachments: message.attachments.map((one) => attachmentPayload(world, one)),
    embeds: message.embeds,
    components: message.components,
    timestamp: timestamp(message.at),
    edited_timestamp: message.editedAt === undefined ? null : timestamp(message.editedAt),
    flags: (thread === undefined ? 0 : hasThread) | (message.reply?.state === 'thinking' ? loading : 0),
    pinned: false,
    tts: false,
    ...defined({ nonce: message.nonce }),
    ...(message.replyTo === undefined
      ? {}
      : {
          message_reference: {
            type: 0,
            channel_id: message.channelID,
            message_id: message.replyTo.id,
            ...(guildOf(world, message.channelID) === undefined ? {} : { guild_id: world.guildID }),
          },
        }),
    ...(message.reply === undefined ? {} : repliedTo(world, message.reply)),
    ...(message.reactions.size === 0 ? {} : { reactions: reactions(world, message) }),
    ...(thread?.kind === 'thread' ? { thread: threadPayload(world, thread) } : {}),
  };
}

/** A message, a reply to one, or the answer to a slash command. */
function typeOf({ reply, replyTo }: Message): 0 | 19 | 20 {
  if (reply !== undefined) return 20;
  return replyTo === undefined ? 0 : 19;
}

function repliedTo(world: World, reply: CommandReply) {
  const { interactionID: id, personID, name } = reply;
  const user = userPayload(personOf(world, personID));
  return {
    application_id: world.bot.id,
    webhook_id: world.bot.id,
    interaction: { id, type: 2, name, user },
    interaction_metadata: { id, type: 2, user, authorizing_integration_owners: {} },
  };
}

function attachmentPayload(world: World, attachment: Attachment) {
  const { id, name, mime, bytes } = attachment;
  const url = world.urlOf(attachment);
  return { id, filename: name, size: bytes.length, url, proxy_url: url, content_type: mime };
}

/** The extra fields that a message carries only in the gateway's dispatches. */
export function dispatchedMessage(world: World, message: Message) {
  const payload = messagePayload(world, message);
  if (guildOf(world, message.channelID) === undefined) return { ...payload, channel_type: 1 };
  return {
    ...payload,
    channel_type: world.channels.get(message.channelID)?.kind === 'thread' ? 11 : 0,
    guild_id: world.guildID,
    member: partialMember(world, personOf(world, message.authorID)),
    mentions: message.mentionIDs.map((id) => {
      const person = personOf(world, id);
      return { ...userPayload(person), member: partialMember(world, person) };
    }),
  };
}

/** The same payload as an app without the Message Content intent gets it, for messages that do not concern it. */
export function withoutContent<T extends MessagePayload>(payload: T): T {
  return { ...payload, content: '', embeds: [], attachments: [], components: [] };
}

/** Whether an app without the intent reads this message anyway: its own, direct messages and those that mention it. */
export function concernsBot(world: World, message: Message): boolean {
  return (
    message.authorID === world.bot.id ||
    guildOf(world, message.channelID) === undefined ||
    message.mentionIDs.includes(world.bot.id)
  );
}

/** The guild's id for rooms and threads, undefined for direct messages. */
export function guildOf(world: World, channelID: string): string | undefined {
  return world.channels.get(channelID)?.kind === 'dm' ? undefined : world.guildID;
}

export function channelPayload(world: World, channel: Channel) {
  const common = { id: channel.id, last_message_id: channel.lastMessageID ?? null, flags: 0 };
  switch (channel.kind) {
    case 'dm':
      return { ...common, type: 1, recipients: [userPayload(personOf(world, channel.personID))] };
    case 'thread':
      return threadPayload(world, channel);
    case 'room':
      return {
        ...common,
        type: 0,
        guild_id: world.guildID,
        name: channel.name,
        position: channel.position,
        parent_id: null,
        topic: null,
        nsfw: false,
        rate_limit_per_user: 0,
        permission_overwrites: overwrites(world, channel.readers),
      };
  }
}

function threadPayload(world: World, thread: Thread) {
  const count = world.messages.get(thread.id)?.length ?? 0;
  return {
    id: thread.id,
    type: thread.privacy === 'private' ? 12 : 11,
    last_message_id: thread.lastMessageID ?? null,
    flags: 0,
    guild_id: world.guildID,
    name: thread.name,
    parent_id: thread.parentID,
    rate_limit_per_user: 0,
    owner_id: thread.ownerID,
    thread_metadata: {
      archived: false,
      archive_timestamp: timestamp(thread.createdAt),
      auto_archive_duration: 1440,
      locked: false,
      create_timestamp: timestamp(thread.createdAt),
      ...(thread.privacy === 'private' ? { invitable: true } : {}),
    },
    message_count: count,
    member_count: 2,
    total_message_sent: count,
  };
}

function overwrites(world: World, readers: 'everyone' | 'you and the bot' | 'people only') {
  const deny = (id: string, type: 0 | 1) => ({ id, type, allow: '0', deny: viewChannel });
  const allow = (id: string, type: 0 | 1) => ({ id, type, allow: viewChannel, deny: '0' });
  if (readers === 'everyone') return [];
  if (readers === 'people only') return [deny(world.bot.id, 1)];
  return [deny(world.guildID, 0), allow(world.bot.id, 1), allow(world.you.id, 1)];
}

function reactions(world: World, message: Message) {
  return [...message.reactions].map(([name, people]) => ({
    emoji: { id: null, name },
    count: people.size,
    count_details: { burst: 0, normal: people.size },
    burst_colors: [],
    me_burst: false,
    me: people.has(world.bot.id),
  }));
}

function personOf(world: World, id: string): Person {
  return world.people.get(id) ?? { id, username: 'deleted_user', globalName: undefined, kind: 'person' };
}
