// What a message holds besides its text, as text: embeds (alerts, link previews) and components with text. Pure.

import { withinTogether } from '#base/text.ts';
import type { MessagePayload, TextComponent } from './payload.ts';

type Embed = MessagePayload['embeds'][number];

/** Discord allows 6,000 characters in the embeds of a message (resources/message, embed limits). */
const limits = { each: 3_000, all: 6_000 };
/** Component type of a text display (components/reference). */
const textDisplay = 10;

/** Each embed and each text of a component, with titles, fields and links; none for a message that has only text. */
export function cardTexts({
  embeds,
  components,
}: Pick<MessagePayload, 'embeds' | 'components'>): readonly string[] {
  return withinTogether([...embeds.map(embedText), ...components.flatMap(componentTexts)], limits);
}

/**
 * The text of a message with what hangs below it and what it passes on. The message's own files are not in it (see files.ts); of what it
 * passes on, whose files are not listed, their names are where that says nothing else.
 */
export function wholeText(
  text: string,
  message: Pick<MessagePayload, 'embeds' | 'components'> & Partial<Pick<MessagePayload, 'message_snapshots'>>,
): string {
  const passed = message.message_snapshots?.[0]?.message;
  const names = passed?.attachments.map(({ filename }) => filename).join(', ') ?? '';
  const forwarded = passed === undefined ? '' : `[forwarded] ${wholeText(passed.content, passed) || names}`;
  return [text, ...cardTexts(message), forwarded].filter((each) => each !== '').join('\n');
}

function embedText({ title, url, description, author, provider, fields, footer }: Embed): string {
  const heading = [title, url == null || url === '' ? undefined : `(${url})`].filter(Boolean).join(' ');
  const lines = [
    provider?.name,
    author?.name,
    heading,
    description,
    ...(fields ?? []).map(({ name, value }) => `${name}: ${value}`),
    footer?.text,
  ];
  return lines.filter(Boolean).join('\n');
}

function componentTexts({ type, content, components = [] }: TextComponent): string[] {
  const own = type === textDisplay && content !== undefined ? [content] : [];
  return [...own, ...components.flatMap(componentTexts)];
}
