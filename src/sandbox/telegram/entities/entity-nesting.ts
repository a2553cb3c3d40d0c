// Makes entities that lie over one another valid, as Telegram does: whole ones win, styles are cut. Knows no text.

import type { TgEntity } from '#sandbox/telegram/world/wire.ts';
import { endOf, isPreformatted, isQuote, isSplittable, overlap, sortEntities } from './entity-kinds.ts';

/**
 * The same entities so that any two are apart or nested: whole ones that meet an earlier whole one and those that cross
 * a quote's border are dropped; styles of one kind are merged, cut where anything begins or anything whole ends, and dropped in code.
 */
export function nestEntities(entities: readonly TgEntity[]): TgEntity[] {
  const sorted = sortEntities(entities);
  const quotes = apart(sorted.filter(isQuote));
  const whole = apart(sorted.filter((entity) => !isQuote(entity) && !isSplittable(entity))).filter(
    (entity) => !quotes.some((quote) => overlap(entity, quote) && !contains(quote, entity)),
  );
  const styles = cutStyles(sorted.filter(isSplittable), [...whole, ...quotes]);
  return sortEntities([...quotes, ...whole, ...styles]);
}

function contains(outer: TgEntity, inner: TgEntity): boolean {
  return outer.offset <= inner.offset && endOf(inner) <= endOf(outer);
}

/** Entities in order, without those that meet an earlier one. */
function apart(sorted: readonly TgEntity[]): TgEntity[] {
  const saved: TgEntity[] = [];
  for (const entity of sorted) {
    const last = saved.at(-1);
    if (last === undefined || entity.offset >= endOf(last)) saved.push(entity);
  }
  return saved;
}

/** Every style ends and begins again where another one begins, and at every border of what is not a style. */
function cutStyles(styles: readonly TgEntity[], others: readonly TgEntity[]): TgEntity[] {
  const merged = mergeByKind(styles);
  const borders = [
    ...merged.map(({ offset }) => offset),
    ...others.flatMap((other) => [other.offset, endOf(other)]),
  ];
  const code = others.filter(isPreformatted);
  return merged
    .flatMap((style) => cutAt(style, borders))
    .filter((piece) => !code.some((block) => overlap(piece, block)));
}

/** Styles of one kind that touch or overlap are one. */
function mergeByKind(styles: readonly TgEntity[]): TgEntity[] {
  const saved: TgEntity[] = [];
  for (const style of styles) {
    const last = saved.findLast((other) => other.type === style.type);
    if (last === undefined || style.offset > endOf(last)) saved.push({ ...style });
    else last.length = Math.max(endOf(last), endOf(style)) - last.offset;
  }
  return saved;
}

function cutAt(entity: TgEntity, borders: readonly number[]): TgEntity[] {
  const inside = borders.filter((at) => entity.offset < at && at < endOf(entity));
  const points = [...new Set([entity.offset, ...inside, endOf(entity)])].sort((a, b) => a - b);
  return points.slice(1).map((end, index) => {
    const offset = points[index] ?? end;
    return { ...entity, offset, length: end - offset };
  });
}
