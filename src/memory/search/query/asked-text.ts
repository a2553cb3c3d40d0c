// A question as a model gets it: about one of the speakers, it is put as that speaker would. Not its words for the ranking.

import type { Work } from '#base/sql/work.ts';
import type { ChunkWork } from '#memory/chunks/chunks.ts';
import type { ScopeFilter } from '#memory/tables/audience.ts';
import { plainWords } from '#memory/words/tokens.ts';

/** Names of a question that are looked up. */
const maxNames = 6;

/** The text with the name of the one speaker whom it names replaced by `I`; unchanged where it names none or several. */
export function* requestText(
  text: string,
  chunks: Pick<ChunkWork, 'speakers'>,
  readable: ScopeFilter,
): Work<string> {
  const names = text.match(/\p{Lu}[\p{L}\p{M}]+/gu) ?? [];
  const known = yield* chunks.speakers([...new Set(names.slice(0, maxNames).flatMap(plainWords))], readable);
  if (new Set(known.values()).size !== 1) return text;
  return text.replace(
    /(?<!\p{L})(\p{Lu}[\p{L}\p{M}]+)(['’]s)?(?!\p{L})/gu,
    (whole, name: string, owns?: string) =>
      known.has(plainWords(name)[0] ?? '') ? (owns === undefined ? 'I' : 'my') : whole,
  );
}
