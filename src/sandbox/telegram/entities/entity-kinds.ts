// How kinds of entities may lie over one another in Telegram: which split, which stay whole, which may hold others.
import type { TgEntity } from '#sandbox/telegram/world/wire.ts';

/** May be cut in pieces at the borders of others. */
const splittable = new Set(['bold', 'italic', 'underline', 'strikethrough', 'spoiler']);
const quotes = new Set(['blockquote', 'expandable_blockquote']);
const preformatted = new Set(['pre', 'code']);
/** Whole, and taken from a bot; the remaining kinds (mention, url, hashtag...) the server finds by itself. */
const given = new Set(['pre', 'code', 'text_link', 'custom_emoji']);
/** True for styles, which may be cut in pieces. */
export function isSplittable(entity: TgEntity): boolean {
  return splittable.has(entity.type);
}

/** True for both kinds of quotes. */
export function isQuote(entity: TgEntity): boolean {
  return quotes.has(entity.type);
}

/** True for code, inside which nothing is marked. */
export function isPreformatted(entity: TgEntity): boolean {
  return preformatted.has(entity.type);
}

/** True for what a bot may give; every other kind is ignored in a request. */
export function isGiven(entity: TgEntity): boolean {
  return isSplittable(entity) || isQuote(entity) || given.has(entity.type);
}

/** The offset behind the last unit. */
export function endOf(entity: TgEntity): number {
  return entity.offset + entity.length;
}

/** True when some unit of the text is in both. */
export function overlap(a: TgEntity, b: TgEntity): boolean {
  return a.offset < endOf(b) && b.offset < endOf(a);
}

/** Which comes first of two that cover the same text. */
const order = [
  'blockquote',
  'expandable_blockquote',
  'pre',
  'code',
  'text_link',
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'custom_emoji',
];

/** By start, the longer first, then in the fixed order of kinds. */
export function sortEntities(entities: readonly TgEntity[]): TgEntity[] {
  const rank = ({ type }: TgEntity): number => order.indexOf(type);
  return entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length || rank(a) - rank(b));
}
