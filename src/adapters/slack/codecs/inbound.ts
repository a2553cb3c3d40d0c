// Slack's messages as the gateway's events. Pure: rooms and names are looked up before.
import type { Address, ChatKind } from '#adapters/gateway/terms/address.ts';
import type {
  DeleteEvent,
  EditEvent,
  MemberEvent,
  MessageEvent,
  PlaceNamedEvent,
  PreviewEvent,
  Quoted,
} from '#adapters/gateway/terms/inbound.ts';
import { millisOf, type SlackMessage } from '#adapters/slack/calls/wire.ts';
import { defined } from '#base/json.ts';
import type { PlaceNames } from '#engine/wire/channels/place-names.ts';
import { attachmentText, cardTexts, slackText } from './cards.ts';
import type { Identity } from './change.ts';
import { filesOf } from './file-refs.ts';
import { actorIDOf } from './organisation.ts';
import { decodeSlackText, mentionedUsers, type SlackNames } from './text.ts';

/** A conversation, as far as it matters. */
export interface SlackConversation {
  channel: string;
  kind: ChatKind;
  name: string;
  restricted: boolean;
  /** The workspace that it belongs to, as far as Slack said. */
  team?: string | undefined;
}

export interface MessageContext {
  bot: Identity;
  room: SlackConversation;
  /** Display names by user id. */
  users: ReadonlyMap<string, string>;
  /** The language of the author's app, where it is known. */
  locale?: string | undefined;
  /** The author's time zone, where it is known. */
  zone?: string | undefined;
  /** Whether a mention at the top of a channel is answered in a separate thread; it is unless set otherwise. */
  replyInThread?: boolean | undefined;
}

/** A message that someone wrote, as an event; the same whether it came as `app_mention`, `message` or in a page. */
export function messageEvent(message: SlackMessage, around: MessageContext): MessageEvent {
  const { bot, room } = around;
  return defined({
    type: 'message' as const,
    address: addressOf(message, around),
    nativeID: message.ts,
    at: millisOf(message.ts),
    actor: actorOf(message, around),
    ...turnedTo(message, bot, room.kind),
    text: decodeSlackText(slackText(message), namesOf(around)),
    shared: sharedIn(message, around),
    files: filesOf(message),
    quoted: forwardedIn(message, around),
    topic: room.kind === 'dm' && bot.isAgent ? (true as const) : undefined,
    room: roomOf({ bot, room }),
  });
}

/** The event of an edited message, with its new text. */
export function editEvent(message: SlackMessage, around: MessageContext): EditEvent {
  return {
    type: 'edit',
    address: addressOf(message, around),
    nativeID: message.ts,
    at: millisOf(message.edited?.ts ?? message.ts),
    actor: actorOf(message, around),
    text: decodeSlackText(message.text ?? '', namesOf(around)),
  };
}

/** The event of a link preview that Slack added to a message. */
export function previewEvent(message: SlackMessage, around: MessageContext): PreviewEvent {
  const shared = sharedIn(message, around) ?? [];
  return { type: 'preview', address: addressOf(message, around), nativeID: message.ts, shared };
}

/** The event of a deleted message. */
export function deleteEvent(
  deleted: { ts: string; previous: SlackMessage | undefined; at: number },
  around: MessageContext,
): DeleteEvent {
  const { ts, previous, at } = deleted;
  return { type: 'delete', address: addressOf(previous ?? { ts }, around), nativeID: ts, at };
}

/** The event of a person who joined or left a channel, read from the notice in the channel. */
export function noticeEvent(
  { change, message }: { change: 'joined' | 'left'; message: SlackMessage },
  { bot, room }: Pick<MessageContext, 'bot' | 'room'>,
): MemberEvent {
  const actorID = actorOf(message, { bot, room, users: new Map() }).id;
  const address = addressIn({ bot, room }, undefined);
  return { type: 'member', address, of: 'room', actorID, change, at: millisOf(message.ts) };
}

/** The thread that a message is in; undefined at the top, where Slack gives a thread's first message its own `ts`. */
export function threadOf(message: SlackMessage): string | undefined {
  return message.thread_ts === message.ts ? undefined : message.thread_ts;
}

/**
 * Where the message is, and where its answer goes: a mention at the top of a channel by default into its own thread, and to an agent
 * each message at the top of a direct message opens one (docs.slack.dev, "Migrating to the Agent messaging experience").
 */
