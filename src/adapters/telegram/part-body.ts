// The native payload of a part, read back from the outbox. Writing it is the renderer's.
import type { MessageEntity } from 'grammy/types';
import { z } from 'zod';
import type { Part } from '#adapters/text/part.ts';
import { ParleyError } from '#base/errors.ts';
import { type Json, zodWords } from '#base/json.ts';

/** UTF-16 units of one message (Bot API, sendMessage). */
export const textLimit = 4096;
/** Stands in front of a part that Telegram may have posted already; rendering leaves room for it. */
export const repeatMark = '(This may be a repeat.)\n';

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
});

/** Text and entities of a part; a ParleyError `invalid_part` when it was not rendered for Telegram. */
export function bodyOf(part: Part): { text: string; entities: MessageEntity[] } {
  const { text, entities } = read(part);
  // The renderer writes Bot API entities; Telegram itself judges them, so their union is not repeated here.
  return { text, entities: entities as MessageEntity[] };
}

/** The same part behind the mark, its entities moved along. */
export function markRepeat(part: Part): Part {
  const { text, entities } = read(part);
  const moved = entities.map((entity): Json => ({ ...entity, offset: entity.offset + repeatMark.length }));
  return { text: repeatMark + part.text, body: { text: repeatMark + text, entities: moved } };
}

function read(part: Part): z.infer<typeof schema> {
  const result = schema.safeParse(part.body);
  if (result.success) return result.data;
  throw new ParleyError(
    'invalid_part',
    `The part is not one for Telegram: ${zodWords(result.error).join('; ')}.`,
  );
}
