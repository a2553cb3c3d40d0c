// What a Slack message holds besides its text: files by reference, and attachments, previews and blocks in words. Pure.
import { z } from 'zod';
import type { FileRef } from '#adapters/gateway/inbound.ts';
import { defined } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import { unlinkedFile } from './file-link.ts';
import { decodeText, type Names } from './text.ts';
import type { SlackAttachment, SlackMessage } from './wire.ts';

const mostCards = 10;
const mostCharsEach = 3_500;
const mostDepth = 6;

/** Files of the message and of what it passes on; without those that are not there any more. */
export function filesOf({ files, attachments }: Pick<SlackMessage, 'files' | 'attachments'>): FileRef[] {
  const passed = (attachments ?? []).flatMap((one) => (one.is_share === true ? (one.files ?? []) : []));
  return [...(files ?? []), ...passed].flatMap((file) => {
    // deleted, or too old for the workspace's plan: there is nothing to open
    if (file.mode === 'tombstone' || file.mode === 'hidden_by_limit') return [];
    return [
      defined({
        // files of other workspaces come without a link: it has to be asked for
        id: (file.url_private_download ?? file.url_private) || unlinkedFile(file.id),
        name: file.name ?? undefined,
        mime: file.mimetype ?? undefined,
        size: file.size ?? undefined,
      }),
    ];
  });
}

/** What apps say in blocks, and attachments and previews of links, each in words; not a message that is passed on. */
export function cardsOf(message: SlackMessage, names: Names): string[] {
  const text = message.text ?? '';
  // what people type comes as text and once more as rich text
  const blocks = (message.blocks ?? []).filter((block) => text === '' || !isRichText(block));
  const said = plain(decodeText(text, names));
  const own = blocksWords(blocks, names)
    .filter((words) => !said.includes(plain(words)))
    .join('\n');
  const attached = (message.attachments ?? [])
    .filter((one) => one.is_share !== true)
    .slice(0, mostCards)
    .map((one) => attachmentWords(one, names));
  return [own, ...attached].filter((words) => words !== '').map((words) => truncate(words, mostCharsEach));
}

/** All that a message says, with what it passes on. */
export function wordsOf(message: SlackMessage, names: Names): string {
  const passed = (message.attachments ?? []).filter((one) => one.is_share === true);
  return [
    decodeText(message.text ?? '', names),
    ...cardsOf(message, names),
    ...passed.map((one) => `[forwarded] ${attachmentWords(one, names)}`),
  ]
    .filter((words) => words !== '')
    .join('\n');
}

/** An attachment with its title, link, text and fields. */
export function attachmentWords(attachment: SlackAttachment, names: Names): string {
  const { title, title_link: titleLink, from_url: from, fields, footer, is_share: isShare } = attachment;
  const link = titleLink ?? from;
  const decoded = (text: string | null | undefined): string => decodeText(text ?? '', names);
  // of what is passed on, the gateway names the author
  const whose = isShare === true ? [] : [attachment.service_name, attachment.author_name];
  const lines = [
    decoded(attachment.pretext),
    whose.filter(Boolean).join(', '),
    [decoded(title), link ? (title ? `(${link})` : link) : ''].filter(Boolean).join(' '),
    decoded(attachment.text),
    ...(fields ?? []).map((field) => [decoded(field.title), decoded(field.value)].filter(Boolean).join(': ')),
    ...blocksWords(attachment.blocks ?? [], names),
    decoded(footer),
  ].filter((line) => line.trim() !== '');
  return lines.join('\n') || decoded(attachment.fallback);
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** An element of any block, as far as words stand in it (docs.slack.dev, "Blocks" and "Block elements"). */
const element = z.looseObject({
  type: z.string().optional(),
  text: z.unknown().optional(),
  fields: z.array(z.unknown()).optional(),
  elements: z.array(z.unknown()).optional(),
  rows: z.array(z.array(z.unknown())).optional(),
  title: z.unknown().optional(),
  alt_text: z.string().optional(),
  url: z.string().optional(),
  name: z.string().optional(),
  user_id: z.string().optional(),
});

function isRichText(block: unknown): boolean {
  return element.safeParse(block).data?.type === 'rich_text';
}

function blocksWords(blocks: readonly unknown[], names: Names): string[] {
  return blocks.map((block) => elementWords(block, { names, depth: 0 })).filter((words) => words !== '');
}

function elementWords(given: unknown, { names, depth }: { names: Names; depth: number }): string {
  if (typeof given === 'string') return decodeText(given, names);
  const read = element.safeParse(given);
  if (!read.success || depth > mostDepth) return '';
  const one = read.data;
  const deeper = (inner: unknown): string => elementWords(inner, { names, depth: depth + 1 });
  switch (one.type) {
    case 'button':
    case 'divider':
      return '';
    case 'image':
      return ['image:', deeper(one.title) || (one.alt_text ?? '')].join(' ').trim();
    case 'link':
      return [deeper(one.text), one.url === undefined ? '' : `(${one.url})`].join(' ').trim();
    case 'user':
      return `@${names.users.get(one.user_id ?? '') ?? one.user_id ?? ''}`;
    case 'emoji':
      return `:${one.name ?? ''}:`;
    case 'table':
      return (one.rows ?? []).map((row) => row.map(deeper).join(' | ')).join('\n');
    default: {
      const inline = one.type === 'rich_text_section' || one.type === 'rich_text_preformatted';
      const inner = (one.elements ?? []).map(deeper).filter((words) => words !== '');
      const lines = [deeper(one.text), ...(one.fields ?? []).map(deeper), inner.join(inline ? '' : '\n')];
      return lines.filter((words) => words !== '').join('\n');
    }
  }
}
