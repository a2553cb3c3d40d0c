// What a Discord message holds besides its text: files by reference, and embeds, polls and stickers in words. Pure.
import { z } from 'zod';
import type { FileRef } from '#adapters/gateway/inbound.ts';
import { defined } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import type { ContentPayload, EmbedPayload, QuotedPayload } from './payload.ts';

/** A message has at most ten embeds of together 6,000 characters (Discord, "Embed Limits"); previews of links come on top. */
const mostEmbeds = 10;
const mostCharsEach = 3_500;
/** Text Display components, wherever they stand: what messages are made of that have no text (Discord, "Components"). */
const textDisplay = 10;
const mostDepth = 5;

/** Attachments, and stickers as the pictures that they are; Lottie has none. */
export function filesOf({ attachments, sticker_items: stickers }: ContentPayload): FileRef[] {
  const attached = attachments.map(({ url, filename, size, content_type: mime }) => ({
    id: url,
    name: filename,
    size,
    ...defined({ mime: mime ?? undefined }),
  }));
  const pictures = stickers
    .filter(({ format_type: format }) => format !== 3)
    .map(({ id, name, format_type: format }) => {
      const ending = format === 4 ? 'gif' : 'png';
      const url = `https://media.discordapp.net/stickers/${id}.${ending}`;
      return { id: url, name: `sticker ${name}.${ending}`, mime: `image/${ending}` };
    });
  return [...attached, ...pictures];
}

/** Embeds with their titles, fields and links, texts that stand in components, a poll, and stickers without a picture: each in words. */
export function cardsOf({ embeds, components, poll, sticker_items: stickers }: ContentPayload): string[] {
  const lottie = stickers.filter(({ format_type: format }) => format === 3);
  const words = [...embeds.slice(0, mostEmbeds).map(embedWords), componentWords(components, 0).join('\n')]
    .filter((each) => each !== '')
    .map((each) => truncate(each, mostCharsEach))
    .concat(lottie.map(({ name }) => `sticker: ${name}`));
  if (poll === undefined || poll === null) return words;
  const answers = poll.answers.map(({ poll_media: { text } }) => `(${text ?? ''})`);
  return [...words, ['poll:', poll.question.text ?? '', ...answers].join(' ')];
}

/** All that a message says, `text` being its own text as a person reads it, with what it passes on. */
export function wordsOf(
  message: ContentPayload & Pick<QuotedPayload, 'message_snapshots'>,
  text: string,
): string {
  const passed = message.message_snapshots?.[0]?.message;
  const forwarded = passed === undefined ? '' : `[forwarded] ${wordsOf(passed, passed.content)}`;
  return [text, ...cardsOf(message), forwarded].filter((each) => each !== '').join('\n');
}

function embedWords({ title, url, description, author, provider, footer, fields }: EmbedPayload): string {
  const link = url ? (title ? ` (${url})` : url) : '';
  const lines = [
    [provider?.name, author?.name].filter(Boolean).join(', '),
    `${title ?? ''}${link}`,
    description ?? '',
    ...(fields ?? []).map(({ name, value }) => `${name}: ${value}`),
    footer?.text ?? '',
  ];
  return lines.filter((line) => line.trim() !== '').join('\n');
}

const component = z.looseObject({
  type: z.int(),
  content: z.string().optional(),
  components: z.array(z.unknown()).optional(),
});

function componentWords(components: readonly unknown[], depth: number): string[] {
  return components.flatMap((each) => {
    const read = component.safeParse(each);
    if (!read.success || depth > mostDepth) return [];
    const { type, content, components: inner = [] } = read.data;
    return [...(type === textDisplay && content ? [content] : []), ...componentWords(inner, depth + 1)];
  });
}
