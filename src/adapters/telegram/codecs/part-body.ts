// The native payload of a part, read back from the outbox. Writing it is the renderer's.
import type { InlineKeyboardMarkup, MessageEntity } from 'grammy/types';
import { z } from 'zod';
import type { Button } from '#adapters/gateway/terms/channel.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { ParleyError } from '#base/errors.ts';
import { formatZodError, type Json } from '#base/json.ts';
import { keyboardOf } from './choices.ts';

/** UTF-16 units of one message (Bot API, sendMessage). */
export const textLimit = 4096;
/** UTF-16 units that rendering leaves free for the sentence in front of a part that Telegram may have posted already. */
export const repeatUnits = 48;

const schema = z.object({
  text: z.string().min(1),
  entities: z
    .array(
      z.object({
        type: z.string(),
        offset: z.int(),
        length: z.int(),
        url: z.string().exactOptional(),
        language: z.string().exactOptional(),
      }),
    )
    .default([]),
  /** Buttons, as `keyboardOf` made them. */
  reply_markup: z
    .object({
      inline_keyboard: z.array(z.array(z.object({ text: z.string(), callback_data: z.string() }))),
    })
    .exactOptional(),
});

/** Text and entities of a part; a ParleyError `invalid_part` when it was not rendered for Telegram. */
export function bodyOf(part: MessagePart): {
  text: string;
  entities: MessageEntity[];
  markup: { reply_markup?: InlineKeyboardMarkup };
} {
  const { text, entities, reply_markup: keyboard } = read(part);
  // The renderer writes Bot API entities; Telegram itself judges them, so their union is not repeated here.
  return {
    text,
    entities: entities as MessageEntity[],
    markup: keyboard === undefined ? {} : { reply_markup: keyboard },
  };
}

/** The part with these buttons; with an empty list it has none. */
export function withChoices(part: MessagePart, choices: readonly Button[]): MessagePart {
  const { reply_markup: _, ...rest } = read(part);
  return {
    text: part.text,
    body: choices.length === 0 ? rest : { ...rest, reply_markup: keyboardOf(choices) },
  };
}

/** The part with `sentence` in front of it, its entities moved along. */
export function markRepeat(part: MessagePart, sentence: string): MessagePart {
  const { text, entities, ...rest } = read(part);
  const mark = `${sentence.slice(0, repeatUnits - 1)}\n`;
  const moved = entities.map((entity): Json => ({ ...entity, offset: entity.offset + mark.length }));
  return { text: mark + part.text, body: { ...rest, text: mark + text, entities: moved } };
}

function read(part: MessagePart): z.infer<typeof schema> {
  const result = schema.safeParse(part.body);
  if (result.success) return result.data;
  throw new ParleyError(
    'invalid_part',
    `The part is not one for Telegram: ${formatZodError(result.error).join('; ')}.`,
  );
}
