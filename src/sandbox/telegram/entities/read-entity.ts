// One entity of a request. As in Telegram, an entity that cannot be read is left out silently.
import { z } from 'zod';
import type { TgEntity } from '#sandbox/telegram/world/wire.ts';

const position = { offset: z.int(), length: z.int() };

const entity = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['bold', 'italic', 'underline', 'strikethrough', 'spoiler', 'code']),
    ...position,
  }),
  z.object({ type: z.enum(['blockquote', 'expandable_blockquote']), ...position }),
  z.object({ type: z.literal('pre'), ...position, language: z.string().optional() }),
  z.object({ type: z.literal('text_link'), ...position, url: z.string() }),
  z.object({ type: z.literal('custom_emoji'), ...position, custom_emoji_id: z.string().regex(/^\d+$/) }),
]);

/** The entity, its link written out as Telegram stores it; undefined for kinds and links that Telegram ignores. */
export function readEntity(value: unknown): TgEntity | undefined {
  const result = entity.safeParse(value);
  if (!result.success) return undefined;
  if (result.data.type !== 'text_link') return result.data;
  const url = fullLink(result.data.url);
  return url === undefined ? undefined : { ...result.data, url };
}

/** http, https, tg and ton links; a missing scheme is http, and a web host needs a dot. */
function fullLink(link: string): string | undefined {
  const text = link.trim();
  if (/^(tg|ton):/i.test(text)) return text;
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) && !/^https?:/i.test(text)) return undefined;
  const url = URL.parse(/^https?:/i.test(text) ? text : `http://${text}`);
  if (url === null) return undefined;
  return url.hostname.includes('.') || url.hostname.startsWith('[') ? url.href : undefined;
}
