// Entities that Telegram finds in a text by itself: commands, mentions, links, addresses, hashtags. Not formatting.

import type { TgEntity } from '#sandbox/telegram/world/wire.ts';
import { endOf } from './entity-kinds.ts';

/** In order of preference where two would overlap. */
const patterns: readonly { type: string; pattern: RegExp }[] = [
  { type: 'url', pattern: /\bhttps?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]/g },
  { type: 'email', pattern: /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b/gi },
  { type: 'bot_command', pattern: /(?<![\w/<>])\/[a-z0-9_]{1,64}(?:@[a-z0-9_]{3,32})?(?![\w/])/gi },
  { type: 'mention', pattern: /(?<![\w@/])@[a-z]\w{2,31}(?!\w)/gi },
  { type: 'hashtag', pattern: /(?<![\w#&/])#(?=\w*[\p{L}_])[\p{L}\p{N}_]{1,256}/gu },
];

/** What the server would mark, sorted, without overlaps. */
export function findEntities(text: string): TgEntity[] {
  const found: TgEntity[] = [];
  for (const { type, pattern } of patterns) {
    for (const match of text.matchAll(pattern)) {
      const entity = { type, offset: match.index, length: match[0].length };
      if (!found.some((other) => entity.offset < endOf(other) && other.offset < endOf(entity)))
        found.push(entity);
    }
  }
  return found.sort((a, b) => a.offset - b.offset);
}
