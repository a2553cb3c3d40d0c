// What a Slack event says has happened, before anyone is looked up. Pure.

import type { SlackEvent, SlackMessage } from '#adapters/slack/calls/wire.ts';
import { cardTexts } from './cards.ts';

/** The bot as its workspace knows it; of an organisation's install `team` is the organisation. */
export interface Identity {
  team: string;
  botUser: string;
  botID: string;
  /** The app is an agent: Slack shows direct messages as chats, each a thread of its own. */
  isAgent: boolean;
  /** What workspaces are called, by their ids, as far as Slack said. */
  spaceNames: Map<string, string>;
  /** The organisation's workspaces, where it is installed there; events may name further ones. */
  workspaces?: Set<string> | undefined;
}

export type SlackChange =
  | { type: 'message'; message: SlackMessage }
  | { type: 'edit'; message: SlackMessage }
  /** Slack hung the preview of a link on a message whose words are as they were. */
  | { type: 'preview'; message: SlackMessage }
  | { type: 'delete'; ts: string; previous: SlackMessage | undefined }
  /** Someone came to the channel or left it. */
  | { type: 'member'; change: 'joined' | 'left'; message: SlackMessage }
  /** A message that is in the chat and is not for the bot: its own, a new topic, a new name. */
  | { type: 'passed'; message: SlackMessage }
  | { type: 'nothing' };

/** Subtypes that a person's message can have; all others are notices. */
const spoken = new Set([undefined, 'file_share', 'thread_broadcast', 'me_message', 'bot_message']);
/** Notices that say who came or left; Slack may leave them out, and sends `member_joined_channel` and `member_left_channel` as well. */
const memberNotices: ReadonlyMap<string | undefined, 'joined' | 'left'> = new Map([
  ['channel_join', 'joined'],
  ['group_join', 'joined'],
  ['channel_leave', 'left'],
  ['group_leave', 'left'],
]);
/** Slack shows this in place of a deleted message that has replies. */
export const tombstone = 'tombstone';

/** Whether the bot itself wrote the message. */
function isByBot(message: SlackMessage, bot: Identity): boolean {
  return message.user === bot.botUser || message.bot_id === bot.botID;
}

/** Classifies a message of a page or of an event: something to handle, or to skip. */
export function toChange(message: SlackMessage, bot: Identity): SlackChange {
  if (message.subtype === tombstone) return { type: 'delete', ts: message.ts, previous: undefined };
  const change = memberNotices.get(message.subtype);
  if (change !== undefined && !isByBot(message, bot)) return { type: 'member', change, message };
  const received = spoken.has(message.subtype) && !isByBot(message, bot);
  return received ? { type: 'message', message } : { type: 'passed', message };
}

/**
 * Classifies an event. An edited mention fires `app_mention` again and is skipped: `message_changed` reports it too. A change with the
 * same text is a link preview or a reply count, and no edit, unless a file was deleted.
 */
export function changeOf(event: SlackEvent, bot: Identity): SlackChange {
  if (event.type === 'app_mention') {
    return event.edited ? { type: 'nothing' } : toChange(event, bot);
  }
  switch (event.subtype) {
    case 'message_changed':
      return edited(event, bot);
    case 'message_deleted':
      return deleted(event.deleted_ts ?? event.previous_message?.ts, event.previous_message, bot);
    case 'message_replied':
      return { type: 'nothing' };
    default:
      return toChange(event, bot);
  }
}

function edited(event: SlackEvent, bot: Identity): SlackChange {
  const { message, previous_message: previous } = event;
  if (message === undefined || isByBot(message, bot)) return { type: 'nothing' };
  if (message.subtype === tombstone) return deleted(message.ts, previous, bot);
  if (!spoken.has(message.subtype)) return { type: 'nothing' };
  if (previous !== undefined && isEmptied(previous, message)) return deleted(message.ts, previous, bot);
  const changed =
    previous === undefined
      ? message.edited
      : (previous.text ?? '') !== (message.text ?? '') || filesIn(message) < filesIn(previous);
  if (changed) return { type: 'edit', message };
  return cardTexts(message).length > 0 ? { type: 'preview', message } : { type: 'nothing' };
}

/** Files that are still there: a deleted one leaves a tombstone in its message. */
function filesIn({ files }: SlackMessage): number {
  return (files ?? []).filter(({ mode }) => mode !== tombstone).length;
}

/** Nothing is left of a message whose files were all that it had. */
function isEmptied(previous: SlackMessage, message: SlackMessage): boolean {
  return (message.text ?? '') === '' && filesIn(previous) > 0 && filesIn(message) === 0;
}

function deleted(ts: string | undefined, previous: SlackMessage | undefined, bot: Identity): SlackChange {
  if (ts === undefined || (previous !== undefined && isByBot(previous, bot))) return { type: 'nothing' };
  return { type: 'delete', ts, previous };
}