function addressOf(
  message: SlackMessage,
  { bot, room, replyInThread: mentionsOpen = true }: MessageContext,
): Address {
  const opening =
    room.kind === 'dm' ? bot.isAgent : mentionsOpen && room.kind === 'channel' && mentions(message, bot);
  const opens = opening ? message.ts : undefined;
  return addressIn({ bot, room }, threadOf(message) ?? opens);
}

/** The bot's account, as addresses have it. */
export const accountOf = ({ team, botUser }: Identity): string => `${team}/${botUser}`;

/** The address of a room, or of a thread in it. */
export function addressIn(
  { bot, room }: Pick<MessageContext, 'bot' | 'room'>,
  thread: string | undefined,
): Address {
  return defined({
    platform: 'slack' as const,
    account: accountOf(bot),
    space: room.kind === 'dm' ? undefined : spaceOf(bot, room),
    chat: room.channel,
    thread,
    kind: room.kind,
  });
}

/** Rooms of an organisation belong to the one workspace that they are in; one that is not known is nobody's. */
function spaceOf(bot: Identity, { team }: SlackConversation): string {
  return (bot.workspaces === undefined ? undefined : team) ?? bot.team;
}

/** What Slack calls the workspace and the channel. A group direct message is called by its members (`mpdm-ann--ben-1`). */
export function placeNamesOf({ bot, room }: Pick<MessageContext, 'bot' | 'room'>): PlaceNames {
  const members = /^mpdm-(.+)-\d+$/.exec(room.name)?.[1]?.replaceAll('--', ', ');
  return defined({
    space: bot.spaceNames.get(spaceOf(bot, room)) || undefined,
    channel: room.name === room.channel ? undefined : (members ?? room.name),
  });
}

/** The event of a room as it is called now. */
export function namedEvent(around: Pick<MessageContext, 'bot' | 'room'>): PlaceNamedEvent {
  return { type: 'named', address: addressIn(around, undefined), names: placeNamesOf(around) };
}

/** What a message says of its room; nothing of a direct message. */
export function roomOf(around: Pick<MessageContext, 'bot' | 'room'>): MessageEvent['room'] {
  const { kind, restricted } = around.room;
  return kind === 'dm' ? undefined : { names: placeNamesOf(around), restricted };
}

function mentions(message: SlackMessage, bot: Identity): boolean {
  return mentionedUsers(message.text ?? '').includes(bot.botUser);
}

/** Calls of a group, or of everyone who is there. */
const callsMany = /<!(?:subteam\^|here|channel|everyone)/;

function turnedTo(
  message: SlackMessage,
  bot: Identity,
  kind: ChatKind,
): Pick<MessageEvent, 'addressed' | 'toOthers' | 'underBot'> {
  if (kind === 'dm') return { addressed: 'dm' };
  if (mentions(message, bot)) return { addressed: 'mention' };
  const text = message.text ?? '';
  const toOthers = mentionedUsers(text).length > 0 || callsMany.test(text) ? true : undefined;
  const underBot = threadOf(message) !== undefined && message.parent_user_id === bot.botUser;
  return underBot
    ? defined({ addressed: 'reply' as const, underBot, toOthers })
    : defined({ addressed: 'none' as const, toOthers });
}

function actorOf(message: SlackMessage, { bot, users, locale, zone }: MessageContext) {
  const id = message.user ?? message.bot_id ?? 'unknown';
  const isBot = message.subtype === 'bot_message' || typeof message.bot_id === 'string';
  const given = message.username ?? message.bot_profile?.name;
  const team = message.user_team ?? message.source_team ?? message.team;
  return {
    id: actorIDOf(bot, { team, user: id }),
    name: (isBot ? given : undefined) ?? users.get(id) ?? id,
    isBot,
    ...defined({ locale, zone }),
  };
}

function namesOf({ bot, users }: MessageContext): SlackNames {
  return { botUser: bot.botUser, users };
}

/** What hangs below the text. */
function sharedIn(message: SlackMessage, around: MessageContext): string[] | undefined {
  const texts = cardTexts(message).map((text) => decodeSlackText(text, namesOf(around)));
  return texts.length === 0 ? undefined : texts;
}

/** A message that was passed on: Slack hangs it on the one that does. */
function forwardedIn(message: SlackMessage, around: MessageContext): Quoted | undefined {
  const shared = message.attachments?.find(({ is_share: isShare }) => isShare === true);
  if (shared === undefined) return undefined;
  const { author_name: _, is_share: __, ...content } = shared;
  const text = decodeSlackText(attachmentText(content), namesOf(around));
  const author = shared.author_name ?? undefined;
  return { nativeID: shared.ts ?? '', author, text, fromBot: false, forwarded: true };
}
