// Native bodies of parts, checked and typed for the tests. Not a test.
import { z } from 'zod';
import type { MessagePart } from '#adapters/text/part.ts';

const discord = z.strictObject({ content: z.string().min(1) });
const entity = z.strictObject({
  type: z.string(),
  offset: z.int().min(0),
  length: z.int().min(1),
  url: z.url().optional(),
  language: z.string().optional(),
});
const telegram = z.strictObject({ text: z.string().min(1), entities: z.array(entity) });
const slack = z.strictObject({
  blocks: z.tuple([z.strictObject({ type: z.literal('markdown'), text: z.string().min(1) })]),
  text: z.string().min(1),
});

export type SentEntity = z.infer<typeof entity>;

export function discordContent(part: MessagePart): string {
  return discord.parse(part.body).content;
}

export function telegramBody(part: MessagePart): { text: string; entities: SentEntity[] } {
  return telegram.parse(part.body);
}

export function slackMarkdown(part: MessagePart): { markdown: string; fallback: string } {
  const { blocks, text } = slack.parse(part.body);
  return { markdown: blocks[0].text, fallback: text };
}
