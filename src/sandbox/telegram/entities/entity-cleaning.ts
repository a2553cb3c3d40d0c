// What Telegram does to a text and its entities before it stores them: cleaning, bounds, trimming. Not their nesting.

import { badRequest } from '#sandbox/telegram/world/refusal.ts';
import type { TgEntity } from '#sandbox/telegram/world/wire.ts';
import { endOf, isGiven, isSplittable } from './entity-kinds.ts';
import { nestEntities } from './entity-nesting.ts';
import { findEntities } from './found-entities.ts';

/** Entities beyond this are dropped silently, styles after all others (a limit of Telegram's servers). */
const entityLimit = 100;
const largestOffset = 1_000_000;

export interface FormattedText {
  text: string;
  entities: TgEntity[];
}

/** The text as Telegram would store it, or a 400 in its words; the text may come out empty. */
export function cleanMessageText(text: string, given: readonly TgEntity[]): FormattedText {
  const entities = given.filter(isGiven);
  for (const { offset, length } of entities) {
    if (offset < 0 || offset > largestOffset)
      throw badRequest(`receive an entity with incorrect offset ${offset}`);
    if (length < 0 || length > largestOffset)
      throw badRequest(`receive an entity with incorrect length ${length}`);
  }
  const nested = nestEntities(entities.filter((entity) => entity.length > 0));
  checkBounds(text, nested);
  const saved = trim(removeCharacters({ text, entities: nested }));
  const own = limitEntities(saved.entities);
  const found = findEntities(saved.text).filter((entity) =>
    own.every((other) => isSplittable(other) || apartOrQuoted(entity, other)),
  );
  return { text: saved.text, entities: nestEntities([...own, ...found]) };
}

function apartOrQuoted(found: TgEntity, own: TgEntity): boolean {
  if (found.offset >= endOf(own) || own.offset >= endOf(found)) return true;
  const inside = own.offset <= found.offset && endOf(found) <= endOf(own);
  return own.type.endsWith('blockquote') && inside;
}

/** Refuses what begins or ends inside a character or past the text; of several faults the one that a reader meets first. */
function checkBounds(text: string, entities: readonly TgEntity[]): void {
  const bytes = (at: number): number => Buffer.byteLength(text.slice(0, at + 1));
  const ends = entities
    .filter((entity) => splitsPair(text, endOf(entity)))
    .map((entity) => ({
      at: endOf(entity),
      words: `entity beginning at UTF-16 offset ${entity.offset} ends in a middle of a UTF-16 symbol at byte offset ${bytes(endOf(entity))}`,
    }));
  const begins = entities
    .filter((entity) => splitsPair(text, entity.offset))
    .map(({ offset }) => ({
      at: offset,
      words: `entity begins in a middle of a UTF-16 symbol at byte offset ${bytes(offset)}`,
    }));
  // Of entities that end at one place the innermost ends first; an end comes before a beginning.
  const [torn] = [...ends.reverse(), ...begins].sort((a, b) => a.at - b.at);
  if (torn !== undefined) throw badRequest(torn.words);
  const late = entities.find(({ offset }) => offset > text.length);
  if (late !== undefined)
    throw badRequest(`entity begins after the end of the text at UTF-16 offset ${late.offset}`);
  const long = entities.findLast((entity) => endOf(entity) > text.length);
  if (long !== undefined)
    throw badRequest(
      `entity beginning at UTF-16 offset ${long.offset} ends after the end of the text at UTF-16 offset ${endOf(long)}`,
    );
}

function splitsPair(text: string, at: number): boolean {
  return /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at));
}

/** Carriage return and three combining lines; direction and separator marks are the range below. */
const vanishing = new Set(['\r', '\u0333', '\u033F', '\u030A']);

function replaced(unit: string): string {
  if (vanishing.has(unit) || (unit >= '\u2028' && unit <= '\u202E')) return '';
  return unit < ' ' && unit !== '\n' ? ' ' : unit;
}

/** Control characters become spaces; carriage returns, direction marks and vertical lines vanish. */
function removeCharacters({ text, entities }: FormattedText): FormattedText {
  const before: number[] = [0];
  let saved = '';
  for (const unit of text.split('')) {
    saved += replaced(unit);
    before.push(saved.length);
  }
  const moved = entities.map((entity) => {
    const offset = before[entity.offset] ?? saved.length;
    return { ...entity, offset, length: (before[endOf(entity)] ?? saved.length) - offset };
  });
  return { text: saved, entities: moved };
}

/** The text loses the whitespace at its ends, in front only up to the first entity; entities end with the text. */
function trim({ text, entities }: FormattedText): FormattedText {
  const right = text.replace(/[ \n]+$/, '');
  const shaped = entities
    .map((entity) => ({ ...entity, length: Math.min(endOf(entity), right.length) - entity.offset }))
    .filter((entity) => entity.length > 0);
  const leading = /^[ \n]*/.exec(right)?.[0].length ?? 0;
  const shift = Math.min(leading, shaped[0]?.offset ?? leading);
  return {
    text: right.slice(shift),
    entities: shaped.map((entity) => ({ ...entity, offset: entity.offset - shift })),
  };
}

/** Counted as sent: styles whole, not yet cut at the borders of others, and after all others. */
function limitEntities(entities: readonly TgEntity[]): TgEntity[] {
  const others = entities.filter((entity) => !isSplittable(entity)).slice(0, entityLimit);
  const styles = nestEntities(entities.filter(isSplittable)).slice(0, entityLimit - others.length);
  return nestEntities([...others, ...styles]);
}
