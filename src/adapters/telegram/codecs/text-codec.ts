// A message's text as the person wrote it: the bot's own mention taken out, link targets written behind their words.
import type { Message, MessageEntity } from 'grammy/types';

export interface BotSelf {
  id: number;
  username: string | undefined;
}

interface ReadText {
  text: string;
  /** The text named the bot, by @name, by its profile or as `/command@name`. */
  mentioned: boolean;
  /** It names someone else. */
  others: boolean;
}

interface Change {
  from: number;
  to: number;
  put: string;
}

/** The text or caption of a message; empty when it has none. Offsets are UTF-16 units, as JavaScript counts. */
export function readMessageText(message: Message, self: BotSelf): ReadText {
  const text = message.text ?? message.caption ?? '';
  const entities = message.entities ?? message.caption_entities ?? [];
  const mentions = entities.flatMap((entity) => mentionChange(text, entity, self) ?? []);
  const links = entities.flatMap((entity) => linkChange(text, entity) ?? []);
  const changed = applyChanges(text, [...mentions, ...links]);
  const named = entities.filter(({ type }) => type === 'mention' || type === 'text_mention').length;
  return { text: changed.trim(), mentioned: mentions.length > 0, others: mentions.length === 0 && named > 0 };
}

function mentionChange(text: string, entity: MessageEntity, self: BotSelf): Change | undefined {
  const from = entity.offset;
  const to = entity.offset + entity.length;
  const marked = text.slice(from, to).toLowerCase();
  const name = self.username === undefined ? undefined : `@${self.username.toLowerCase()}`;
  switch (entity.type) {
    case 'mention':
      return marked === name ? withSpace(text, from, to) : undefined;
    case 'text_mention':
      return entity.user.id === self.id ? withSpace(text, from, to) : undefined;
    case 'bot_command': {
      const suffix = name !== undefined && marked.endsWith(name) ? name.length : 0;
      return suffix === 0 ? undefined : { from: to - suffix, to, put: '' };
    }
    default:
      return undefined;
  }
}

/** The mention with the space that it leaves behind, and in front also with its comma or colon. */
function withSpace(text: string, from: number, to: number): Change {
  const before = text.slice(0, from);
  if (before.trim() === '') {
    const after = /^\s*(?:[,:]\s*)?/.exec(text.slice(to))?.[0].length ?? 0;
    return { from, to: to + after, put: '' };
  }
  const space = /[ \t]*$/.exec(before)?.[0].length ?? 0;
  return { from: from - space, to, put: '' };
}

function linkChange(text: string, entity: MessageEntity): Change | undefined {
  if (entity.type !== 'text_link') return undefined;
  const end = entity.offset + entity.length;
  const words = text.slice(entity.offset, end);
  const same = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');
  if (same(words) === same(entity.url)) return undefined;
  return { from: end, to: end, put: ` (${entity.url})` };
}

function applyChanges(text: string, changes: readonly Change[]): string {
  let result = '';
  let at = 0;
  for (const change of changes.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    result += text.slice(at, Math.max(at, change.from)) + change.put;
    at = Math.max(at, change.to);
  }
  return result + text.slice(at);
}
