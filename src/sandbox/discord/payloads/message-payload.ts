// Messages and channels as Discord's API and gateway write them. Pure; the simulated gateway decides who sees what.
import { defined } from '#base/json.ts';
import { memberOf, newMember } from '#sandbox/discord/world/guilds.ts';
import {
  type Attachment,
  guildOf,
  type InteractionReply,
  personOf,
  type Whisper,
  type World,
  type WorldMessage,
} from '#sandbox/discord/world/world.ts';
import { threadPayload, typeNumber } from './channel-payload.ts';
import { partialMember, userPayload } from './people-payload.ts';
import { timestamp } from './timestamp.ts';

const hasThread = 1 << 5;
const ephemeral = 1 << 6;
const loading = 1 << 7;
/** "Message Flags". */
const isVoiceMessage = 1 << 13;

/** The message with the one that it answers, one level deep. */
export function messagePayload(world: World, message: WorldMessage) {
  if (message.replyTo === undefined) return basicMessage(world, message);
  const answered = world.byID.get(message.replyTo.id);
  return {
    ...basicMessage(world, message),
    referenced_message: answered === undefined ? null : basicMessage(world, answered),
  };
}

/** A message that only one person sees, as the call that made it is answered. */
export function whisperPayload(world: World, { id, channelID, content, at, state }: Whisper) {
  const message: WorldMessage = {
    ...{ id, channelID, content, at, authorID: world.bot.id, editedAt: undefined, replyTo: undefined },
    ...{ nonce: undefined, mentionIDs: [], mentionRoleIDs: [], mentionsEveryone: 'no', reactions: new Map() },
    ...{ embeds: [], attachments: [], components: [], reply: undefined },
  };
  const flags = ephemeral | (state === 'thinking' ? loading : 0);
  return { ...basicMessage(world, message), type: 20, flags, webhook_id: world.bot.id };
}

export type MessageObject = ReturnType<typeof messagePayload>;

function basicMessage(world: World, message: WorldMessage) {
  const thread = world.channels.get(message.id);
  return {
    id: message.id,
    channel_id: message.channelID,
    type: typeOf(message),
    content: message.content,
    author: authorPayload(world, message),
    ...(message.webhook === undefined ? {} : { webhook_id: message.authorID }),
    ...(message.forwards === undefined ? {} : forwardedPayload(world, message.forwards)),
    mentions: message.mentionIDs.map((id) => userPayload(personOf(world, id))),
    mention_roles: message.mentionRoleIDs,
    mention_everyone: message.mentionsEveryone === 'yes',
    attachments: message.attachments.map((one) => attachmentPayload(world, one)),
    embeds: message.embeds,
    components: message.components,
    timestamp: timestamp(message.at),
    edited_timestamp: message.editedAt === undefined ? null : timestamp(message.editedAt),
    flags:
      (thread === undefined ? 0 : hasThread) |
      (message.reply?.state === 'thinking' ? loading : 0) |
      (message.attachments.some(({ voice }) => voice === true) ? isVoiceMessage : 0),
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
            ...defined({ guild_id: guildOf(world, message.channelID)?.id }),
          },
        }),
    ...(message.reply === undefined ? {} : repliedTo(world, message.reply)),
    ...(message.reactions.size === 0 ? {} : { reactions: reactions(world, message) }),
    ...(thread?.kind === 'thread' ? { thread: threadPayload(world, thread) } : {}),
  };
}

/** A webhook is a user with the webhook's id and the name that it posted under (Discord, "Message Object"). */
function authorPayload(world: World, { webhook, authorID }: WorldMessage) {
  return webhook === undefined
    ? userPayload(personOf(world, authorID))
    : { id: authorID, username: webhook, discriminator: '0000', global_name: null, avatar: null, bot: true };
}

/** The message that is passed on, with a part of its fields and without its author (Discord, "Message Snapshot Object"). */
function forwardedPayload(world: World, forwarded: NonNullable<WorldMessage['forwards']>) {
  const { id, channelID, content, embeds, at, attachments } = forwarded;
  const message = {
    type: 0,
    content,
    embeds,
    attachments: attachments.map((one) => attachmentPayload(world, one)),
    timestamp: timestamp(at),
    edited_timestamp: null,
    flags: 0,
    mentions: [],
    mention_roles: [],
    components: [],
  };
  return {
    message_reference: { type: 1, channel_id: channelID, message_id: id },
    message_snapshots: [{ message }],
  };
}

/**
 * The note at the beginning of a thread that was opened at a message: it has no text and answers with that message (Discord, "Message
 * Types": THREAD_STARTER_MESSAGE). Its id is its own, and earlier than all of the thread.
 */
export function starterPayload(world: World, from: WorldMessage) {
  const { channel_id: channel, ...note } = basicMessage(world, {
    ...from,
    content: '',
    embeds: [],
    attachments: [],
  });
  return {
    ...note,
    id: String(BigInt(from.id) + 1n),
    channel_id: from.id,
    type: 21,
    message_reference: { type: 0, channel_id: channel, message_id: from.id },
    referenced_message: basicMessage(world, from),
  };
}

/** A message, a reply to one, or the answer to a slash command. */
function typeOf({ reply, replyTo }: WorldMessage): 0 | 19 | 20 {
  if (reply !== undefined) return 20;
  return replyTo === undefined ? 0 : 19;
}

function repliedTo(world: World, reply: InteractionReply) {
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
  const { id, name, mime, bytes, voice, seconds = 3 } = attachment;
  const url = world.urlOf(attachment);
  return {
    ...{ id, filename: name, size: bytes.length, url, proxy_url: url, content_type: mime },
    // "Attachment Object": the two fields that only voice messages have
    ...(voice === true && { duration_secs: seconds, waveform: 'AAAA' }),
  };
}

/** The extra fields that a message carries only in the gateway's dispatches. */
export function dispatchedMessage(world: World, message: WorldMessage) {
  const payload = messagePayload(world, message);
  const guild = guildOf(world, message.channelID);
  const channel = world.channels.get(message.channelID);
  if (guild === undefined || channel === undefined) return { ...payload, channel_type: 1 };
  const memberNow = (id: string) =>
    partialMember(world, memberOf(guild, id) ?? newMember(id, world.clock.now()));
  return {
    ...payload,
    channel_type: typeNumber(world, channel),
    guild_id: guild.id,
    ...(message.webhook === undefined ? { member: memberNow(message.authorID) } : {}),
    mentions: message.mentionIDs.map((id) => ({
      ...userPayload(personOf(world, id)),
      member: memberNow(id),
    })),
  };
}

/** The same payload as an app without the Message Content intent gets it, for messages that do not concern it. */
export function withoutContent<T extends MessageObject>(payload: T): T {
  return { ...payload, content: '', embeds: [], attachments: [], components: [] };
}

/** Whether an app without the intent reads this message anyway: its own, direct messages and those that mention it. */
export function concernsBot(world: World, message: WorldMessage): boolean {
  return (
    message.authorID === world.bot.id ||
    guildOf(world, message.channelID) === undefined ||
    message.mentionIDs.includes(world.bot.id)
  );
}

function reactions(world: World, message: WorldMessage) {
  return [...message.reactions].map(([name, people]) => ({
    emoji: { id: null, name },
    count: people.size,
    count_details: { burst: 0, normal: people.size },
    burst_colors: [],
    me_burst: false,
    me: people.has(world.bot.id),
  }));
}
