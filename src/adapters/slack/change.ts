// What a Slack event says has happened, before anyone is looked up. Pure.
import type { SlackEvent, SlackMessage } from './wire.ts';

/** The bot as its workspace knows it. */
export interface Identity {
  team: string;
  botUser: string;
  botID: string;
}

export type Change =
  | { type: 'message'; message: SlackMessage }
  | { type: 'edit'; message: SlackMessage }
  | { type: 'delete'; ts: string; previous: SlackMessage | undefined }
  /** A message that stands in the chat and is not for the bot: its own, a join, a topic. */
  | { type: 'passed'; message: SlackMessage }
  | { type: 'nothing' };

/** Subtypes that a person's message can have; all others are notices. */
const spoken = new Set([undefined, 'file_share', 'thread_broadcast', 'me_message', 'bot_message']);

/** Whether the bot wrote it. */
export function isOwn(message: SlackMessage, bot: Identity): boolean {
  return message.user === bot.botUser || message.bot_id === bot.botID;
}

/** A message of a page: something to take in, or passed over. */
export function standing(message: SlackMessage, bot: Identity): Change {
  const heard = spoken.has(message.subtype) && !isOwn(message, bot);
  return heard ? { type: 'message', message } : { type: 'passed', message };
}

/**
 * What an event says. A mention that was edited fires `app_mention` again: `message_changed` tells of that already. A
 * change whose text is the same is an unfurl or a reply count, and nothing.
 */
export function changeOf(event: SlackEvent, bot: Identity): Change {
  if (event.type === 'app_mention') {
    return event.edited ? { type: 'nothing' } : standing(event, bot);
  }
  switch (event.subtype) {
    case 'message_changed':
      return edited(event, bot);
    case 'message_deleted':
      return deleted(event.deleted_ts ?? event.previous_message?.ts, event.previous_message, bot);
    case 'message_replied':
      return { type: 'nothing' };
    default:
      return standing(event, bot);
  }
}

function edited(event: SlackEvent, bot: Identity): Change {
  const { message, previous_message: previous } = event;
  if (message === undefined || isOwn(message, bot)) return { type: 'nothing' };
  if (message.subtype === 'tombstone') return deleted(message.ts, previous, bot);
  if (!spoken.has(message.subtype)) return { type: 'nothing' };
  const changed = previous === undefined ? message.edited : (previous.text ?? '') !== (message.text ?? '');
  return changed ? { type: 'edit', message } : { type: 'nothing' };
}

function deleted(ts: string | undefined, previous: SlackMessage | undefined, bot: Identity): Change {
  if (ts === undefined || (previous !== undefined && isOwn(previous, bot))) return { type: 'nothing' };
  return { type: 'delete', ts, previous };
}
