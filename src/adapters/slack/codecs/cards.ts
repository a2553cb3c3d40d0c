// What a Slack message holds besides its text, as text: attachments (alerts, link previews) and blocks. Pure; in Slack's own markup.

import type { SlackMessage } from '#adapters/slack/calls/wire.ts';
import { truncate, withinTogether } from '#base/text.ts';

type Attachment = NonNullable<SlackMessage['attachments']>[number];

const limits = { each: 3_000, all: 6_000 };
/** Blocks are nested at most this deep (a rich text's list in a quotation). */
const maxLevels = 6;

/**
 * The text of a message. Programs write it in blocks and put a shorter text next to them for notifications; what people write is
 * in both.
 */
export function slackText({ text, blocks, bot_id: bot, subtype }: SlackMessage): string {
  const own = text ?? '';
  const byProgram = typeof bot === 'string' || subtype === 'bot_message';
  if (own !== '' && !byProgram) return own;
  const whole = blockText(blocks ?? []);
  return whole.length > own.length ? truncate(whole, limits.all) : own;
}

/** Each attachment with its title, fields and links; a message that was passed on is not among them. */
export function cardTexts({ attachments }: Pick<SlackMessage, 'attachments'>): string[] {
  const hanging = (attachments ?? []).filter(({ is_share: isShare }) => isShare !== true);
  return withinTogether(hanging.map(attachmentText), limits);
}

/** An attachment as text; its fallback when it has no other text. */
export function attachmentText(attachment: Attachment): string {
  const { pretext, title, title_link: link, from_url: from, text, fields, footer, fallback } = attachment;
  const address = link ?? from;
  const heading = [title, address == null || address === '' ? undefined : `(${address})`]
    .filter(Boolean)
    .join(' ');
  const lines = [
    pretext,
    attachment.service_name,
    attachment.author_name,
    heading,
    text,
    ...(fields ?? []).map(({ title: name, value }) => [name, value].filter(Boolean).join(': ')),
    blockText(attachment.blocks ?? []),
    footer,
  ];
  return lines.filter(Boolean).join('\n') || (fallback ?? '');
}

/** The texts of blocks, a line each. */
function blockText(blocks: readonly object[]): string {
  return blocks
    .map((block) => textsIn(block, maxLevels).join(' '))
    .filter((line) => line.trim() !== '')
    .join('\n');
}

/** Every text of a block in its order: `text` objects, fields, elements, the words for a picture. Links have their address. */
function textsIn(value: unknown, levels: number): string[] {
  if (levels === 0 || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, levels));
  const {
    type,
    text,
    url,
    fields,
    elements,
    alt_text: alt,
    title,
    user_id: user,
    name,
  } = value as Record<string, unknown>; // an object of whatever; each is looked at before it is used
  if (type === 'user' && typeof user === 'string') return [`<@${user}>`];
  if (type === 'emoji' && typeof name === 'string') return [`:${name}:`];
  if (type === 'link' && typeof url === 'string')
    return [typeof text === 'string' ? `<${url}|${text}>` : url];
  const own = typeof text === 'string' ? [text] : textsIn(text, levels - 1);
  const words = typeof alt === 'string' ? [alt] : [];
  return [
    ...textsIn(title, levels - 1),
    ...own,
    ...words,
    ...[fields, elements].flatMap((each) => textsIn(each, levels - 1)),
  ];
}
