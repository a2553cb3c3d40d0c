// An answer as Telegram messages: text with entities, never a parse mode. No sending.
import type { Json } from '#base/json.ts';
import { type Entity, type Marked, markLeaf, nested } from './entities.ts';
import { layout } from './layout/layout.ts';
import { type Leaf, type Surface, textOfLeaf } from './layout/leaf.ts';
import { type Placed, pack } from './layout/pack.ts';
import { hasInk } from './parse/clean.ts';
import type { MessagePart } from './part.ts';
import { webAddress } from './web-address.ts';

// Bot API, sendMessage: 1 to 4096 characters after entities parsing; entities beyond the hundredth are ignored.
const maxUnits = 4096;
const maxEntities = 100;
// Quotes longer than this fold up.
const longestQuote = 600;

// A tab would become a single space, and code would lose its indentation.
const tab = '    ';
// Telegram drops these combining marks from every text; composed letters keep theirs (å).
const droppedMarks = /[\u030a\u0333\u033f]/g;

/** What Telegram can show. */
export const telegramSurface: Surface = {
  bullet: (depth) => (depth % 2 === 0 ? '• ' : '◦ '),
  tableColumns: 60,
  link(url) {
    const address = webAddress(url);
    return address === undefined ? undefined : new URL(address).href;
  },
  clean(text) {
    const spaced = text.replaceAll('\t', tab);
    return spaced.search(droppedMarks) < 0 ? spaced : spaced.normalize('NFC').replace(droppedMarks, '');
  },
};

/**
 * The parts of an answer, each `body` being `{text, entities}` with 1 to `limits.units` UTF-16 units (4096 unless set lower)
 * and at most 100 entities, sorted and nested as Telegram returns them. Blank Markdown gives none. Pure.
 */
export function renderTelegram(source: string, limits?: { units?: number | undefined }): MessagePart[] {
  const limit = { units: Math.min(limits?.units ?? maxUnits, maxUnits), entities: maxEntities };
  const parts = pack<Marked>(layout(source, telegramSurface), {
    limit,
    code: 'at the edge',
    shape: markLeaf,
    // one more for the quote it may be in, which can cut each entity in it only at its own ends
    size: ({ text, entities }) => ({ units: text.length, entities: entities.length + 1 }),
    join: (_, leaf) => (leaf.place.tight ? '\n' : '\n\n'),
  });
  return parts.flatMap((placed) => {
    const { text, entities } = message(placed);
    if (!hasInk(text)) return [];
    const body = { text, entities: entities.map((entity): Json => ({ ...entity })) };
    return [
      { text: placed.map(({ leaf, join }) => (join === '' ? '' : '\n') + textOfLeaf(leaf)).join(''), body },
    ];
  });
}

function message(placed: readonly Placed<Marked>[]): Marked {
  let text = '';
  const entities: Entity[] = [];
  let quote = { id: 0, from: 0 };
  const closeQuote = (): void => {
    const length = text.length - quote.from;
    if (quote.id !== 0 && length > 0)
      entities.push({
        type: length > longestQuote ? 'expandable_blockquote' : 'blockquote',
        offset: quote.from,
        length,
      });
  };
  for (const { leaf, shape, join } of placed) {
    const id = quoteOf(leaf);
    if (id !== quote.id) closeQuote();
    text += join;
    if (id !== quote.id) quote = { id, from: text.length };
    for (const entity of shape.entities) entities.push({ ...entity, offset: entity.offset + text.length });
    text += shape.text;
  }
  closeQuote();
  return { text, entities: nested(entities, text) };
}

function quoteOf(leaf: Leaf): number {
  return leaf.place.quoteID;
}
