// Discord's message payloads as inbound events: pure. A payload that is meant for nobody gives undefined.
import { MessageReferenceType, MessageType } from 'discord.js';
import { cardTexts, wholeText } from '#adapters/discord/payloads/cards.ts';
import { filesOf } from '#adapters/discord/payloads/files.ts';
import type { MessagePayload, PreviewPayload } from '#adapters/discord/payloads/payload.ts';
import type { ChannelContext } from '#adapters/discord/rooms/channel-context.ts';
import {
  type BotMentions,
  type MentionNames,
  mentionsSelf,
  readableText,
} from '#adapters/discord/rooms/mention-text.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type {
  Actor,
  Addressed,
  EditEvent,
  MessageEvent,
  PreviewEvent,
  Quoted,
} from '#adapters/gateway/terms/inbound.ts';
import { defined } from '#base/json.ts';

/** The types of messages that people write; all others are Discord's own notes. */
const written: readonly number[] = [MessageType.Default, MessageType.Reply];

/** Where a mention in a room is answered: in a thread that is opened at it, or in the room. */

/**
 * The event of a posted message. Undefined for the bot's own messages, for system messages and for those that say
 * nothing (without the Message Content intent, everything in rooms that does not mention the bot).
 */
export function readMessage(
  message: MessagePayload,
  place: ChannelContext,
  mentions: boolean = false,
): MessageEvent | undefined {
  const self = selfIn(place);
  if (message.author.id === self.id || !written.includes(message.type)) return undefined;
  const addressed = addressedBy(message, place);
  const quoted = quotedBy(message, place);
  const text = readableText(message.content, self, namesOf(message, place));
  const forwarded = message.message_snapshots?.[0]?.message;
  const files = [...filesOf(message), ...(forwarded === undefined ? [] : filesOf(forwarded))];
  const shared = sharedBy(message);
  const says = text !== '' || files.length > 0 || quoted !== undefined || shared !== undefined;
  if (!says && addressed !== 'mention') return undefined;
  return {
    type: 'message',
    address: addressed === 'mention' && mentions ? threadAt(message, place) : place.address,
    nativeID: message.id,
    at: Date.parse(message.timestamp),
    actor: actorOf(message),
    addressed,
    text,
    files,
    ...defined({
      quoted,
      shared,
      room: place.room,
      toOthers: addressed === 'none' ? toOthers(message) : undefined,
    }),
  };
}

/** The event of a changed message; undefined where it was not a person's edit (a link's preview, a pin, a new thread). */
export function readEdit(message: MessagePayload, place: ChannelContext): EditEvent | undefined {
  const self = selfIn(place);
  const editedAt = message.edited_timestamp;
  if (editedAt === undefined || editedAt === null) return undefined;
  if (message.author.id === self.id || !written.includes(message.type)) return undefined;
  return {
    type: 'edit',
    address: place.address,
    nativeID: message.id,
    at: Date.parse(editedAt),
    actor: actorOf(message),
    text: readableText(message.content, self, namesOf(message, place)),
  };
}

/** The preview of a link, which Discord adds after a message; undefined where the change is another. */
export function readPreview(
  message: PreviewPayload,
  { address }: Pick<ChannelContext, 'address'>,
): PreviewEvent | undefined {
  const shared = cardTexts(message);
  return shared.length === 0 ? undefined : { type: 'preview', address, nativeID: message.id, shared };
}

/** The thread that will start at this message, and so has its id; a message in a thread stays there. */
function threadAt(message: MessagePayload, { address }: ChannelContext): Address {
  return address.kind === 'channel' && address.thread === undefined
    ? { ...address, thread: message.id }
    : address;
}

function selfIn(place: ChannelContext): BotMentions {
  return { id: place.address.account, roleID: place.botRoleID };
}

function actorOf(message: MessagePayload): Actor {
  const { author, member } = message;
  return {
    id: author.id,
    name: member?.nick ?? author.global_name ?? author.username,
    isBot: author.bot === true || message.webhook_id !== undefined,
  };
}

function addressedBy(message: MessagePayload, place: ChannelContext): Addressed {
  if (place.address.kind === 'dm') return 'dm';
  const self = selfIn(place);
  if (mentionsSelf(message.content, self)) return 'mention';
  return message.referenced_message?.author.id === self.id ? 'reply' : 'none';
}

/** Whether a message that is not addressed to the bot mentions or answers someone else. */
function toOthers({
  mentions,
  mention_roles,
  mention_everyone,
  referenced_message: answered,
  author,
}: MessagePayload): true | undefined {
  const answers = answered !== undefined && answered !== null && answered.author.id !== author.id;
  return answers || mentions.length > 0 || mention_roles.length > 0 || mention_everyone ? true : undefined;
}

function quotedBy(message: MessagePayload, place: ChannelContext): Quoted | undefined {
  const id = message.message_reference?.message_id;
  if (id === undefined) return undefined;
  if (message.message_reference?.type === MessageReferenceType.Forward) {
    const snapshot = message.message_snapshots?.[0]?.message;
    const text =
      snapshot && [snapshot.content, ...cardTexts(snapshot)].filter((each) => each !== '').join('\n');
    return { nativeID: id, fromBot: false, forwarded: true, ...defined({ text }) };
  }
  const answered = message.referenced_message;
  // The message that was answered no longer exists, or Discord did not send it along.
  if (answered === undefined || answered === null) return { nativeID: id, fromBot: false };
  const { author } = answered;
  const files = filesOf(answered);
  return {
    nativeID: id,
    author: author.global_name ?? author.username,
    text: wholeText(readableText(answered.content, selfIn(place), namesOf(answered, place)), answered),
    fromBot: author.id === place.address.account,
    ...(files.length === 0 ? {} : { files }),
  };
}

function namesOf(message: Pick<MessagePayload, 'mentions'>, place: ChannelContext): MentionNames {
  const people = new Map(
    message.mentions.map((user) => [user.id, user.member?.nick ?? user.global_name ?? user.username]),
  );
  return { user: (id) => people.get(id), role: place.roleName, channel: place.channelName };
}

/** A poll, what has no picture and what hangs below the text, as text. */
function sharedBy(message: MessagePayload): string[] | undefined {
  const { poll, sticker_items: stickers } = message;
  const lottie = stickers.filter(({ format_type: format }) => format === 3);
  const words = lottie.map(({ name }) => `sticker: ${name}`);
  if (poll !== undefined && poll !== null) {
    const answers = poll.answers.map(({ poll_media: { text } }) => `(${text ?? ''})`);
    words.push(['poll:', poll.question.text ?? '', ...answers].join(' '));
  }
  words.push(...cardTexts(message));
  return words.length === 0 ? undefined : words;
}
